import Analysis
import Metrics
import Model
import Reports

package struct ConversionReport: Sendable {
  /// The least saving that a conversion is worth, in percent.
  private static let leastSaving = 10.0

  let folder: ConversionFolder
  let projections: [ConversionProjection]
  /// Remarks on the measured files.
  var remarks = RemarkTally()
  /// False if the files done are no sample of the folder, and stand for themselves.
  var isProjected = true
  package var wasInterrupted = false
  package var ranOutOfTime = false

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
      .paragraph(answer), .list(introduction),
      .table(ReportTable("Projections", Self.columns, projections)),
      .list(projections.map { sentence($0) ?? setting($0) }.filter { !$0.isEmpty }), .list(notes),
    ]
    guard !folder.contents.isEmpty else {
      return blocks + [.paragraph("The files have no metadata, profiles or previews to lose.")]
    }
    return blocks + [
      .paragraph(
        "What else is in the \(Numerals.counted(folder.files, "file")), and what each encoder’s tool does with it "
          + "(docs/convert-check.md):"),
      .table(ReportTable("Contents", contentColumns, folder.contents)),
    ]
  }

  var variants: [CodecVariant] {
    projections.map(\.variant).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Files that every row stands on.
  private var done: Int { projections.first?.files.count ?? 0 }

  private func setting(_ projection: ConversionProjection) -> String {
    guard let quality = Self.quality(projection), let median = projection.medianQuality
    else { return "" }
    let commands = commands(projection.variant, quality: median).joined(separator: "; ")
    return "\(subject(projection)): quality \(quality)\(commands.isEmpty ? "" : ", \(commands)")."
  }

  /// The command of each program that opens some of the folder's formats: `heif-convert -q 80 (heic)`.
  private func commands(_ variant: CodecVariant, quality: Double) -> [String] {
    let tools = folder.tools(for: variant)
    return tools.compactMap { tool in
      let formats = folder.formats.map(\.name).filter {
        tool.opens($0) && ConversionTool.of(variant, from: $0) == tool
      }
      guard !formats.isEmpty, var command = command(variant, quality, tool) else { return nil }
      if let option = tool.option { command += " \(option)" }
      // It packs a JPEG without loss otherwise, whatever the quality.
      if tool == .cjxl, formats.contains("jpeg") { command += " --lossless_jpeg=0" }
      return tools.count == 1 ? command : "\(command) (\(formats.joined(separator: ", ")))"
    }
  }

  private func command(_ variant: CodecVariant, _ quality: Double, _ tool: ConversionTool) -> String? {
    guard tool == .heifConvert else { return SettingColumns.command(variant, quality: quality) }
    // It has no other setting.
    return variant.settings.isEmpty ? "\(tool.name) -q \(Int((quality * 100).rounded()))" : nil
  }

  private var introduction: [String] {
    let formats = folder.formats.map {
      "\(Numerals.grouped($0.files)) \($0.name) \(Numerals.size(Double($0.bytes)))"
    }
    let seed = "drawn at random (seed \(folder.seed)\(drawn))"
    let of = done < folder.sample ? "\(done) of the " : ""
    let sample =
      !isProjected
      ? "Stopped early: the figures cover only the \(Numerals.counted(done, "file")) done so far."
      : done == folder.files
        ? "All were measured."
        : "Projected from \(of)\(Numerals.counted(folder.sample, "file")) \(seed)."
    var texts = [
      "\(folder.name): \(Numerals.counted(folder.files, "file")), \(Numerals.size(Double(folder.bytes))) "
        + "(\(formats.joined(separator: ", "))). \(sample)"
    ]
    texts += [Wording.copies(folder.copies, "file")].compactMap(\.self)
    texts += folder.skipped.lines + remarks.lines.map { $0 + "." }
    guard !folder.unusable.isEmpty else { return texts }
    return texts + [
      "heicbench cannot read \(Numerals.counted(folder.unusable.count, "file")): "
        + folder.unusable.prefix(3).joined(separator: ", ") + (folder.unusable.count > 3 ? ", …" : "")
    ]
  }

  /// `: 9 jpeg, 3 heic`; empty for a single format.
  private var drawn: String {
    guard folder.formats.count > 1 else { return "" }
    return ": " + folder.formats.map { "\(Numerals.grouped($0.sample)) \($0.name)" }.joined(separator: ", ")
  }

  /// `HEIC at SSIMULACRA2 90`.
  private func subject(_ projection: ConversionProjection) -> String {
    guard let score = projection.score else { return "JPEG XL without loss" }
    return "\(projection.shown.title) at SSIMULACRA2 \(Numerals.short(score))"
  }

  /// What a row of the table cannot say; nil if it says all.
  private func sentence(_ projection: ConversionProjection) -> String? {
    guard projection.bytesWhereSmaller != nil else {
      return "\(subject(projection)): nothing could be measured."
    }
    guard projection.smaller == 0 else { return nil }
    let most = Numerals.fixed(projection.mostSmaller * 100, decimals: 0)
    let rest = projection.mostSmaller > 0 ? " At most \(most) % of all files would (95 % confidence)." : ""
    return
      "\(subject(projection)): none of \(Numerals.counted(projection.files.count, "measured file")) gets smaller. "
      + "Keep your files.\(rest)"
  }

  private var notes: [String] {
    var notes: [String] = []
    for projection in projections {
      guard let quick = projection.quick, projection.isQuick || projection.guessed > 0 else { continue }
      let place = projection.score.map { "at \(Numerals.short($0))" } ?? "without loss"
      notes.append(
        projection.isQuick
          ? "Stopped early: the figures \(place) are for \(quick.title). \(projection.variant.title) usually saves a "
            + "little more."
          : "\(place.prefix(1).uppercased())\(place.dropFirst()), \(projection.guessed) of "
            + "\(Numerals.counted(done, "file")) were encoded only with \(quick.title). Their sizes are corrected by those of the other files."
      )
    }
    if projections.contains(where: { $0.score != nil }) {
      notes.append(
        "Scores compare with your files as they are; converting adds to the loss they already have. Sizes include the "
          + "metadata and profile that the encoder keeps.")
      notes.append(
        "Score guide (viewed at 100 %): \(MetricTraits.words(for: [90, 85, 80, 70])). Quality: median (easiest to "
          + "hardest file).")
    }
    for projection in projections where projection.outOfReach > 0 {
      notes.append(
        "\(projection.variant.title) does not reach \(Numerals.short(projection.score ?? 0)) with "
          + "\(Numerals.counted(projection.outOfReach, "measured file")). Do not convert "
          + "\(projection.outOfReach == 1 ? "it" : "them").")
    }
    return notes + unopened + obstacles + failures.map { "Failed: \($0)" }
  }

  /// Formats that a codec's own program does not read.
  private var unopened: [String] {
    variants.flatMap { variant in
      folder.formats.compactMap { format in
        let tool = ConversionTool.of(variant, from: format.name)
        guard !tool.opens(format.name), !variant.recompresses else { return nil }
        let files = Numerals.counted(format.files, "file")
        return
          "\(format.name) (\(files)): not read by \(tool.name)\(tool.version.isEmpty ? "" : " \(tool.version)"). "
          + "Convert these files first, for example to PNG. Sizes here do not include their metadata."
      }
    }
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
          images.count == 1 ? "“\(images[0])”" : "\(images.count) files"
        return "\(projection.variant.name) cannot encode \(stays): \(reason)."
      }
    }
  }
}

// The verdict.
extension ConversionReport {
  /// `Convert? At 90: no, saves 3 %. At 80: yes, saves 67 %; … HEIC; 10 files, 41 MB now.`
  package var answer: String {
    guard !isEmpty else { return "Convert? heicbench measured nothing." }
    let groups = variants.map { variant in projections.filter { $0.variant == variant } }
    let parts = groups.map { group in
      let phrases = group.reversed().map { verdict($0) + "." }.joined(separator: " ")
      let name = group[0].score == nil ? "JPEG XL" : group[0].shown.title
      return groups.count > 1 ? "\(name): \(phrases.prefix(1).lowercased())\(phrases.dropFirst())" : phrases
    }
    let subject =
      groups.count > 1 ? "" : (groups[0][0].score == nil ? "JPEG XL; " : "\(groups[0][0].shown.title); ")
    let files = Numerals.counted(folder.files, "file")
    let base =
      isProjected
      ? "\(done < folder.files ? "\(done) of " : "")\(files)" : "\(Numerals.counted(done, "file")) so far"
    let now = projections.first?.bytesWhereSmaller?.known ?? Double(folder.bytes)
    return "Convert? \(parts.joined(separator: " ")) \(subject)\(base), \(Numerals.size(now)) now."
  }

  /// `At 80: yes, saves 67 % (95 % interval 60 to 72 %); no visible difference side by side, …`.
  private func verdict(_ projection: ConversionProjection) -> String {
    let place = projection.score.map { "At \(Numerals.short($0))" } ?? "Without loss"
    guard let estimate = projection.bytesWhereSmaller else { return "\(place): nothing could be measured" }
    guard projection.smaller > 0 else {
      return projection.mostSmaller > 0
        ? "\(place): probably not, none of \(Numerals.counted(projection.files.count, "measured file")) gets smaller"
        : "\(place): no, no file gets smaller"
    }
    let (change, ends) = (estimate.changePercent, estimate.changeInterval)
    var word = "perhaps"
    if let ends {
      if ends.upper <= -Self.leastSaving { word = "yes" }
      if ends.lower > -Self.leastSaving { word = "no" }
    }
    var text = "\(place): \(word), \(change > 0 ? "costs" : "saves") \(Wording.percent(change)) %"
    if let ends, ends.lower < ends.upper {
      let sides = [-ends.upper, -ends.lower].map { Numerals.plain($0, abs(change) >= 9.95 ? 0 : 1) }
      if sides[0] != sides[1] { text += " (95 % interval \(sides[0]) to \(sides[1]) %)" }
    } else if ends == nil {
      text += " (too few files for an interval)"
    }
    guard word != "no", let score = projection.score else { return text }
    return text + Self.notice(at: score)
  }

  /// The viewing in which the loss shows, after `MetricTraits.observations`.
  private static func notice(at score: Double) -> String {
    switch score {
    case 90...: ""
    case 85...: "; only flickering shows a difference"
    case 80...: "; no visible difference side by side, perhaps one when flipping between the two"
    case 70...: "; some people see a difference side by side"
    default: "; many people see a difference"
    }
  }

  /// `HEIC at 90: −3 % (−8 to +1)`, of each row.
  var brief: String {
    projections.compactMap { projection in
      guard let estimate = projection.bytesWhereSmaller else { return nil }
      let place = projection.score.map { "at \(Numerals.short($0))" } ?? "without loss"
      let ends = estimate.changeInterval.flatMap { $0.lower < $0.upper ? $0 : nil }
      let interval = ends.map {
        " (\(Numerals.signed($0.lower, decimals: 0)) to \(Numerals.signed($0.upper, decimals: 0)))"
      }
      return "\(CodecName.title(of: projection.variant.codec)) \(place): "
        + "\(Numerals.signed(estimate.changePercent, decimals: 0)) %\(interval ?? "")"
    }.joined(separator: " · ")
  }
}

extension ConversionProjection {
  /// The settings that the figures are of.
  var shown: CodecVariant { isQuick ? quick ?? variant : variant }

  /// Files whose bytes are guessed by the fast settings.
  fileprivate var guessed: Int { files.count(where: \.isQuick) }
}
