import Model
import Reports

package struct ConversionReport: Sendable {
  let folder: ConversionFolder
  let projections: [ConversionProjection]
  package var ranOutOfTime = false

  package var wasInterrupted: Bool { folder.isUnfinished }
  /// True if there is nothing to report, as when the run stopped before the first file was done.
  package var isEmpty: Bool { projections.allSatisfy(\.files.isEmpty) }

  package var failures: [String] {
    projections.flatMap { projection in
      projection.files.compactMap { file in
        guard case .failed(let reason) = file.outcome else { return nil }
        return "“\(file.image)” with \(projection.variant.name): \(reason)"
      }
    }
  }

  package func text(width: Int = .max) -> String { blocks.text(width: width) }

  private var blocks: [ReportBlock] {
    let blocks: [ReportBlock] = [
      .list(introduction), .table(ReportTable("Projections", Self.columns, projections, keys: 2)),
      .list(projections.map { sentence($0) + setting($0) }), .list(notes),
    ]
    guard !folder.contents.isEmpty else {
      return blocks + [.paragraph("The files hold nothing beside their pictures.")]
    }
    return blocks + [
      .paragraph(
        "What all \(Numerals.counted(folder.files, "file")) hold beside their pictures, and what the codecs’ own "
          + "tools make of it (docs/convert-check.md):"),
      .table(ReportTable("Contents", contentColumns, folder.contents)),
    ]
  }

  var variants: [CodecVariant] {
    projections.map(\.variant).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// True if the figures cover every file they speak of, so that nothing is projected.
  private var isWhole: Bool { folder.isUnfinished || folder.sample == folder.files }

  private func setting(_ projection: ConversionProjection) -> String {
    guard let quality = Self.quality(projection), let median = projection.medianQuality
    else { return "" }
    let command = SettingColumns.command(projection.variant, quality: median).map { ": \($0)" } ?? ""
    return " It takes quality \(quality)\(command)."
  }

  private var introduction: [String] {
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
    let text =
      "\(folder.name): \(Numerals.counted(folder.files, "file")), \(Self.size(Double(folder.bytes))) "
      + "(\(formats.joined(separator: ", "))). \(sample)"
    guard !folder.unusable.isEmpty else { return [text] }
    return [
      text,
      "\(Numerals.counted(folder.unusable.count, "file")) that cannot be read left out: "
        + folder.unusable.prefix(3).joined(separator: ", ") + (folder.unusable.count > 3 ? ", …" : ""),
    ]
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
    if projections.contains(where: { $0.score != nil }) {
      notes.append(
        "Scores are against each file as it is, so that a conversion adds its loss to what the file has lost. Exif and "
          + "XMP are counted as kept, a profile is where it matters.")
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
