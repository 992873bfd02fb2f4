import Analysis
import Model

/// The sections that compare codecs at equal quality.
extension SummaryReport {
  /// Adds the result of a search, which replaces a sweep's figures at scores of its own.
  func addTarget(to document: inout MarkdownDocument) {
    guard let findings = analysis.target else { return }
    document.heading(2, MarkdownText.escaped("What the search for \(findings.target) found"))
    document.paragraph(
      """
      \(MarkdownText.escaped(TargetColumns.title(of: findings))). Every image’s own answer stands in \
      `targets.csv`. The points of a search stand close around its target: BD-rates and other scores are left to \
      a sweep.
      """)
    document.table(TargetColumns.all(analysis), TargetColumns.Row.rows(of: analysis))
  }

  func addSavings(to document: inout MarkdownDocument) {
    guard !analysis.matchedQualities.isEmpty else { return }
    document.heading(2, "Bytes at equal quality")
    document.paragraph(
      """
      Change in bytes against \(reference) at the same \(MarkdownText.escaped(scoreTitle)), as the geometric \
      mean over the images that both codecs bring to that score. Nothing is extrapolated: images are unscored \
      where they are too small for the metric, and out of range where no quality comes to that score.\(methods)
      """)
    document.table(MatchedQualityColumns.bytes(headline: analysis.headline), analysis.matchedQualities)
    if let note = wording.unequalRows { document.paragraph(MarkdownText.escaped(note)) }
    addChart(.savings, to: &document)
    addChart(.savingsStrip, to: &document)
    addChart(.rateQuality, to: &document)
    addTimes(to: &document)
  }

  /// The methods behind the intervals.
  private var methods: String {
    let methods = Set(analysis.matchedQualities.compactMap(\.bytes?.interval?.method))
    let names = ConfidenceInterval.Method.allCases.filter(methods.contains).map(\.title)
    return names.isEmpty ? "" : " Intervals: \(names.joined(separator: ", or "))."
  }

  private func addTimes(to document: inout MarkdownDocument) {
    let timed = analysis.matchedQualities.filter { $0.cpu[.encode] != nil || $0.cpu[.decode] != nil }
    guard !timed.isEmpty else { return }
    document.heading(2, "Time at equal quality")
    document.paragraph(
      """
      CPU time of all threads in milliseconds per megapixel at the same \(MarkdownText.escaped(scoreTitle)), \
      beside that of \(reference). CPU time holds when jobs run side by side; wall time does not.
      """)
    document.table(
      MatchedQualityColumns.time(headline: analysis.headline, reference: analysis.reference), timed)
    for note in wording.timeNotes { document.paragraph(MarkdownText.escaped(note)) }
  }

  func addSettings(to document: inout MarkdownDocument) {
    guard !analysis.settings.isEmpty else { return }
    document.heading(2, "Which quality to set")
    let isOne = analysis.isOfOneImage
    document.paragraph(
      MarkdownText.escaped(SettingColumns.explanation(analysis.headline, isOfOneImage: isOne)))
    document.table(SettingColumns.all(headline: analysis.headline, isOfOneImage: isOne), analysis.settings)
    for sentence in SettingColumns.notes(analysis) {
      document.paragraph(MarkdownText.escaped(sentence))
    }
  }

  func addFiles(to document: inout MarkdownDocument) {
    guard !analysis.fileComparisons.isEmpty else { return }
    document.heading(2, "Against the files themselves")
    document.paragraph(FileColumns.explanation)
    document.table(FileColumns.all(headline: analysis.headline), analysis.fileComparisons)
  }

  func addImports(to document: inout MarkdownDocument) {
    guard !analysis.importComparisons.isEmpty else { return }
    document.heading(2, "Files of other encoders")
    document.paragraph(ImportColumns.explanation)
    document.table(ImportColumns.all(headline: analysis.headline), analysis.importComparisons)
  }

  func addContrast(to document: inout MarkdownDocument) {
    guard !analysis.contrasts.isEmpty else { return }
    document.heading(2, "Why equal q is not equal quality")
    for contrast in analysis.contrasts {
      document.paragraph(MarkdownText.escaped(wording.explanation(contrast)))
    }
  }

  func addBDRates(to document: inout MarkdownDocument) {
    guard !analysis.bdRates.isEmpty else { return }
    document.heading(2, "BD-rate")
    document.paragraph(
      """
      Mean change in bytes against \(reference) over a range of scores (Bjøntegaard delta, PCHIP over ln \
      bytes): the arithmetic mean of the images’ percentages, where bytes at equal quality are a geometric mean. \
      The range decides the figure, so each carries its own.\(rgbRemark)
      """)
    document.table(
      BDRateColumns.all(metrics: analysis.metrics, headlineID: analysis.options.headlineMetric),
      analysis.bdRates)
  }

  private var rgbRemark: String {
    analysis.metrics.contains { $0.id == "psnr-rgb" }
      ? " PSNR-RGB measures the whole system, chroma upsampling of the decoder included." : ""
  }

  func addParetoFronts(to document: inout MarkdownDocument) {
    let rows = ParetoColumns.Row.rows(of: analysis.paretoFronts)
    guard !rows.isEmpty else { return }
    document.heading(2, "Bytes against encode time")
    document.paragraph(
      """
      At the same \(MarkdownText.escaped(scoreTitle)): a codec is worth considering if no other takes fewer \
      bytes and less CPU time to encode. Beside it, what a decode takes at that score, and the most memory that an \
      encode or decode of these images took at any quality.
      """)
    document.table(ParetoColumns.all(headline: analysis.headline), rows)
    addChart(.pareto, to: &document)
    for front in analysis.paretoFronts where !front.leftOut.isEmpty {
      let names = front.leftOut.map { MarkdownText.code($0.name) }.joined(separator: ", ")
      document.paragraph(
        "Left out at \(Numerals.short(front.target)), since too few of their images reach it: \(names).")
    }
  }

  private var reference: String { analysis.reference.map { MarkdownText.code($0.name) } ?? "the first codec" }

  private func addChart(_ kind: ChartKind, to document: inout MarkdownDocument) {
    guard let path = charts[kind] else { return }
    document.image(path, alternative: kind.title)
  }
}
