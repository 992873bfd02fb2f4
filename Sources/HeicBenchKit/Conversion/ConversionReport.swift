import Analysis
import Metrics
import Model
import Reports

package struct ConversionReport: Sendable {
  /// The smallest saving worth a conversion, in percent.
  private static let leastSaving = 10.0

  let folder: ConversionFolder
  let projections: [ConversionProjection]
  /// Remarks on the measured files.
  var remarks = RemarkTally()
  /// False if the finished files are not a sample of the folder and represent only themselves.
  var isProjected = true
  package var wasInterrupted = false
  package var ranOutOfTime = false

  /// True if there is nothing to report, for example because the run stopped before the first file was done.
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

  /// The number of files that every row includes.
  private var done: Int { projections.first?.files.count ?? 0 }

  /// `HEIC at SSIMULACRA2 80: heif-enc -q 51. 11 of 12 measured files reach 80; lowest: a.jpg, 78.9.`
  private func setting(_ projection: ConversionProjection) -> String {
    guard let score = projection.score else {
      return commands(projection.variant, quality: 0.5).isEmpty
        ? ""
        : "\(subject(projection)): \(commands(projection.variant, quality: 0.5).joined(separator: "; "))."
    }
    guard let quality = projection.quality else { return "" }
    let commands = commands(projection.variant, quality: quality)
    let set =
      commands.isEmpty ? "quality \(Numerals.fixed(quality, decimals: 2))" : commands.joined(separator: "; ")
    let (reached, of) = (projection.reached, projection.scored.count)
    var text = "\(subject(projection)): \(set). "
    text +=
      reached == of
      ? "All \(Numerals.counted(of, "measured file")) reach it"
      : "\(reached) of \(Numerals.counted(of, "measured file")) reach it"
    let worst = projection.scored.min { ($0.score ?? 0, $0.image) < ($1.score ?? 0, $1.image) }
    if let worst, let lowest = worst.score, lowest < score {
      text += "; lowest: \(worst.image), \(Numerals.fixed(lowest, decimals: 1))"
    }
    return text + "."
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
      // Without this option, cjxl packs a JPEG without loss, whatever the quality.
      if tool == .cjxl, formats.contains("jpeg") { command += " --lossless_jpeg=0" }
      return tools.count == 1 ? command : "\(command) (\(formats.joined(separator: ", ")))"
    }
  }

  private func command(_ variant: CodecVariant, _ quality: Double, _ tool: ConversionTool) -> String? {
    guard tool == .heifConvert else { return SettingColumns.command(variant, quality: quality) }
    // Only for a codec without other settings.
    return variant.settings.isEmpty ? "\(tool.name) -q \(Int((quality * 100).rounded()))" : nil
  }

  private var introduction: [String] {
    let formats = folder.formats.map {
      "\(Numerals.grouped($0.files)) \($0.name) \(Numerals.size(Double($0.bytes)))"
    }
    let seed = "drawn at random (seed \(folder.seed)\(drawn))"
    let of = done < folder.sample ? "\(done) of the " : ""
    // The answer already says that all files were measured.
    let sample =
      !isProjected
      ? " Stopped early: the figures cover only the \(Numerals.counted(done, "file")) done so far."
      : done == folder.files
        ? ""
        : " Projected from \(of)\(Numerals.counted(folder.sample, "file")) \(seed)."
    var texts = [
      "\(folder.name): \(Numerals.counted(folder.files, "file")), \(Numerals.size(Double(folder.bytes))) "
        + "(\(formats.joined(separator: ", "))).\(sample)"
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
    guard let score = projection.score else { return "\(Self.title(projection)) without loss" }
    return "\(projection.shown.title) at SSIMULACRA2 \(Numerals.short(score))"
  }

  /// `HEIC (chroma=444)`; a packed file has no other settings to name.
  private static func title(_ projection: ConversionProjection) -> String {
    projection.variant.recompresses
      ? CodecName.title(of: projection.variant.codec) : projection.shown.title
  }

  /// A sentence for what a row of the table cannot say; nil if the row says everything.
  private func sentence(_ projection: ConversionProjection) -> String? {
    if projection.setting == .outOfReach, let score = projection.score {
      return "\(subject(projection)): \(missed(projection, score))"
    }
    guard projection.bytesWhereSmaller != nil else {
      return "\(subject(projection)): nothing could be measured."
    }
    guard projection.converted > 0 else { return "\(subject(projection)): no file could be converted." }
    guard projection.smaller == 0 else { return nil }
    let most = Numerals.fixed(projection.mostSmaller * 100, decimals: 0)
    let rest =
      projection.mostSmaller > 0
      ? " At most \(most) % of the bytes are in files that would (95 % confidence)." : ""
    return
      "\(subject(projection)): none of \(Numerals.counted(projection.measured, "measured file")) gets smaller. "
      + "Keep your files.\(rest)"
  }

  private func missed(_ projection: ConversionProjection, _ score: Double) -> String {
    let missed = projection.outOfReach
    let measured = missed.count + projection.converted
    guard !missed.isEmpty else { return "fewer than nine in ten files reach it." }
    // A few files decide for the folder. Without them it may have an answer.
    let remedy = missed.count * 2 < measured ? "Leave them out with --exclude, set" : "Set"
    return
      "\(missed.count) of \(Numerals.counted(measured, "measured file")) \(missed.count == 1 ? "does" : "do") not reach it "
      + "at any quality (\(Numerals.listed(missed.map(\.image)))). \(remedy) "
      + "a --score below \(Numerals.short(score)), or keep your files."
  }

  private var notes: [String] {
    var notes: [String] = []
    for projection in projections where projection.isQuick || projection.guessed > 0 {
      let place = projection.score.map { "at \(Numerals.short($0))" } ?? "without loss"
      let title = projection.shown.title
      notes.append(
        projection.isQuick
          ? "Stopped early: the figures \(place) are estimates for \(title)."
            + (projection.quick == nil ? "" : " \(projection.variant.title) usually saves a little more.")
          : "\(place.prefix(1).uppercased())\(place.dropFirst()), \(projection.guessed) of "
            + "\(Numerals.counted(done, "file")) had not yet been encoded at the quality to set. "
            + "Their sizes are estimates."
      )
    }
    for projection in projections where fullChroma(projection) != nil {
      notes.append(fullChroma(projection) ?? "")
    }
    if projections.contains(where: \.isRough) {
      notes.append(
        "A sample of \(Numerals.counted(done, "file")) is too small for so many kinds of files: the kinds that it "
          + "leaves out hold more than a tenth of the bytes. Measure more with --sample.")
    }
    if projections.contains(where: { $0.score != nil }) {
      notes.append(
        "Scores compare with your files as they are; converting adds to the loss they already have. Sizes include the "
          + "metadata and profile that the encoder keeps.")
      notes.append(
        "Score guide (viewed at 100 %): \(MetricTraits.words(for: [90, 85, 80, 70])). Set is the lowest quality at which "
          + "9 in 10 measured files reach the score; sizes are those at that quality.")
    }
    return notes + unopened + obstacles + failures.map { "Failed: \($0)" }
  }

  /// A sentence about both kinds of chroma, which are tried if the requested settings leave the choice open.
  private func fullChroma(_ projection: ConversionProjection) -> String? {
    guard projection.hasRival, projection.quality != nil, let score = projection.score else { return nil }
    let (better, worse) = projection.variant.isFullChroma ? ("full", "halved") : ("halved", "full")
    return
      "At \(Numerals.short(score)), \(CodecName.title(of: projection.variant.codec)) was tried with halved and with "
      + "full chroma: \(better) chroma is better here than \(worse)."
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
  /// `Convert? At 90: no, saves 3 %. At 80: yes, saves 67 %; … HEIC; 10 of 40 files measured, 41 MB now.`
  package var answer: String {
    guard !isEmpty else { return "Convert? heicbench measured nothing." }
    let codecs = projections.map(\.family).reduce(into: [CodecVariant]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let groups = codecs.map { codec in projections.filter { $0.family == codec } }
    let parts = groups.map { group in
      let phrases = group.reversed().map { verdict($0, of: group) + "." }.joined(separator: " ")
      return groups.count > 1
        ? "\(name(of: group)): \(phrases.prefix(1).lowercased())\(phrases.dropFirst())" : phrases
    }
    let subject = groups.count > 1 ? "" : "\(name(of: groups[0])); "
    let files = Numerals.counted(folder.files, "file")
    let all = done == 1 ? "" : subject.isEmpty ? "All " : "all "
    let base =
      isProjected
      ? "\(done < folder.files ? "\(done) of " : all)\(files) measured"
      : "\(Numerals.counted(done, "file")) measured so far"
    // The rows are of the same files.
    let measured = projections.first?.files.reduce(0.0) { $0 + Double($1.fileBytes) } ?? 0
    let now = isProjected ? Double(folder.bytes) : measured
    return "Convert? \(parts.joined(separator: " ")) \(subject)\(base), \(Numerals.size(now)) now."
  }

  /// `HEIC`, with the settings that all rows share.
  private func name(of group: [ConversionProjection]) -> String {
    group.allSatisfy { $0.shown == group[0].shown } || group[0].variant.recompresses
      ? Self.title(group[0]) : group[0].family.title
  }

  /// `At 80: yes, saves 67 % (95 % interval 60 to 72 %), all files get smaller; no visible difference side by side, …`.
  private func verdict(_ projection: ConversionProjection, of group: [ConversionProjection]) -> String {
    var place = projection.score.map { "At \(Numerals.short($0))" } ?? "Without loss"
    // Only if the rows differ; otherwise the codec's name has the settings.
    if projection.variant.isFullChroma, !projection.family.isFullChroma,
      !group.allSatisfy({ $0.shown == projection.shown })
    {
      place += " with full chroma"
    }
    if projection.setting == .outOfReach {
      return "\(place): no, fewer than nine in ten files reach that score"
    }
    guard let estimate = projection.bytesWhereSmaller else { return "\(place): nothing could be measured" }
    guard projection.converted > 0 else { return "\(place): no file could be converted" }
    guard projection.smaller > 0 else {
      return projection.mostSmaller > 0 || projection.failed > 0
        ? "\(place): probably not, none of \(Numerals.counted(projection.measured, "measured file")) gets smaller"
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
      let sides = [0 - ends.upper, 0 - ends.lower].map { Numerals.plain($0, abs(change) >= 9.95 ? 0 : 1) }
      if sides[0] != sides[1] {
        text += " (\(projection.isRough ? "a rough guess," : "95 % interval") \(sides[0]) to \(sides[1]) %)"
      }
    } else if ends == nil {
      text += " (too few files for an interval)"
    }
    text += "; \(smaller(projection))"
    guard word != "no", let score = projection.score else { return text }
    return text + Self.notice(at: score)
  }

  /// `all files get smaller`, `about a third of your files get smaller`.
  private func smaller(_ projection: ConversionProjection) -> String {
    let (share, all) = (projection.smallerShare, projection.files.count)
    if all == folder.files || !isProjected {
      return projection.smaller == all
        ? "all files get smaller"
        : "\(projection.smaller) of \(all) files \(projection.smaller == 1 ? "gets" : "get") smaller"
    }
    guard projection.smaller < all else { return "all \(all) measured files get smaller" }
    let words = [
      (0.05, "few"), (0.15, "about a tenth"), (0.29, "about a quarter"), (0.42, "about a third"),
      (0.58, "about half"), (0.71, "about two thirds"), (0.85, "about three quarters"),
    ]
    let word = words.first { share < $0.0 }?.1 ?? "most"
    return "\(word) of your files get smaller (\(projection.smaller) of \(all) measured)"
  }

  /// How one has to look at the files to see the loss, after `MetricTraits.observations`.
  private static func notice(at score: Double) -> String {
    switch score {
    case 90...: ""
    case 85...: "; only flickering shows a difference"
    case 80...: "; no visible difference side by side, perhaps one when flipping between the two"
    case 70...: "; some people see a difference side by side"
    default: "; many people see a difference"
    }
  }

  /// `HEIC at 90: −3 % (−8 to +1)` for each row.
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
  /// The settings that the figures belong to.
  var shown: CodecVariant { isQuick ? quick ?? variant : variant }

  /// The requested variant, whichever chroma the row has.
  var family: CodecVariant {
    guard hasRival, variant.isFullChroma else { return variant }
    return CodecVariant(codec: variant.codec, settings: variant.settings.filter { $0.key != "chroma" })
  }

  /// Files whose bytes are estimates.
  fileprivate var guessed: Int { setting == .outOfReach ? 0 : files.count(where: \.isQuick) }
}
