import Analysis
import Model
import Store

struct AnswerSection {
  let analysis: Analysis
  let manifest: RunManifest?

  var title: String { analysis.title(\.title) ?? "heicbench" }

  private var wording: Wording { Wording(analysis) }
  private var scoreTitle: String { wording.scoreTitle }

  private func paragraphs(_ texts: [String], _ name: String = "context") -> [String] {
    texts.map { HTMLText.paragraph($0, class: name) }
  }

  private var answers: [Answer] { wording.answers }

  /// The first answer is the page's heading.
  var headline: String { HTMLText.prose(answers.first?.sentence ?? title) }

  var verdicts: String {
    let further = paragraphs(answers.dropFirst().map(\.sentence), "answer")
    return (further + paragraphs([wording.scale].compactMap(\.self), "scale")).joined(separator: "\n")
  }

  var details: String {
    let rest = ImportWording(analysis).sentences + [wording.files, wording.sample].compactMap(\.self)
    return paragraphs(answers.flatMap(\.details) + rest).joined(separator: "\n")
  }

  var warnings: String { paragraphs(wording.warnings, "warning").joined(separator: "\n") }

  /// A row of large figures: the change at each target but the heading's, then the cost in time; a table for more than
  /// one codec.
  var figures: String {
    let compared = analysis.variants.dropFirst()
    if let gains = analysis.target?.gains, !gains.isEmpty { return list(gains.map(gain)) }
    guard compared.count == 1, let variant = compared.first else {
      let rows = ComparisonColumns.rows(of: analysis)
      let caption = ComparisonColumns.caption(analysis)
      return rows.isEmpty ? "" : HTMLTable(ComparisonColumns.all(analysis)).table(rows, caption: caption)
    }
    let matched = analysis.matchedQualities.filter { $0.variant == variant }
    guard !matched.isEmpty else { return "" }
    let said = analysis.verdicts.first { $0.bytes != nil }?.target
    return list(
      matched.filter { $0.target != said }.map(figure)
        + [time(of: matched, variant: variant)].compactMap(\.self))
  }

  private func list(_ items: [String]) -> String { "<ul class=\"figures\">" + items.joined() + "</ul>" }

  private func item(_ figure: String, note: String, direction: String) -> String {
    "<li><b class=\"\(direction)\">\(HTMLText.prose(figure))</b><span>\(HTMLText.prose(note))</span></li>"
  }

  private func gain(_ gain: TargetFindings.Gain) -> String {
    let decimals = min(analysis.headline?.decimals ?? 2, 2)
    return item(
      Numerals.signed(gain.points.mean, decimals: decimals),
      note: "\(scoreTitle) of \(gain.variant.name) against \(gain.reference.name)"
        + interval(gain.points, decimals) + ", \(gain.points.images) of \(gain.points.outOf) images",
      direction: gain.points.mean > 0 ? "less" : "more")
  }

  private func figure(_ matched: MatchedQuality) -> String {
    let score = "at \(scoreTitle) \(Numerals.short(matched.target))"
    guard let bytes = matched.bytes else {
      let reason = Wording.advice(matched) ?? Cell(problems: matched.problems).display
      return item("–", note: reason.isEmpty ? score : "\(score): \(reason)", direction: "")
    }
    // A figure of few images is styled as weak.
    let isWeak = bytes.images * 2 < bytes.outOf || bytes.images < Bootstrap.minimumImages
    return item(
      "\(Numerals.signed(bytes.mean, decimals: 0)) %",
      note: "bytes \(score)\(interval(bytes, 0, " %")), "
        + "\(isWeak && bytes.images < bytes.outOf ? "only " : "")\(bytes.images) of \(bytes.outOf) images",
      direction: isWeak ? "weak" : bytes.mean < 0 ? "less" : "more")
  }

  private func interval(_ figure: CorpusFigure, _ decimals: Int, _ unit: String = "") -> String {
    figure.interval.map { ", 95 % from \($0.ends(decimals: decimals))\(unit)" } ?? ""
  }

  private func time(of matched: [MatchedQuality], variant: CodecVariant) -> String? {
    let target = analysis.verdicts.first { $0.variant == variant }?.target
    return (matched.first { $0.target == target } ?? matched.first)?.cpu[.encode].map { encode in
      let note =
        "encode CPU at equal quality: \(Self.brief(encode.millisecondsPerMegapixel)) against "
        + "\(Self.brief(encode.referenceMillisecondsPerMegapixel)) ms per megapixel"
      return item("× \(Numerals.ratio(encode.ratio))", note: note, direction: "")
    }
  }

  /// One decimal below ten: JPEG takes 2 or 3 ms, and less than one on a fast machine.
  private static func brief(_ value: Double) -> String {
    Numerals.grouped(value, decimals: value < 9.95 ? 1 : 0)
  }

  var context: String {
    let counts = analysis.counts
    var parts = [
      Numerals.counted(analysis.usableImages, "image"), "\(Numerals.megapixels(counts.pixels)) megapixels",
      Numerals.counted(counts.measured, "point"), analysis.progress?.phrase,
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
    let shown = all.count > 2 ? all.filter { $0.variant == wording.comparedTogether.first?.variant } : all
    return paragraphs(shown.map(wording.explanation), "contrast").joined(separator: "\n")
  }

  var stripIntroduction: String {
    let (shown, all) = (analysis.imageDetails.count, analysis.usableImages)
    return "Averages hide images. Here they are one by one, best first"
      + (shown < all ? ", for the first \(Numerals.grouped(shown)) of \(Numerals.grouped(all))." : ".")
  }
}

extension Analysis {
  func title(_ spell: (CodecVariant) -> String) -> String? {
    let names = variants.map(spell)
    guard names.count > 1 else { return names.first }
    return "\(names.dropFirst().joined(separator: ", ")) against \(names[0])"
  }
}
