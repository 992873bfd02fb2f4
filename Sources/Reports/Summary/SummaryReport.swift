import Analysis
import Model
import Store

/// `summary.md`: first the answer, then its basis, and only then the tables per quality.
struct SummaryReport {
  /// The run; nil for rows from a CSV file alone.
  var manifest: RunManifest?
  var analysis: Analysis
  var digest: RunDigest
  /// File names of the charts beside the summary; kinds that are absent are not shown.
  var charts: [ChartKind: String] = [:]
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
    for kind in kinds {
      if let path = charts[kind] { document.image(path, alternative: kind.title) }
    }
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
