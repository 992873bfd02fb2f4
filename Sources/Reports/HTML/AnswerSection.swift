import Analysis
import Model
import Store

/// The top of the page: the sentence, the figures behind it, and the warnings.
struct AnswerSection {
  let analysis: Analysis
  let digest: RunDigest
  let manifest: RunManifest?

  var title: String {
    let names = analysis.variants.map(\.name)
    guard names.count > 1, let first = names.first else { return names.first ?? "heicbench" }
    return "\(names.dropFirst().joined(separator: ", ")) against \(first)"
  }

  var verdicts: String {
    let sentences = wording.answers.map { answer in
      ([HTMLText.paragraph(answer.sentence, class: "answer")]
        + answer.details.map { HTMLText.paragraph($0, class: "context") }).joined(separator: "\n")
    }
    let imports = ImportWording(analysis).sentences.map { HTMLText.paragraph($0, class: "context") }
    let files = wording.files.map { HTMLText.paragraph($0, class: "context") }
    return (sentences + imports + [files].compactMap(\.self)).joined(separator: "\n")
  }

  var warnings: String {
    wording.warnings.map { HTMLText.paragraph($0, class: "warning") }.joined(separator: "\n")
  }

  /// A row of large figures: the change at each target, then the cost in time; a table for more than one codec.
  var figures: String {
    let compared = analysis.variants.dropFirst()
    if let gains = analysis.target?.gains, !gains.isEmpty { return self.gains(gains) }
    guard compared.count == 1, let variant = compared.first else {
      let rows = ComparisonColumns.rows(of: analysis)
      let caption = ComparisonColumns.caption(analysis)
      return rows.isEmpty ? "" : HTMLTable(ComparisonColumns.all(analysis)).table(rows, caption: caption)
    }
    let matched = analysis.matchedQualities.filter { $0.variant == variant }
    guard !matched.isEmpty else { return "" }
    let items = matched.map(figure) + [time(of: matched, variant: variant)].compactMap(\.self)
    return "<ul class=\"figures\">" + items.joined() + "</ul>"
  }

  /// The result of a search for a size: the gain in score of each codec.
  private func gains(_ gains: [TargetFindings.Gain]) -> String {
    let decimals = min(analysis.headline?.decimals ?? 2, 2)
    let items = gains.map { gain in
      let interval =
        gain.points.interval.map {
          ", 95 % from \(Numerals.signed($0.lower, decimals: decimals)) to "
            + Numerals.signed($0.upper, decimals: decimals)
        } ?? ""
      return item(
        Numerals.signed(gain.points.mean, decimals: decimals),
        note: "\(scoreTitle) of \(gain.variant.name) against \(gain.reference.name)\(interval), "
          + "\(gain.points.images) of \(gain.points.outOf) images",
        direction: gain.points.mean > 0 ? "less" : "more")
    }
    return "<ul class=\"figures\">" + items.joined() + "</ul>"
  }

  private func figure(_ matched: MatchedQuality) -> String {
    let score = "at \(scoreTitle) \(Numerals.short(matched.target))"
    guard let bytes = matched.bytes else {
      let reason = Wording.advice(matched) ?? Cell(problems: matched.problems).display
      return item("–", note: reason.isEmpty ? score : "\(score): \(reason)", direction: "")
    }
    let interval =
      bytes.interval.map {
        ", 95 % from \(Numerals.signed($0.lower, decimals: 0)) to \(Numerals.signed($0.upper, decimals: 0)) %"
      } ?? ""
    // A figure of few images is styled as weak.
    let isWeak = bytes.images * 2 < bytes.outOf || bytes.images < Bootstrap.minimumImages
    return item(
      "\(Numerals.signed(bytes.mean, decimals: 0)) %",
      note: "bytes \(score)\(interval), \(isWeak ? "only " : "")\(bytes.images) of \(bytes.outOf) images",
      direction: isWeak ? "weak" : bytes.mean < 0 ? "less" : "more")
  }

  /// The cost in time at the verdict's target.
  private func time(of matched: [MatchedQuality], variant: CodecVariant) -> String? {
    let target = analysis.verdicts.first { $0.variant == variant }?.target
    guard let encode = (matched.first { $0.target == target } ?? matched.first)?.cpu[.encode] else {
      return nil
    }
    let note =
      "encode CPU at equal quality: \(Self.brief(encode.millisecondsPerMegapixel)) against "
      + "\(Self.brief(encode.referenceMillisecondsPerMegapixel)) ms per megapixel"
    return item("× \(Numerals.ratio(encode.ratio))", note: note, direction: "")
  }

  /// One decimal below ten: JPEG takes 2 or 3 ms, and less than one on a fast machine.
  private static func brief(_ value: Double) -> String {
    Numerals.grouped(value, decimals: value < 9.95 ? 1 : 0)
  }

  private func item(_ figure: String, note: String, direction: String) -> String {
    "<li><b class=\"\(direction)\">\(HTMLText.escaped(figure))</b><span>\(HTMLText.escaped(note))</span></li>"
  }

  var context: String {
    let counts = analysis.counts
    var parts = [
      Numerals.counted(counts.images - counts.unusableImages, "image"),
      "\(Numerals.megapixels(counts.pixels)) megapixels",
      Numerals.counted(counts.measured, "point"),
      analysis.progress?.phrase,
    ].compactMap(\.self)
    if counts.failed > 0 { parts.append("\(Numerals.counted(counts.failed, "point")) failed") }
    if let manifest {
      parts.append("\(manifest.machine.processor), \(manifest.machine.cores) cores")
      parts.append(String(manifest.started.prefix(10)))
    }
    return parts.joined(separator: " · ")
  }

  /// The naive answer beside the right one; of many codecs, only for the one that the answer names.
  var contrast: String {
    let all = analysis.contrasts
    let shown = all.count > 2 ? all.filter { $0.variant == wording.leader?.variant } : all
    return shown.map { HTMLText.paragraph(wording.explanation($0), class: "contrast") }.joined(
      separator: "\n")
  }

  var stripIntroduction: String {
    let shown = analysis.imageDetails.count
    let all = analysis.counts.images - analysis.counts.unusableImages
    return "Averages hide images. Here they are one by one, best first"
      + (shown < all ? ", for the first \(Numerals.grouped(shown)) of \(Numerals.grouped(all))." : ".")
  }

  private var wording: Wording { Wording(analysis) }
  private var scoreTitle: String { wording.scoreTitle }
}
