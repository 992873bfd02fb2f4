import Analysis
import Model

extension SummaryReport {
  /// Adds the result of a search, which replaces a sweep's figures at scores of its own.
  func addTarget(to document: inout MarkdownDocument) {
    guard let findings = analysis.target else { return }
    add(
      tables.target, title: MarkdownText.escaped("What the search for \(findings.target) found"),
      """
      \(MarkdownText.escaped(TargetColumns.title(of: findings))). Every image’s own answer stands in \
      `targets.csv`. The points of a search stand close around its target: BD-rates and other scores are left to \
      a sweep.
      """, to: &document)
  }

  func addSavings(to document: inout MarkdownDocument) {
    guard let bytes = tables.bytes else { return }
    add(
      bytes,
      """
      Change in bytes against \(reference) at the same \(MarkdownText.escaped(scoreTitle)), as the geometric \
      mean over the images that both codecs bring to that score. Nothing is extrapolated: images are unscored \
      where they are too small for the metric, and out of range where no quality comes to that score.\(methods)
      """, notes: [bytes.note].compactMap(\.self), charts: [.savings, .savingsStrip, .rateQuality],
      to: &document)
    add(
      tables.times,
      """
      CPU time of all threads in milliseconds per megapixel at the same \(MarkdownText.escaped(scoreTitle)), \
      beside that of \(reference). CPU time holds when jobs run side by side; wall time does not.
      """, notes: wording.timeNotes, to: &document)
  }

  private var methods: String {
    let methods = Set(analysis.matchedQualities.compactMap(\.bytes?.interval?.method))
    let names = ConfidenceInterval.Method.allCases.filter(methods.contains).map(\.title)
    return names.isEmpty ? "" : " Intervals: \(names.joined(separator: ", or "))."
  }

  func addSettings(to document: inout MarkdownDocument) {
    let text = SettingColumns.explanation(analysis.headline, isOfOneImage: analysis.isOfOneImage)
    add(
      tables.settings, MarkdownText.escaped(text), notes: SettingColumns.notes(analysis), to: &document)
    add(tables.files, FileColumns.explanation, to: &document)
    add(tables.imports, ImportColumns.explanation, to: &document)
  }

  func addContrast(to document: inout MarkdownDocument) {
    guard !analysis.contrasts.isEmpty else { return }
    document.heading(2, "Why equal q is not equal quality")
    for contrast in analysis.contrasts {
      document.paragraph(MarkdownText.escaped(wording.explanation(contrast)))
    }
  }

  func addBDRates(to document: inout MarkdownDocument) {
    let rgb =
      analysis.metrics.contains { $0.id == "psnr-rgb" }
      ? " PSNR-RGB measures the whole system, chroma upsampling of the decoder included." : ""
    add(
      tables.bdRates,
      """
      Mean change in bytes against \(reference) over a range of scores (Bjøntegaard delta, PCHIP over ln \
      bytes): the arithmetic mean of the images’ percentages, where bytes at equal quality are a geometric mean. \
      The range decides the figure, so each carries its own.\(rgb)
      """, to: &document)
  }

  func addParetoFronts(to document: inout MarkdownDocument) {
    guard let pareto = tables.pareto else { return }
    add(
      pareto,
      """
      At the same \(MarkdownText.escaped(scoreTitle)): a codec is worth considering if no other takes fewer \
      bytes and less CPU time to encode. Beside it, what a decode takes at that score, and the most memory that an \
      encode or decode of these images took at any quality.
      """, charts: [.pareto], to: &document)
    for front in analysis.paretoFronts where !front.leftOut.isEmpty {
      let names = front.leftOut.map { MarkdownText.code($0.name) }.joined(separator: ", ")
      document.paragraph(
        "Left out at \(Numerals.short(front.target)), since too few of their images reach it: \(names).")
    }
  }

  private var reference: String { analysis.reference.map { MarkdownText.code($0.name) } ?? "the first codec" }
}
