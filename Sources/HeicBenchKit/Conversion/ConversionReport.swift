import Analysis
package import Model
import Reports

/// The report on whether converting a folder pays, as text and as JSON.
package struct ConversionReport: Sendable {
  package struct Format: Sendable, Hashable {
    /// The format by content, such as `jpeg` or `heic`.
    package var name: String
    package var files: Int
    package var bytes: Int
    package var sample: Int = 0

    /// Counts a file; the sum of bytes saturates.
    package mutating func add(_ bytes: Int) {
      files += 1
      let (sum, overflow) = self.bytes.addingReportingOverflow(bytes)
      self.bytes = overflow ? .max : sum
    }
  }

  package struct Folder: Sendable {
    package var name: String
    /// Most bytes first.
    package var formats: [Format]
    /// Files that cannot be used and are in no figure.
    package var unusable: [String]
    /// The contents beside the pictures.
    package var contents: [FolderContents.Line]
    package var sample: Int
    /// The seed that drew the sample.
    package var seed: UInt64
    /// True if the work was interrupted; figures then cover only the files done and are not projected.
    package var isUnfinished = false

    package init(
      name: String, formats: [Format], unusable: [String], contents: [FolderContents.Line], sample: Int,
      seed: UInt64
    ) {
      (self.name, self.formats, self.unusable, self.contents) = (name, formats, unusable, contents)
      (self.sample, self.seed) = (sample, seed)
    }

    package var files: Int { formats.reduce(0) { $0 + $1.files } }
    package var bytes: Int { formats.reduce(0) { $0.addingReportingOverflow($1.bytes).partialValue } }
  }

  let folder: Folder
  let projections: [ConversionProjection]

  package var isEmpty: Bool { projections.allSatisfy(\.files.isEmpty) }

  /// Sampled files whose conversion failed, a line each.
  package var failures: [String] {
    projections.flatMap { projection in
      projection.files.compactMap { file in
        guard case .failed(let reason) = file.outcome else { return nil }
        return "“\(file.image)” with \(projection.variant.name): \(reason)"
      }
    }
  }

  /// The answer as text, with no table wider than `width`.
  package func text(width: Int = .max) -> String {
    var parts = [
      introduction, TextTableWriter(ConversionColumns.projections).table(projections, width: width, keys: 2),
    ]
    parts.append(projections.map { sentence($0) + setting($0) + "\n" }.joined())
    if !notes.isEmpty { parts.append(notes.map { $0 + "\n" }.joined()) }
    parts.append(contents(width))
    return parts.joined(separator: "\n")
  }

  /// True if the figures cover every file they speak of, so that nothing is projected.
  private var isWhole: Bool { folder.isUnfinished || folder.sample == folder.files }

  /// The quality to set, as a value and as a command.
  private func setting(_ projection: ConversionProjection) -> String {
    guard let quality = ConversionColumns.quality(projection), let median = projection.medianQuality
    else { return "" }
    let command = SettingColumns.command(projection.variant, quality: median).map { ": \($0)" } ?? ""
    return " It takes quality \(quality)\(command)."
  }

  private var introduction: String {
    let formats = folder.formats.map {
      "\(Numerals.grouped($0.files)) \($0.name) \(Self.size(Double($0.bytes)))"
    }
    let sample =
      folder.isUnfinished
      ? "Interrupted: these figures are of the files that were done by then, by themselves and not projected, of "
        + "\(Numerals.counted(folder.sample, "file")) that were to be measured."
      : isWhole
        ? "All of them were measured."
        : "\(Numerals.counted(folder.sample, "file")) drawn by chance (seed \(folder.seed)\(drawn)) were measured and "
          + "projected."
    var text =
      "\(folder.name): \(Numerals.counted(folder.files, "file")), \(Self.size(Double(folder.bytes))) "
      + "(\(formats.joined(separator: ", "))). \(sample)\n"
    if !folder.unusable.isEmpty {
      let more = folder.unusable.count > 3 ? ", …" : ""
      text +=
        "\(Numerals.counted(folder.unusable.count, "file")) that cannot be read left out: "
        + "\(folder.unusable.prefix(3).joined(separator: ", "))\(more)\n"
    }
    return text
  }

  /// `: 9 jpeg, 3 heic`; empty for a single format.
  private var drawn: String {
    guard folder.formats.count > 1 else { return "" }
    return ": " + folder.formats.map { "\(Numerals.grouped($0.sample)) \($0.name)" }.joined(separator: ", ")
  }

  /// `HEIC at SSIMULACRA2 90: converting what gets smaller saves 27 % of the bytes …`
  private func sentence(_ projection: ConversionProjection) -> String {
    let at = projection.score.map { " at SSIMULACRA2 \(Numerals.short($0))" } ?? " without loss"
    let subject = projection.score == nil ? "JPEG XL" : projection.variant.title
    guard let estimate = projection.bytesWhereSmaller else {
      return "\(subject)\(at): nothing could be measured."
    }
    let counts = "\(projection.smaller) of \(Numerals.counted(projection.files.count, "measured file"))"
    guard projection.smaller > 0 else {
      let rest =
        projection.mostSmaller > 0
        ? "; with 95 % confidence no more than \(Numerals.fixed(projection.mostSmaller * 100, decimals: 0)) % of all files do"
        : ""
      return
        "\(subject)\(at): no measured file gets smaller (0 of \(projection.files.count)); keep what you have\(rest)."
    }
    var text =
      "\(subject)\(at): converting what gets smaller (\(counts)) leaves \(Self.size(estimate.total)) of "
      + "\(Self.size(estimate.known)), \(Wording.change(estimate.changePercent))"
    if !isWhole {
      text +=
        estimate.changeInterval.map { ", 95 % interval \(Self.range($0))" }
        ?? ", too few files for an interval"
    }
    if let seconds = projection.seconds, seconds.total > 0 {
      text += "; \(Self.duration(seconds.total)) of CPU time to encode"
    }
    return text + "."
  }

  private var notes: [String] {
    var notes: [String] = []
    let kept = "Exif and XMP are counted as kept, a profile is where it matters."
    if projections.contains(where: { $0.score != nil }) {
      notes.append(
        "Scores are against each file as it is, so that a conversion adds its loss to what the file has lost. \(kept)"
      )
    }
    if projections.contains(where: { $0.score != nil }) {
      notes.append(
        "SSIMULACRA2 90 is visually lossless, as its authors call it; at 80 who flips between the two sees a difference, "
          + "at 70 many do. Qualities are the lowest that keep the score: the median, and those of the easiest and the "
          + "hardest file.")
    }
    for projection in projections where projection.outOfReach > 0 {
      notes.append(
        "\(projection.variant.title) does not reach \(Numerals.short(projection.score ?? 0)) with "
          + "\(Numerals.counted(projection.outOfReach, "measured file")), which stay as they are.")
    }
    return notes + obstacles + failures.map { "Failed: \($0)" }
  }

  /// The conversions that a codec cannot do, a line for each reason.
  private var obstacles: [String] {
    projections.flatMap { projection in
      var files: [(reason: String, images: [String])] = []
      for file in projection.files {
        guard case .impossible(let reason) = file.outcome else { continue }
        if let known = files.firstIndex(where: { $0.reason == reason }) {
          files[known].images.append(file.image)
        } else {
          files.append((reason, [file.image]))
        }
      }
      return files.map { reason, images in
        let stays =
          images.count == 1 ? "“\(images[0])” stays as it is" : "\(images.count) files stay as they are"
        return "With \(projection.variant.name) \(stays): \(reason)."
      }
    }
  }

  private func contents(_ width: Int) -> String {
    guard !folder.contents.isEmpty else { return "The files hold nothing beside their pictures.\n" }
    var seen: Set<CodecVariant> = []
    let variants = projections.map(\.variant).filter { seen.insert($0).inserted }
    let columns = ConversionColumns.contents(variants)
    return
      "What all \(Numerals.counted(folder.files, "file")) hold beside their pictures, and what the codecs’ own "
      + "tools make of it (docs/convert-check.md):\n\n"
      + TextTableWriter(columns).table(folder.contents, width: width, keys: 1)
  }

  static func size(_ bytes: Double) -> String {
    switch bytes {
    case 1e9...: "\(Numerals.fixed(bytes / 1e9, decimals: 2)) GB"
    case 1e6...: "\(Numerals.fixed(bytes / 1e6, decimals: 1)) MB"
    case 1e3...: "\(Numerals.fixed(bytes / 1e3, decimals: 1)) kB"
    default: "\(Numerals.fixed(bytes, decimals: 0)) bytes"
    }
  }

  static func duration(_ seconds: Double) -> String {
    switch seconds {
    case 5400...: "\(Numerals.fixed(seconds / 3600, decimals: 1)) hours"
    case 90...: "\(Numerals.fixed(seconds / 60, decimals: 1)) minutes"
    default: "\(Numerals.fixed(seconds, decimals: seconds < 10 ? 1 : 0)) seconds"
    }
  }

  private static func range(_ ends: (lower: Double, upper: Double)) -> String {
    "\(Numerals.signed(ends.lower, decimals: 0)) to \(Numerals.signed(ends.upper, decimals: 0)) %"
  }
}
