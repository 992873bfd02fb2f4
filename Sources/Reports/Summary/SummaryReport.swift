import Analysis
import Model
import Store

/// `summary.md`: first the answer, then its basis, and only then the tables per quality.
struct SummaryReport {
  private let report: RunReport
  /// The charts stored beside it; nil for none, those of features included.
  private let charts: Set<ChartKind>?
  private var document = MarkdownDocument()

  init(_ report: RunReport, charts: Set<ChartKind>? = nil) { (self.report, self.charts) = (report, charts) }

  var markdown: String {
    var summary = self
    summary.addAnswer()
    summary.addComparison()
    summary.addContrastAndRates()
    summary.addSanity()
    summary.addQualities()
    summary.addFeatures()
    summary.addProblems()
    summary.addRun()
    return summary.document.text
  }

  private var analysis: Analysis { report.analysis }
  private var digest: RunDigest { report.digest }
  private var wording: Wording { Wording(analysis) }
  private var tables: RunTables { RunTables(report: report) }
  private var scoreTitle: String { MarkdownText.escaped(wording.scoreTitle) }

  private var reference: String {
    analysis.reference.map { MarkdownText.code($0.name) } ?? "the first codec"
  }

  /// Adds a section with a table, if there is one. Title and introduction are Markdown already.
  private mutating func add(
    _ table: ReportTable?, title: String? = nil, _ introduction: String? = nil, notes: [String] = [],
    charts kinds: [ChartKind] = []
  ) {
    guard let table else { return }
    document.heading(2, title ?? table.caption)
    if let introduction { document.paragraph(introduction) }
    table.add(to: &document)
    for note in notes { document.paragraph(MarkdownText.escaped(note)) }
    for kind in kinds where charts?.contains(kind) == true {
      document.image(kind.fileName, alternative: kind.title)
    }
  }

  private mutating func addAnswer() {
    document.heading(1, report.manifest?.title.map(MarkdownText.escaped) ?? "heicbench: \(title)")
    let answers = wording.answers
    let sentences = answers.map { "**\(MarkdownText.escaped($0.sentence))**" }
    if sentences.count == 1 {
      document.paragraph(sentences[0])
    } else {
      document.list(sentences)
    }
    document.list(answers.flatMap(\.details).map(MarkdownText.escaped))
    if analysis.variants.count > 2, analysis.target == nil {
      document.paragraph(MarkdownText.escaped(ComparisonColumns.caption(analysis)) + ":")
      document.table(ComparisonColumns.all(analysis), ComparisonColumns.rows(of: analysis))
    }
    document.list(ImportWording(analysis).sentences.map(MarkdownText.escaped))
    if let sentence = wording.files { document.paragraph(MarkdownText.escaped(sentence)) }
    if let sentence = wording.sample { document.paragraph(MarkdownText.escaped(sentence)) }
    document.paragraph(corpusLine)
    if !wording.warnings.isEmpty {
      document.notice("Read with care", wording.warnings.map(MarkdownText.escaped))
    }
  }

  private var title: String { analysis.title { MarkdownText.code($0.name) } ?? "results" }

  private var corpusLine: String {
    let counts = analysis.counts
    var parts = [
      "\(Numerals.counted(analysis.usableImages, "image")), \(Numerals.megapixels(counts.pixels)) megapixels"
        + (digest.kinds.isEmpty ? "" : " (\(MarkdownText.escaped(digest.kinds)))"),
      "\(Numerals.counted(counts.measured, "point")) measured",
    ]
    if let unfinished = analysis.progress?.phrase { parts.append(unfinished) }
    for (count, noun, lack) in [
      (counts.failed, "point", "failed"), (counts.unsupported, "point", "unsupported"),
      (digest.unusable.count, "image", "unusable"),
    ] where count > 0 {
      parts.append("[\(Numerals.counted(count, noun)) \(lack)](#\(lack)-\(noun)s)")
    }
    return parts.joined(separator: " · ") + "."
  }
}

// The comparison.
extension SummaryReport {
  private mutating func addComparison() {
    if let found = analysis.target {
      // The result of a search replaces a sweep's figures at scores of its own.
      add(
        tables.target, title: MarkdownText.escaped("What the search for \(found.target) found"),
        """
        \(MarkdownText.escaped(TargetColumns.title(of: found))). Every image’s own answer stands in \
        `targets.csv`. The points of a search stand close around its target: BD-rates and other scores are left to \
        a sweep.
        """)
    }
    if let bytes = tables.bytes {
      add(
        bytes,
        """
        Change in bytes against \(reference) at the same \(scoreTitle), as the geometric \
        mean over the images that both codecs bring to that score. Nothing is extrapolated: images are unscored \
        where they are too small for the metric, and out of range where no quality comes to that score.\(methods)
        """, notes: [bytes.note].compactMap(\.self), charts: [.savings, .savingsStrip, .rateQuality])
      add(
        tables.times,
        """
        CPU time of all threads in milliseconds per megapixel at the same \(scoreTitle), \
        beside that of \(reference). CPU time holds when jobs run side by side; wall time does not.
        """, notes: wording.timeNotes)
      add(
        tables.timesByProcessor,
        """
        CPU time in milliseconds per megapixel at the same \(scoreTitle), each processor over the images that it has \
        timed. Compare ratios between processors, not times: the mean ratio is the geometric mean over the images.
        """, notes: wording.timeNotes)
    }
    let settings = SettingColumns.explanation(analysis.headline, isOfOneImage: analysis.isOfOneImage)
    add(tables.settings, MarkdownText.escaped(settings), notes: SettingColumns.notes(analysis))
    add(tables.files, FileColumns.explanation)
    add(tables.imports, ImportColumns.explanation)
  }

  private var methods: String {
    let methods = Set(analysis.matchedQualities.compactMap(\.bytes?.interval?.method))
    let names = ConfidenceInterval.Method.allCases.filter(methods.contains).map(\.title)
    return names.isEmpty ? "" : " Intervals: \(names.joined(separator: ", or "))."
  }

  private mutating func addContrastAndRates() {
    if !analysis.contrasts.isEmpty { document.heading(2, "Why equal q is not equal quality") }
    for contrast in analysis.contrasts {
      document.paragraph(MarkdownText.escaped(wording.explanation(contrast)))
    }
    let rgb =
      analysis.metrics.contains { $0.id == "psnr-rgb" }
      ? " PSNR-RGB measures the whole system, chroma upsampling of the decoder included." : ""
    add(
      tables.bdRates,
      """
      Mean change in bytes against \(reference) over a range of scores (Bjøntegaard delta, PCHIP over ln \
      bytes): the arithmetic mean of the images’ percentages, where bytes at equal quality are a geometric mean. \
      The range decides the figure, so each carries its own.\(rgb)
      """)
    guard let pareto = tables.pareto else { return }
    add(
      pareto,
      """
      At the same \(scoreTitle): a codec is worth considering if no other takes fewer \
      bytes and less CPU time to encode. Beside it, what a decode takes at that score, and the most memory that an \
      encode or decode of these images took at any quality.
      """, charts: [.pareto])
    for front in analysis.paretoFronts where !front.leftOut.isEmpty {
      let names = front.leftOut.map { MarkdownText.code($0.name) }.joined(separator: ", ")
      document.paragraph(
        "Left out at \(Numerals.short(front.target)), since too few of their images have a curve that reaches it: \(names)."
      )
    }
  }
}

// The basis of the comparison.
extension SummaryReport {
  private mutating func addSanity() {
    guard analysis.counts.measured > 0 else { return }
    document.heading(2, "Checks of the sweep itself")
    guard !analysis.sanity.isClean else {
      // Repeats are mentioned only if there were any.
      let isRepeated = report.manifest.map { $0.repeats > 1 } ?? false
      return document.paragraph(
        isRepeated
          ? "Quality has an effect, sizes and scores rise with it, and repeats give the same bytes."
          : "Quality has an effect, and sizes and scores rise with it.")
    }
    document.list(
      SanityReport.Kind.allCases.compactMap { kind in
        analysis.sanity.counts[kind].map { "\(kind.title): \(Numerals.counted($0, "time"))" }
      })
    tables.sanity?.add(to: &document)
  }

  private mutating func addQualities() {
    add(
      tables.qualities,
      """
      Totals over the images measured at each quality; failed points are in no sum. “Size against” compares \
      equal quality *numbers*, which do not look alike. Times are CPU time of all threads\
      \(analysis.timesAreContended ? "; wall time, taken with jobs side by side, is left out" : "").
      """)
    add(tables.qualitiesByProcessor)
    add(tables.bases, MarkdownText.escaped(BaseColumns.explanation))
  }

  private mutating func addFeatures() {
    for feature in report.features {
      document.heading(2, feature.inRun?.heading ?? feature.title)
      document.add(feature, level: 3, showsCharts: charts != nil)
      if let ending = feature.inRun?.ending { document.paragraph(ending) }
    }
  }

  private mutating func addProblems() {
    add(tables.failures)
    addRest(of: digest.failures, "point")
    if digest.failures.count > 0 {
      document.paragraph("`heicbench failures` lists them all, with a command that reproduces each.")
    }
    add(tables.unsupported)
    add(tables.unusable)
    addRest(of: digest.unusable, "image")
  }

  private mutating func addRest(of listing: RunDigest.Listing, _ noun: String) {
    let rest = listing.count - listing.first.count
    if rest > 0 { document.paragraph("… and \(Numerals.counted(rest, "more \(noun)")).") }
  }

  private mutating func addRun() {
    guard let manifest = report.manifest else { return }
    document.heading(2, "This run")
    document.table(RunFact.columns, RunFact.facts(of: manifest))
    document.paragraph(
      "Made by heicbench \(MarkdownText.escaped(manifest.version)). Every point stands in `measurements.csv`."
    )
  }
}
