import Analysis
import Model
import Store

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
