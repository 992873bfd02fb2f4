import Analysis
import Model

/// `report.html`: the answer, plots, pictures and tables on one page, without a network; only pictures need a script.
struct HTMLReport {
  let report: RunReport
  let series: PageSeries
  let charts: [ChartKind: String]
  let images: [ReportImage]
  var sections: [String] = []
  var title: String?

  private var analysis: Analysis { report.analysis }

  func html() throws -> String {
    let (manifest, sweep, answers) = (report.manifest, SweepReport(report), Wording(analysis).answers)
    let usual = analysis.title(\.title) ?? "heicbench"
    var values = [
      "title": HTMLText.escaped(title ?? usual),
      "policy": HTMLTemplate.contentSecurityPolicy,
      "style": HTMLTemplate.style,
      "script": HTMLTemplate.script,
      "version": HTMLText.escaped(manifest?.version ?? ""),
      // The first answer is the page's heading.
      "headline": HTMLText.prose(answers.first?.sentence ?? usual),
      "figures": sweep.firstScreen,
      "summary": ([.answers(answers.dropFirst().map(\.sentence))] + sweep.summary).html(level: 2),
      "strip-intro": HTMLText.escaped(stripIntroduction),
      "tables": sweep.basis.html(level: 3),
      "run": manifest.map(Self.facts) ?? "<p>These rows come from a CSV file only.</p>",
      "features": sections.joined(separator: "\n"),
      "feature-links": report.features.map(Self.link).joined(separator: " "),
      "viewer": images.isEmpty ? Self.noPictures : HTMLTemplate.viewer,
      "data": try HTMLText.script(pageData()),
    ]
    for kind in ChartKind.allCases {
      values["chart:\(kind.rawValue)"] = picture(of: kind)
    }
    return try HTMLTemplate.filled(HTMLTemplate.page, with: values)
  }

  private var stripIntroduction: String {
    let (shown, all) = (analysis.imageDetails.count, analysis.usableImages)
    return "Averages hide differences between images. Here are the images one by one, best first"
      + (shown < all ? " (the first \(Numerals.grouped(shown)) of \(Numerals.grouped(all)))." : ".")
  }

  private static func link(to feature: FeatureReport) -> String {
    feature.inRun.map { "<a href=\"#\(feature.anchor)\">\(HTMLText.escaped($0.link))</a>" } ?? ""
  }

  private static func facts(of manifest: RunManifest) -> String {
    HTMLTable(RunFact.columns).table(RunFact.facts(of: manifest), caption: "How the figures were made")
  }

  private static let noPictures =
    "<p class=\"context\">This page has no pictures. To add them, run <code>heicbench report FOLDER --images 3</code>, "
    + "where FOLDER is the folder of this page.</p>"

  private func picture(of kind: ChartKind) -> String {
    charts[kind].map { HTMLText.image(svg: $0, title: kind.title) }
      ?? "<p class=\"context\">No figures for this chart.</p>"
  }

  /// The score that the page shows first: the verdict's, else the one with the most images.
  private static func shownTarget(_ analysis: Analysis) -> Double? {
    analysis.verdicts.first?.target
      ?? analysis.matchedQualities.filter { $0.bytes != nil }
      .max { ($0.bytes?.images ?? 0) < ($1.bytes?.images ?? 0) }?.target ?? analysis.options.targets.first
  }

  /// The variant that the heading names first.
  private var leader: CodecVariant? {
    (Wording(analysis).comparedTogether.first ?? analysis.verdicts.first)?.variant
  }

  private func pageData() -> PageData {
    PageData(
      headline: analysis.options.headlineMetric,
      verdictTarget: Self.shownTarget(analysis),
      targets: analysis.options.targets,
      metrics: analysis.metrics,
      variants: analysis.variants.map {
        let style = analysis.style(of: $0)
        return PageData.Variant(
          name: $0.title, colour: style.colour, dash: ChartStyle.dashes[style.dash],
          imported: analysis.importedVariants.contains($0) ? true : nil)
      }, verdictVariant: leader.flatMap(analysis.variants.firstIndex), mean: PageData.means(of: analysis),
      images: series.images(of: analysis, pictures: images))
  }
}
