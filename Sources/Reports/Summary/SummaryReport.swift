import Analysis
import Model
import Store

/// `summary.md`: first the answer, then its basis, and only then the tables per quality.
struct SummaryReport {
  /// The run; nil for rows from a CSV file alone.
  var manifest: RunManifest?
  var analysis: Analysis
  var digest: RunDigest
  /// The charts beside the summary.
  var charts: Set<ChartKind> = []
  /// The reports on what else was measured in the folder.
  var features: [FeatureReport] = []
  var showsFeatureCharts = true

  var markdown: String {
    var document = MarkdownDocument()
    addAnswer(to: &document)
    addTarget(to: &document)
    addSavings(to: &document)
    addSettings(to: &document)
    addContrast(to: &document)
    addBDRates(to: &document)
    addParetoFronts(to: &document)
    addSanity(to: &document)
    addQualities(to: &document)
    addFeatures(to: &document)
    addProblems(to: &document)
    addRun(to: &document)
    return document.text
  }

  var scoreTitle: String { wording.scoreTitle }
  var wording: Wording { Wording(analysis) }
  var tables: RunTables { RunTables(analysis: analysis, digest: digest) }

  /// Adds a section with a table, if there is one. Title and introduction are Markdown already.
  func add(
    _ table: ReportTable?, title: String? = nil, _ introduction: String? = nil, notes: [String] = [],
    charts kinds: [ChartKind] = [], to document: inout MarkdownDocument
  ) {
    guard let table else { return }
    document.heading(2, title ?? table.caption)
    if let introduction { document.paragraph(introduction) }
    table.add(to: &document)
    for note in notes { document.paragraph(MarkdownText.escaped(note)) }
    for kind in kinds where charts.contains(kind) { document.image(kind.fileName, alternative: kind.title) }
  }

  private func addAnswer(to document: inout MarkdownDocument) {
    document.heading(1, manifest?.title.map(MarkdownText.escaped) ?? "heicbench: \(title)")
    let answers = wording.answers
    if answers.count == 1, let answer = answers.first {
      document.paragraph("**\(MarkdownText.escaped(answer.sentence))**")
    } else {
      document.list(answers.map { "**\(MarkdownText.escaped($0.sentence))**" })
    }
    let details = answers.flatMap(\.details)
    if !details.isEmpty { document.list(details.map(MarkdownText.escaped)) }
    if analysis.variants.count > 2, analysis.target == nil {
      document.paragraph(MarkdownText.escaped(ComparisonColumns.caption(analysis)) + ":")
      document.table(ComparisonColumns.all(analysis), ComparisonColumns.rows(of: analysis))
    }
    let imports = ImportWording(analysis).sentences
    if !imports.isEmpty { document.list(imports.map(MarkdownText.escaped)) }
    if let sentence = wording.files { document.paragraph(MarkdownText.escaped(sentence)) }
    document.paragraph(corpusLine)
    if !wording.warnings.isEmpty {
      document.notice("Read with care", wording.warnings.map(MarkdownText.escaped))
    }
  }

  private var title: String {
    let names = analysis.variants.map { MarkdownText.code($0.name) }
    guard names.count > 1, let first = names.first else { return names.first ?? "results" }
    return "\(names.dropFirst().joined(separator: ", ")) against \(first)"
  }

  private var corpusLine: String {
    let counts = analysis.counts
    let usable = counts.images - counts.unusableImages
    let megapixels = Numerals.megapixels(counts.pixels)
    var parts = [
      "\(Numerals.counted(usable, "image")), \(megapixels) megapixels"
        + (digest.kinds.isEmpty ? "" : " (\(MarkdownText.escaped(digest.kinds)))"),
      "\(Numerals.counted(counts.measured, "point")) measured",
    ]
    if let unfinished = analysis.progress?.phrase { parts.append(unfinished) }
    if counts.failed > 0 {
      parts.append("[\(Numerals.counted(counts.failed, "point")) failed](#failed-points)")
    }
    if counts.unsupported > 0 {
      parts.append("[\(Numerals.counted(counts.unsupported, "point")) unsupported](#unsupported-points)")
    }
    if digest.unusable.count > 0 {
      parts.append("[\(Numerals.counted(digest.unusable.count, "image")) unusable](#unusable-images)")
    }
    return parts.joined(separator: " · ") + "."
  }
}

// The basis of the comparison.
extension SummaryReport {
  func addSanity(to document: inout MarkdownDocument) {
    guard analysis.counts.measured > 0 else { return }
    document.heading(2, "Checks of the sweep itself")
    guard !analysis.sanity.isClean else {
      // Repeats are mentioned only if there were any.
      let isRepeated = manifest.map { $0.repeats > 1 } ?? false
      document.paragraph(
        isRepeated
          ? "Quality has an effect, sizes and scores rise with it, and repeats give the same bytes."
          : "Quality has an effect, and sizes and scores rise with it.")
      return
    }
    document.list(
      SanityReport.Kind.allCases.compactMap { kind in
        analysis.sanity.counts[kind].map { "\(kind.title): \(Numerals.counted($0, "time"))" }
      })
    tables.sanity?.add(to: &document)
  }

  func addQualities(to document: inout MarkdownDocument) {
    add(
      tables.qualities,
      """
      Totals over the images measured at each quality; failed points are in no sum. “Size against” compares \
      equal quality *numbers*, which do not look alike. Times are CPU time of all threads\
      \(analysis.timesAreContended ? "; wall time, taken with jobs side by side, is left out" : "").
      """, to: &document)
  }

  func addFeatures(to document: inout MarkdownDocument) {
    for feature in features {
      document.heading(2, feature.inRun?.heading ?? feature.title)
      document.add(feature.blocks, level: 3, showsCharts: showsFeatureCharts)
      if let ending = feature.inRun?.ending { document.paragraph(ending) }
    }
  }

  func addProblems(to document: inout MarkdownDocument) {
    add(tables.failures, to: &document)
    addRest(of: digest.failures, "point", to: &document)
    if digest.failures.count > 0 {
      document.paragraph("`heicbench failures` lists them all, with a command that reproduces each.")
    }
    add(tables.unsupported, to: &document)
    add(tables.unusable, to: &document)
    addRest(of: digest.unusable, "image", to: &document)
  }

  func addRun(to document: inout MarkdownDocument) {
    guard let manifest else { return }
    document.heading(2, "This run")
    document.table(RunFact.columns, RunFact.facts(of: manifest))
    document.paragraph(
      "Made by heicbench \(MarkdownText.escaped(manifest.version)). Every point stands in `measurements.csv`."
    )
  }

  private func addRest(
    of listing: RunDigest.Listing, _ noun: String, to document: inout MarkdownDocument
  ) {
    let rest = listing.count - listing.first.count
    if rest > 0 { document.paragraph("… and \(Numerals.counted(rest, "more \(noun)")).") }
  }
}
