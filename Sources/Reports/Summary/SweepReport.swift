import Analysis
import Model
package import Store

/// The report of a sweep: first the answer, then its basis, and only then the tables for each quality. The same blocks
/// make `summary.md` and the page; a terminal shows a few of the tables in brief.
package struct SweepReport {
  let report: RunReport
  /// The charts stored beside it; nil for no charts at all, not even those of features.
  private let charts: [ChartKind: String]?

  package init(_ report: RunReport) { self.init(report, charts: nil) }

  init(_ report: RunReport, charts: [ChartKind: String]?) { (self.report, self.charts) = (report, charts) }

  private var analysis: Analysis { report.analysis }
  private var digest: RunDigest { report.digest }
  private var wording: Wording { Wording(analysis) }
  private var tables: RunTables { RunTables(report: report) }
  private var scoreTitle: String { MarkdownText.escaped(wording.scoreTitle) }

  private var reference: String {
    analysis.reference.map { MarkdownText.code($0.name) } ?? "the first codec"
  }

  var markdown: String {
    var document = MarkdownDocument()
    document.heading(
      1,
      report.manifest?.title.map(MarkdownText.escaped)
        ?? "heicbench: \(analysis.title { MarkdownText.code($0.name) } ?? "results")")
    document.add(
      [.answers(wording.answers.map(\.sentence))] + summary + basis, level: 2, showsCharts: charts != nil)
    return document.text
  }

  /// The part after the answers: their data and limits.
  var summary: [ReportBlock] {
    var blocks: [ReportBlock] = [
      .onPage([wording.scale.map { .aside($0, .scale) }].compactMap(\.self))
    ]
    blocks.append(.list(wording.answers.flatMap(\.details)))
    if analysis.variants.count > 2, analysis.target == nil {
      blocks.append(.inMarkdown([.paragraph(comparison.caption + ":"), .table(comparison)]))
    }
    blocks.append(.list(ImportWording(analysis).sentences))
    blocks += [wording.files, wording.sample].compactMap { $0.map { .paragraph($0) } }
    return blocks + [
      .inMarkdown([.markdown(corpusLine)]), .onPage([.paragraph(context)] + shownContrasts),
      .notes(wording.warnings),
    ]
  }

  /// The sections of the summary, which are also the tables of the page.
  var basis: [ReportBlock] {
    found + comparisons + contrasts + rates + sanity + qualities + report.features.map { .feature($0) }
      + problems
      + run
  }

  private var corpusLine: String {
    let counts = analysis.counts
    var parts = [
      "\(Numerals.counted(analysis.usableImages, "image")), \(Numerals.megapixels(counts.pixels)) megapixels"
        + (digest.kinds.isEmpty ? "" : " (\(MarkdownText.escaped(digest.kinds)))"),
      "\(Numerals.counted(counts.measured, "encode")) measured",
    ]
    if let unfinished = analysis.progress?.phrase { parts.append(unfinished) }
    for (count, noun, lack) in [
      (counts.failed, "encode", "failed"), (counts.unsupported, "encode", "unsupported"),
      (digest.unusable.count, "image", "unusable"),
    ] where count > 0 {
      parts.append("[\(Numerals.counted(count, noun)) \(lack)](#\(lack)-\(noun)s)")
    }
    return parts.joined(separator: " · ") + "."
  }

  private var context: String {
    let counts = analysis.counts
    var parts = [
      Numerals.counted(analysis.usableImages, "image"), "\(Numerals.megapixels(counts.pixels)) megapixels",
      Numerals.counted(counts.measured, "encode"), analysis.progress?.phrase,
    ].compactMap(\.self)
    if counts.failed > 0 { parts.append("\(Numerals.counted(counts.failed, "encode")) failed") }
    if let manifest = report.manifest {
      parts.append("\(manifest.machine.processor), \(manifest.machine.cores) cores")
      parts.append(String(manifest.started.prefix(10)))
    }
    return parts.joined(separator: " · ")
  }

  /// The naive answer beside the right one; with many codecs, only for the one that the answer names.
  private var shownContrasts: [ReportBlock] {
    let all = analysis.contrasts
    let shown = all.count > 2 ? all.filter { $0.variant == wording.comparedTogether.first?.variant } : all
    return shown.map { .aside(wording.explanation($0), .contrast) }
  }
}

// The page's large figures.
extension SweepReport {
  /// The text beside the page's chart: the setting for the answer's score, and figures.
  var firstScreen: String { [setting, [figures].compactMap(\.self).html(level: 2)].joined(separator: "\n") }

  /// The command with which nine in ten images reach the answer's score.
  private var setting: String {
    guard let verdict = wording.comparedTogether.first ?? analysis.verdicts.first,
      let target = verdict.target, let headline = analysis.headline,
      let found = analysis.settings.first(where: { $0.variant == verdict.variant && $0.target == target }),
      let quality = found.quality,
      let command = SettingColumns.command(verdict.variant, quality: quality)
    else { return "" }
    let all = found.images == found.outOf ? "all images" : "\(found.images) of \(found.outOf) images"
    let images = quality == found.highest && found.unreached == 0 ? all : "9 in 10 images"
    let score = "\(headline.phrase(target)) or \(headline.higherIsBetter ? "more" : "less")"
    return "<p class=\"set\">Set <code>\(HTMLText.escaped(command))</code> for "
      + "\(HTMLText.escaped(score)) in \(images).</p>"
  }

  private var comparison: ReportTable {
    ReportTable(
      ComparisonColumns.caption(analysis), ComparisonColumns.all(analysis),
      ComparisonColumns.rows(of: analysis))
  }

  /// The change at each target except the heading's, then the cost in time; a table for more than one codec.
  private var figures: ReportBlock? {
    let compared = analysis.variants.dropFirst()
    if let gains = analysis.target?.gains, !gains.isEmpty { return .figures(gains.map(gain)) }
    guard compared.count == 1, let variant = compared.first else {
      return ComparisonColumns.rows(of: analysis).isEmpty ? nil : .table(comparison)
    }
    let matched = analysis.matchedQualities.filter { $0.variant == variant }
    guard !matched.isEmpty else { return nil }
    let said = analysis.verdicts.first { $0.bytes != nil }?.target
    return .figures(
      matched.filter { $0.target != said }.map(figure)
        + [time(of: matched, variant: variant)].compactMap(\.self))
  }

  private func gain(_ gain: TargetFindings.Gain) -> ReportFigure {
    let decimals = analysis.headline?.decimals ?? 2
    return ReportFigure(
      Numerals.signed(gain.points.mean, decimals: decimals),
      note: "\(wording.scoreTitle) of \(gain.variant.name) against \(gain.reference.name)"
        + interval(gain.points, decimals) + ", \(gain.points.images) of \(gain.points.outOf) images",
      gain.points.mean > 0 ? .less : .more)
  }

  private func figure(_ matched: MatchedQuality) -> ReportFigure {
    let score = "at \(wording.scoreTitle) \(Numerals.short(matched.target))"
    guard let bytes = matched.bytes else {
      let advice = Wording.advice(matched, of: analysis.headline)
      let reason = advice ?? Cell(problems: matched.problems).display
      return ReportFigure("–", note: reason.isEmpty ? score : "\(score): \(reason)", .plain)
    }
    // A figure from few images is styled as weak.
    let isWeak = bytes.images * 2 < bytes.outOf || bytes.images < Bootstrap.minimumImages
    return ReportFigure(
      "\(Numerals.signed(bytes.mean, decimals: 0)) %",
      note: "bytes \(score)\(interval(bytes, 0, " %")), "
        + "\(isWeak && bytes.images < bytes.outOf ? "only " : "")\(bytes.images) of \(bytes.outOf) images",
      isWeak ? .weak : bytes.mean < 0 ? .less : .more)
  }

  private func interval(_ figure: CorpusFigure, _ decimals: Int, _ unit: String = "") -> String {
    figure.interval.map { ", 95 % from \($0.ends(decimals: decimals))\(unit)" } ?? ""
  }

  private func time(of matched: [MatchedQuality], variant: CodecVariant) -> ReportFigure? {
    let target = analysis.verdicts.first { $0.variant == variant }?.target
    return (matched.first { $0.target == target } ?? matched.first)?.cpu[.encode].map { encode in
      ReportFigure(
        "× \(Numerals.ratio(encode.ratio))",
        note: "encode CPU at equal quality: \(Self.brief(encode.millisecondsPerMegapixel)) against "
          + "\(Self.brief(encode.referenceMillisecondsPerMegapixel)) ms per megapixel", .plain)
    }
  }

  /// One decimal below ten: JPEG takes 2 or 3 ms, and less than one on a fast machine.
  private static func brief(_ value: Double) -> String {
    Numerals.grouped(value, decimals: value < 9.95 ? 1 : 0)
  }
}

// The comparison.
extension SweepReport {
  /// A section with a table, if there is one. Title and introduction are already Markdown and do not appear on the
  /// page.
  private func section(
    _ table: ReportTable?, title: String? = nil, _ introduction: String? = nil, charts kinds: [ChartKind] = []
  ) -> [ReportBlock] {
    guard let table else { return [] }
    let charts = kinds.compactMap { ReportChart($0.rawValue, title: $0.title, svg: self.charts?[$0]) }
    return [
      .inMarkdown(
        [.heading(title ?? table.caption)] + [introduction].compactMap { $0.map { .markdown($0) } }),
      .table(table), .inMarkdown([.charts(charts)]),
    ]
  }

  private var found: [ReportBlock] {
    guard let found = analysis.target else { return [] }
    // A search has its own results instead of a sweep's figures at several scores.
    return section(
      tables.target, title: MarkdownText.escaped("What the search for \(found.target) found"),
      """
      \(MarkdownText.escaped(TargetColumns.title(of: found))). `targets.csv` gives the answer for every \
      image. A search measures only near its target, so it gives neither BD-rates nor figures at other scores.
      """)
  }

  private var comparisons: [ReportBlock] {
    var blocks = section(
      tables.bytes,
      """
      Change in bytes against \(reference) at the same \(scoreTitle), as the geometric \
      mean over the images that reach that score with both codecs. Nothing is extrapolated: images are unscored \
      if they are too small for the metric, and out of range if no quality reaches that score.\(methods)
      """, charts: [.savings, .savingsStrip, .rateQuality])
    if tables.bytes != nil {
      blocks += section(
        tables.times,
        """
        CPU time of all threads in milliseconds per megapixel at the same \(scoreTitle), \
        for each codec and for \(reference). CPU time stays valid when jobs run in parallel; wall time does not.
        """)
      blocks += section(
        tables.timesByProcessor,
        """
        CPU time in milliseconds per megapixel at the same \(scoreTitle), for each processor over the images that \
        it timed. Compare ratios between processors, not times: the mean ratio is the geometric mean over the images.
        """)
    }
    blocks += section(tables.pairs)
    let settings = SettingColumns.explanation(analysis.headline, isOfOneImage: analysis.isOfOneImage)
    return blocks + section(tables.settings, MarkdownText.escaped(settings))
      + section(tables.files, FileColumns.explanation) + section(tables.imports, ImportColumns.explanation)
  }

  private var methods: String {
    let methods = Set(analysis.matchedQualities.compactMap(\.bytes?.interval?.method))
    let names = ConfidenceInterval.Method.allCases.filter(methods.contains).map(\.title)
    return names.isEmpty ? "" : " Intervals: \(names.joined(separator: ", or "))."
  }

  private var contrasts: [ReportBlock] {
    guard !analysis.contrasts.isEmpty else { return [] }
    return [
      .inMarkdown(
        [.heading("Why equal q is not equal quality")]
          + analysis.contrasts.map { .paragraph(wording.explanation($0)) })
    ]
  }

  private var rates: [ReportBlock] {
    let rgb =
      analysis.metrics.contains { $0.id == "psnr-rgb" }
      ? " PSNR-RGB measures the whole system, including the decoder's chroma upsampling." : ""
    let rates = section(
      tables.bdRates,
      """
      Mean change in bytes against \(reference) over a range of scores (Bjøntegaard delta, PCHIP over ln \
      bytes): the arithmetic mean of the images’ percentages, where bytes at equal quality are a geometric mean. \
      The figure depends on the range, so each row states its own.\(rgb)
      """)
    let fronts = section(
      tables.pareto,
      """
      At the same \(scoreTitle): a codec is worth considering if no other takes fewer \
      bytes and less CPU time to encode. The table also has the decode time at that score, and the \
      peak memory of any encode or decode of these images, at any quality.
      """, charts: [.pareto])
    guard !fronts.isEmpty else { return rates }
    let leftOut = analysis.paretoFronts.filter { !$0.leftOut.isEmpty }.map { front -> ReportBlock in
      let names = front.leftOut.map { MarkdownText.code($0.name) }.joined(separator: ", ")
      return .markdown(
        "Left out at \(Numerals.short(front.target)), because too few images have a curve that reaches it: \(names)."
      )
    }
    return rates + fronts + leftOut
  }
}

// The basis of the comparison.
extension SweepReport {
  private var sanity: [ReportBlock] {
    guard analysis.counts.measured > 0 else { return [] }
    let heading = ReportBlock.heading("Consistency checks")
    guard !analysis.sanity.isClean else {
      // Mentions repeats only if there were any.
      let isRepeated = report.manifest.map { $0.repeats > 1 } ?? false
      let sentence =
        isRepeated
        ? "Quality has an effect, sizes and scores rise with it, and repeats give the same bytes."
        : "Quality has an effect, and sizes and scores rise with it."
      return [.inMarkdown([heading, .paragraph(sentence)])]
    }
    let counts = SanityReport.Kind.allCases.compactMap { kind in
      analysis.sanity.counts[kind].map { "\(kind.title): \(Numerals.counted($0, "time"))" }
    }
    return [.inMarkdown([heading, .list(counts)])] + [tables.sanity].compactMap { $0.map { .table($0) } }
  }

  private var qualities: [ReportBlock] {
    section(
      tables.qualities,
      """
      Totals over the images measured at each quality; failed encodes are excluded. “Size against” compares \
      equal quality *numbers*, which do not mean equal quality. Times are CPU time of all threads\
      \(analysis.timesAreContended ? "; wall time, measured with jobs in parallel, is left out" : "").
      """) + section(tables.qualitiesByProcessor)
      + section(tables.bases, MarkdownText.escaped(BaseColumns.explanation))
  }

  private var problems: [ReportBlock] {
    var blocks = section(tables.failures) + rest(of: digest.failures, "encode")
    if digest.failures.count > 0 {
      blocks.append(
        .markdown("`heicbench report --failures` lists them all, with a command that reproduces each."))
    }
    return blocks + section(tables.unsupported) + section(tables.unusable)
      + rest(of: digest.unusable, "image")
  }

  private func rest(of listing: RunDigest.Listing, _ noun: String) -> [ReportBlock] {
    let rest = listing.count - listing.first.count
    return rest > 0 ? [.markdown("… and \(Numerals.counted(rest, "more \(noun)")).")] : []
  }

  private var run: [ReportBlock] {
    guard let manifest = report.manifest else { return [] }
    let facts = ReportTable("How the figures were made", RunFact.columns, RunFact.facts(of: manifest))
    return [
      .inMarkdown([
        .heading("This run"), .table(facts),
        .markdown(
          "Made by heicbench \(MarkdownText.escaped(manifest.version)). `measurements.csv` lists every encode."
        ),
      ])
    ]
  }
}

// The answer on a terminal: sizes at equal quality and the quality to set. Has a line for each codec and quality number
// only if there is no result at equal quality.
extension SweepReport {
  package func text(width: Int = .max) -> String { (opening + brief).text(width: width) }

  private var opening: [ReportBlock] {
    let answers = wording.answers.flatMap { answer in [answer.sentence] + answer.details.map { "  \($0)" } }
    let before = answers + ImportWording(analysis).sentences + [wording.files].compactMap(\.self)
    let after = [wording.sample].compactMap(\.self) + notes
    guard !analysis.fileComparisons.isEmpty else { return [.list(before + after)] }
    let files = ReportTable(
      "Compared with the source files", FileColumns.all(headline: analysis.headline),
      analysis.fileComparisons)
    return [.list(before), .table(files), .list(after)]
  }

  private static let mostNotes = 3

  private var notes: [String] {
    let (all, most) = (wording.warnings, Self.mostNotes)
    let rest = all.count - most
    return all.prefix(most).map { "note: \($0)" }
      + (rest > 0 ? ["summary.md has \(Numerals.counted(rest, "more note"))."] : [])
  }

  private var brief: [ReportBlock] {
    if let findings = analysis.target {
      let table = ReportTable(
        TargetColumns.title(of: findings), TargetColumns.all(analysis, allMetrics: false), findings.totals)
      return [.paragraph(table.caption + ":"), .table(table)]
    }
    guard analysis.matchedQualities.contains(where: { $0.bytes != nil }) else {
      return settings + [.table(Self.totals(analysis.qualitySummaries, tables.qualityColumns))]
    }
    let matched = ReportTable(
      "Bytes at equal \(analysis.headline?.title ?? "score"), against \(analysis.reference?.name ?? "")",
      MatchedQualityColumns.brief(headline: analysis.headline),
      analysis.targetsFirst(analysis.matchedQualities, \.target),
      footnotes: [wording.rowNotes].compactMap(\.self))
    return [.paragraph(matched.caption + ":"), .table(matched)] + settings + [
      .paragraph("By quality number, with sizes and times: summary.md, or heicbench report --format totals.")
    ]
  }

  private var settings: [ReportBlock] {
    guard !analysis.settings.isEmpty else { return [] }
    let isOne = analysis.isOfOneImage
    let table = ReportTable(
      "Which quality to set\(isOne ? "" : " (for 9 in 10 images; for the easiest and the hardest)")",
      SettingColumns.all(headline: analysis.headline, isOfOneImage: isOne),
      analysis.targetsFirst(analysis.settings, \.target), footnotes: SettingColumns.notes(analysis))
    return [.paragraph(table.caption + ":"), .table(table)]
  }

  private static func totals(
    _ summaries: [QualitySummary], _ columns: [Column<QualitySummary>]
  ) -> ReportTable {
    ReportTable("Every codec and quality", columns, summaries)
  }

  /// A line for each codec and quality, without verdicts and wall times, which need a pass over all rows.
  package static func totals(_ summaries: [QualitySummary], _ source: RowSource) throws -> [ReportBlock] {
    let columns = QualitySummaryColumns.all(
      metrics: source.metrics, reference: source.variants.first, hasExclusiveTimes: { _ in false })
    let unfinished = [try source.progress()?.phrase].compactMap(\.self)
    return (unfinished.isEmpty ? [] : [.notes(unfinished)]) + [.table(totals(summaries, columns))]
  }
}

extension Analysis {
  fileprivate func targetsFirst<Row>(_ rows: [Row], _ target: (Row) -> Double) -> [Row] {
    options.targets.flatMap { wanted in rows.filter { target($0) == wanted } }
  }

  func title(_ spell: (CodecVariant) -> String) -> String? {
    let names = variants.map(spell)
    guard names.count > 1 else { return names.first }
    return "\(names.dropFirst().joined(separator: ", ")) against \(names[0])"
  }
}
