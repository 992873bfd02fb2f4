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

  /// Files that every row stands on.
  private var done: Int { projections.first?.files.count ?? 0 }

  private func setting(_ projection: ConversionProjection) -> String {
    guard let quality = Self.quality(projection), let median = projection.medianQuality
    else { return "" }
    let commands = commands(projection.variant, quality: median).joined(separator: "; ")
    return " It takes quality \(quality)\(commands.isEmpty ? "" : ": \(commands)")."
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
    let seed = "drawn by chance (seed \(folder.seed)\(drawn))"
    let of = done < folder.sample ? "\(done) of the " : ""
    let sample =
      !isProjected
      ? "Stopped early: the figures are of the \(Numerals.counted(done, "file")) done by then, which stand for themselves."
      : done == folder.files
        ? "All of them were measured."
        : "\(of)\(Numerals.counted(folder.sample, "file")) \(seed) were measured and projected."
    var texts = [
      "\(folder.name): \(Numerals.counted(folder.files, "file")), \(Numerals.size(Double(folder.bytes))) "
        + "(\(formats.joined(separator: ", "))). \(sample)"
    ]
    texts += [Wording.copies(folder.copies, "file")].compactMap(\.self)
    texts += folder.skipped.lines + remarks.lines.map { $0 + "." }
    guard !folder.unusable.isEmpty else { return texts }
    return texts + [
      "\(Numerals.counted(folder.unusable.count, "file")) that cannot be read left out: "
        + folder.unusable.prefix(3).joined(separator: ", ") + (folder.unusable.count > 3 ? ", …" : "")
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
    let subject = projection.score == nil ? "JPEG XL" : projection.shown.title
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
      "\(subject)\(at): converting what gets smaller (\(counts)) leaves \(Numerals.size(estimate.total)) of "
      + "\(Numerals.size(estimate.known)), \(Wording.change(estimate.changePercent))\(interval(estimate))"
    if let seconds = projection.seconds, seconds.total > 0 {
      text += "; \(Numerals.duration(seconds.total)) of CPU time to encode"
    }
    return text + "."
  }

  /// `, 95 % interval −12 to −3 %`; empty where nothing is projected.
  private func interval(_ estimate: RatioEstimate) -> String {
    guard let ends = estimate.changeInterval else { return ", too few files for an interval" }
    return ends.lower < ends.upper ? ", 95 % interval \(Self.range(ends))" : ""
  }

  private var notes: [String] {
    var notes: [String] = []
    for projection in projections {
      guard let quick = projection.quick, projection.isQuick || projection.guessed > 0 else { continue }
      let place = projection.score.map { "At \(Numerals.short($0))" } ?? "Without loss"
      notes.append(
        projection.isQuick
          ? "\(place) too few files were tried with \(projection.variant.title): the figures are those of "
            + "\(quick.title)."
          : "\(place) \(projection.guessed) of \(Numerals.counted(done, "file")) were tried with \(quick.title) alone; their bytes "
            + "are corrected by what the others told.")
    }
    if projections.contains(where: { $0.score != nil }) {
      notes.append(
        "Scores are against each file as it is, so that a conversion adds its loss to what the file has lost. The bytes "
          + "include the metadata and the colour profile that the program keeps.")
      notes.append(
        "By SSIMULACRA2's author an average observer notices at 1:1: \(MetricTraits.words(for: [90, 85, 80, 70])). "
          + "Qualities are the lowest that keep the score: the median, and those of the easiest and the "
          + "hardest file.")
    }
    for projection in projections where projection.outOfReach > 0 {
      notes.append(
        "\(projection.variant.title) does not reach \(Numerals.short(projection.score ?? 0)) with "
          + "\(Numerals.counted(projection.outOfReach, "measured file")), which "
          + "\(projection.outOfReach == 1 ? "stays as it is" : "stay as they are").")
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
          "The program \(tool.name)\(tool.version.isEmpty ? "" : " \(tool.version)") does not open \(format.name) (\(files)). "
          + "Another program has to convert such files, for instance to PNG first; their metadata are not counted."
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
          images.count == 1 ? "“\(images[0])” stays as it is" : "\(images.count) files stay as they are"
        return "With \(projection.variant.name) \(stays): \(reason)."
      }
    }
  }

  private static func range(_ ends: (lower: Double, upper: Double)) -> String {
    "\(Numerals.signed(ends.lower, decimals: 0)) to \(Numerals.signed(ends.upper, decimals: 0)) %"
  }
}

// The verdict.
extension ConversionReport {
  /// `Convert? At 90 no: 3 % less. At 80 yes: 67 % less, and whoever flips between the two sees it. HEIC; 10 files, 41 MB
  /// now.`
  package var answer: String {
    guard !isEmpty else { return "Convert? Nothing was measured." }
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

  /// `At 80 yes: 67 % less (95 % interval 60 to 72 %), and whoever flips between the two sees it`.
  private func verdict(_ projection: ConversionProjection) -> String {
    let place = projection.score.map { "At \(Numerals.short($0))" } ?? "Without loss"
    guard let estimate = projection.bytesWhereSmaller else { return "\(place) nothing could be measured" }
    guard projection.smaller > 0 else {
      return projection.mostSmaller > 0
        ? "\(place) probably not: none of \(Numerals.counted(projection.files.count, "measured file")) gets smaller"
        : "\(place) no: no file gets smaller"
    }
    let (change, ends) = (estimate.changePercent, estimate.changeInterval)
    var word = "perhaps"
    if let ends {
      if ends.upper <= -Self.leastSaving { word = "yes" }
      if ends.lower > -Self.leastSaving { word = "no" }
    }
    var text = "\(place) \(word): \(Wording.percent(change)) % less"
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
    case 85...: ", and only a flicker test shows it"
    case 80...: ", and whoever flips between the two sees it"
    case 70...: ", and some see it side by side"
    default: ", and many see it"
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
