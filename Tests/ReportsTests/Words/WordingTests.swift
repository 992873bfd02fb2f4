import Model
import SampleData
import TestSupport
import Testing

@testable import Analysis
@testable import Reports
@testable import Store

/// The English of an analysis: the sentences about each of these runs, in one committed text for each of its parts.
@Suite struct WordingTests {
  /// The sentences about a run, by its title.
  private typealias Said = (title: String, lines: [String])

  private static func difference(_ said: [Said], _ name: String) throws -> String? {
    for (_, lines) in said where !lines.contains(where: { $0.contains("too few") }) {
      #expect(PercentClaims.withoutInterval(in: lines.joined(separator: "\n")) == [])
    }
    let text = said.map { "# \($0.title)\n" + $0.lines.map { "\($0)\n" }.joined() }.joined(separator: "\n")
    return try Golden.difference(text, "words-\(name).txt")
  }

  @Test("a range of scores does not count as an interval, and a figure without one or an excuse is found")
  func claims() {
    let claim = "HEIC −45.6 % bytes at equal SSIMULACRA2 (BD-rate, SSIMULACRA2 50 to 90, 7 of 14 images)"
    #expect(PercentClaims.withoutInterval(in: claim) == [claim])
    #expect(PercentClaims.withoutInterval(in: claim + ", 95 % interval −63.0 to −28.1 %") == [])
    #expect(PercentClaims.withoutInterval(in: claim + " for this one image") == [])
  }

  private static func said(_ title: String, _ analysis: Analysis) -> Said {
    let wording = Wording(analysis)
    var lines = wording.answers.flatMap { [$0.sentence] + $0.details.map { "- \($0)" } }
    lines += wording.warnings.map { "Warning: \($0)" }
    lines += [wording.rowNotes].compactMap(\.self).map { "Rows: \($0)" }
    lines += wording.timeNotes.map { "Times: \($0)" }
    lines += [wording.files].compactMap(\.self).map { "Files: \($0)" }
    return (title, lines)
  }

  private static func said(
    _ title: String, _ sweep: SampleRows = SampleRows(), targets: [Double]? = nil
  ) throws -> Said {
    var options = AnalysisOptions.standard
    options.targets = targets ?? options.targets
    return said(title, try sweep.analysis(options: options))
  }

  private static func sweep(
    images: Int = 8, _ change: @escaping (inout ResultRow) -> Void
  ) -> SampleRows { SampleRows(images: images, change: change) }

  private static func hasFailed(_ row: inout ResultRow, of codec: String) {
    if row.variant?.codec == codec { (row.status, row.encodedBytes, row.scores) = (.failed, nil, [:]) }
  }

  @Test func answers() throws {
    var settings = SampleRows()
    settings.variants[1] = CodecVariant(codec: "heic", settings: ["chroma": "444"])
    let failing = SampleRows(images: 6, change: { Self.hasFailed(&$0, of: "jpeg") })
    let some = Self.sweep { row in if row.image < "image3" { Self.hasFailed(&row, of: "heic") } }
    // The first two images end below the band's upper end, and gain most.
    var rated = Self.sweep { row in
      guard row.scores["ssimulacra2"] ?? 0 > 81, row.image < "image2" else { return }
      (row.status, row.encodedBytes, row.scores) = (.unsupported, nil, [:])
    }
    rated.share = { $0 < 2 ? 0.4 : 0.7 }
    let said = [
      try Self.said("a clean sweep"), try Self.said("few images", SampleRows(images: 3)),
      try Self.said("one image", SampleRows(images: 1)),
      try Self.said("more bytes", SampleRows(share: { _ in 1.042 })),
      try Self.said("an interval across zero", SampleRows(share: { $0 % 2 == 0 ? 0.8 : 1.24 })),
      try Self.said("as many bytes", SampleRows(share: { _ in 1 })),
      try Self.said("two qualities", SampleRows(qualities: 2)),
      try Self.said("settings", settings), try Self.said("another score", targets: [10, 60, 99]),
      try Self.said("a codec that fails for some images", some),
      try Self.said("a reference that fails", failing),
      try Self.said("a BD-rate over fewer images", rated),
      Self.said(
        "a metric that no row has",
        try SampleRows().analysis(options: AnalysisOptions(headlineMetric: "vmaf"))),
    ]
    #expect(try Self.difference(said, "answers") == nil)
  }

  private static func several(_ sweep: SampleRows, defaults: [String: String]) throws -> Analysis {
    var builder = AnalysisBuilder(
      variants: sweep.variants, metrics: [.sampleHeadline], defaults: defaults)
    for row in sweep.rows() { try builder.add(row) }
    return builder.finish()
  }

  @Test func answersOfSeveralVariants() throws {
    var sweep = SampleRows()
    let jpeg = ["jpeg": "baseline somejpeg, 4:2:0"]
    sweep.variants.append(CodecVariant(codec: "jpeg", build: "small"))
    sweep.change = { row in
      guard row.variant?.build == "small" else { return }
      row.encodedBytes = row.encodedBytes.map { Int(Double($0) * 0.8 / 0.7) }
    }
    var said = [Self.said("the best JPEG is another", try Self.several(sweep, defaults: jpeg))]
    sweep.variants.removeLast()
    said.append(Self.said("one JPEG with its defaults", try Self.several(sweep, defaults: jpeg)))
    sweep.variants = [
      CodecVariant(codec: "heic"), CodecVariant(codec: "heic", settings: ["preset": "medium"]),
    ]
    said.append(
      Self.said("two presets", try Self.several(sweep, defaults: ["heic": "preset slow, 4:2:0"])))
    sweep = SampleRows(images: 8, share: { 0.6 + 0.02 * Double($0) })
    sweep.variants = ["jpeg", "heic", "avif"].map { CodecVariant(codec: $0) }
    said.append(try Self.said("three codecs", sweep))
    sweep.change = { Self.hasFailed(&$0, of: "avif") }
    said.append(try Self.said("three codecs, one of which fails", sweep))
    #expect(try Self.difference(said, "several") == nil)
  }

  @Test func warnings() throws {
    let different = Self.sweep { row in
      if row.image < "image3", let score = row.scores["ssimulacra2"] {
        row.scores["ssimulacra2"] = score - 15
      }
    }
    // 92 means a loss of 8, which is half of the loss at 84. Three of eight images have full chroma in both codecs.
    let chroma = Self.sweep { row in
      if row.image >= "image3", row.variant?.codec == "heic" { row.figures[.chromaBound] = 92 }
    }
    var deep = chroma
    deep.variants[1] = CodecVariant(codec: "heic", settings: ["depth": "10"])
    let halfChroma = Self.sweep { row in if row.image >= "image4" { row.figures[.chromaBound] = 92 } }
    let lossy = Self.sweep { row in
      (row.sourceIsLossy, row.conditions) = (row.image < "image2", .contended)
    }
    let small = Self.sweep(images: 6) { if $0.image < "image4.png" { ($0.width, $0.height) = (112, 500) } }
    var shrunk = AnalysisBuilder(metrics: [.sampleHeadline], sourcesAreShrunk: true)
    for row in lossy.rows() { try shrunk.add(row) }
    let scores = [70, 83, 85, 90.0]
    let said = [
      try Self.said("rows on different images", different),
      try Self.said("halved chroma in most images", chroma, targets: scores),
      try Self.said("halved chroma in most images, one codec with ten bits", deep, targets: scores),
      try Self.said("halved chroma in half of them", halfChroma, targets: scores),
      try Self.said("lossy sources, timed beside other jobs", lossy),
      Self.said("the same, shrunk first", shrunk.finish()),
      try Self.said("small images", small),
    ]
    #expect(try Self.difference(said, "warnings") == nil)
  }

  @Test func aTerminalShowsThreeNotesAtMost() throws {
    var analysis = try Self.sweep(images: 6) { row in
      if row.image < "image4.png" { (row.width, row.height) = (112, 500) }
      row.sourceIsLossy = row.image < "image2"
    }.analysis()
    (analysis.times.exclusive, analysis.times.spread, analysis.times.disturbed) = (100, 7, 5)
    let warnings = Wording(analysis).warnings
    let report = RunReport(manifest: nil, analysis: analysis, digest: RunDigest())
    let lines = SweepReport(report).text().split(separator: "\n").map(String.init)
    #expect(warnings.count == 4, "\(warnings)")
    #expect(lines.filter { $0.hasPrefix("note: ") } == warnings.prefix(3).map { "note: \($0)" })
    #expect(lines.contains("summary.md has 1 more note."))
  }

  @Test func aCleanSweepHasNoWarnings() throws {
    #expect(Wording(try SampleRows().analysis()).warnings.isEmpty)
  }

  @Test func times() throws {
    func said(_ title: String, _ change: (inout TimesSummary) -> Void) -> Said {
      var analysis = Analysis(variants: [], metrics: [])
      change(&analysis.times)
      return Self.said(title, analysis)
    }
    func origin(_ processor: String, jobs: Int) -> TimesOrigin {
      TimesOrigin(host: "host-a", processor: processor, jobs: jobs)
    }
    let texts = [
      said("times of another host") { $0.foreign = ["slowbox": 1] },
      said("times of a host without a name") { $0.foreign = ["": 2] },
      said("times with other jobs") { $0.origins = [origin("P", jobs: 1): 1, origin("P", jobs: 2): 1] },
      said("times of unlike processors") { $0.origins = [origin("P", jobs: 1): 1, origin("Q", jobs: 1): 2] },
      said("drift, spread and disturbance") {
        ($0.exclusive, $0.spread, $0.disturbed, $0.driftPercent) = (1, 1, 1, 41.4)
      },
      said("nearly no drift") { $0.driftPercent = 2.9 },
    ]
    #expect(try Self.difference(texts, "times") == nil)
  }

  @Test("a codec that takes less time on each processor is not said to need more")
  func fasterOnEachProcessor() throws {
    let sweep = SampleRows(
      slowness: 0.5,
      change: { row in
        let processor = row.image < "image4" ? "P" : "Q"
        row.timesOrigin = TimesOrigin(host: "host-a", processor: processor, jobs: 1)
      })
    let source = RowSource(
      metrics: [.sampleHeadline], variants: sweep.variants, processors: { ["P", "Q"] }
    ) { body in
      for row in sweep.rows() { try body(row) }
    }
    let answers = Wording(try RunReport(reading: source).analysis).answers
    let details: [String] = answers.flatMap(\.details)
    let times = try #require(details.first { $0.contains("CPU time") })
    #expect(
      times == "CPU time to encode at equal quality, compared with JPEG: 0.50 times on P, 0.50 times on Q.")
  }

  private static func advice(_ title: String, _ sweep: SampleRows, at target: Double) throws -> Said {
    let analysis = try sweep.analysis(options: AnalysisOptions(targets: [target]))
    return (
      title,
      analysis.verdicts.map(Wording(analysis).sentence)
        + analysis.matchedQualities.map { "Advice: \(Wording.advice($0, of: analysis.headline) ?? "none")" }
    )
  }

  /// The advice never says to measure beyond the end of a codec's scale.
  @Test func advice() throws {
    let apart = Self.sweep(images: 6) { row in
      let isLow = row.nativeQuality ?? 0 <= 50
      if isLow == (row.variant?.codec == "heic") { row.status = .unsupported }
    }
    let ended = Self.sweep(images: 6) { row in
      if row.image > "image1.png", row.nativeQuality ?? 0 > 90 { row.status = .unsupported }
    }
    // With HEIC, only the first two of six images were measured at qualities low enough for 70.
    let half = Self.sweep(images: 6) { row in
      guard row.variant?.codec == "heic", row.image > "image1.png", row.nativeQuality ?? 0 < 80 else {
        return
      }
      row.status = .unsupported
    }
    var said = [
      try Self.advice("no common range", apart, at: 70), try Self.advice("below both", apart, at: 40),
      try Self.advice("beyond the end of a scale", SampleRows(images: 6), at: 94),
      try Self.advice("beyond the end of some", ended, at: 94),
      try Self.advice("files of other encoders", Self.sweep(images: 6) { $0.quality = nil }, at: 10),
      Self.said(
        "a score of less than half of the images",
        try half.analysis(options: AnalysisOptions(targets: [50, 70]))),
    ]
    var finer = half
    finer.qualities = 20
    said.append(try Self.said("the next score that holds", finer))
    #expect(try Self.difference(said, "advice") == nil)
  }

  @Test("the better side of a distance is below it")
  func adviceOnADistance() throws {
    let distance = MetricTraits(
      id: "distance", column: "distance", title: "Distance", higherIsBetter: false, decimals: 1)
    let sweep = Self.sweep(images: 6) { row in
      if row.variant?.codec == "heic", row.nativeQuality ?? 0 <= 50 { row.status = .unsupported }
      row.scores = ["distance": 100 - (row.scores["ssimulacra2"] ?? 0)]
    }
    let analysis = try sweep.analysis(
      metrics: [distance],
      options: AnalysisOptions(headlineMetric: "distance", targets: [60], band: 10...50, verdictTarget: 60))
    #expect(
      analysis.verdicts.map(Wording(analysis).sentence) == [
        "HEIC and JPEG cannot be compared at equal Distance: they do not both reach 60; HEIC starts below "
          + "this score in 6 images: measure HEIC at lower qualities."
      ])
    var comparison = ImportComparison(
      series: CodecVariant(codec: "phone"), variant: CodecVariant(codec: "jpeg"), files: 2)
    comparison.problems = [.below: 1, .above: 1]
    #expect(
      ImportWording(analysis).sentence(comparison)
        == "phone’s files cannot be compared with jpeg at equal Distance: 1 of 2 files scores higher than every "
        + "jpeg result, 1 of 2 files scores lower than every jpeg result.")
  }

  @Test func unfinished() throws {
    var builder = AnalysisBuilder(variants: SampleRows().variants, metrics: [.sampleHeadline])
    for row in SampleRows(images: 6).rows() { try builder.add(row) }
    let analysis = builder.finish(
      progress: RunProgress(planned: 480, done: 120, images: 24, isFinished: false))
    func progress(_ planned: Int?, done: Int, isFinished: Bool = false) -> String {
      RunProgress(planned: planned, done: done, images: 1, isFinished: isFinished).phrase ?? "nothing"
    }
    let said: [Said] = [
      Self.said("an unfinished run", analysis),
      (
        "progress",
        [
          progress(8, done: 1), progress(8, done: 8), progress(nil, done: 2),
          progress(8, done: 8, isFinished: true),
        ]
      ),
    ]
    #expect(try Self.difference(said, "unfinished") == nil)
    // It is not known yet why the others have no figure.
    #expect(analysis.matchedQualities.allSatisfy { Wording.advice($0, of: analysis.headline) == nil })
    #expect(!Wording(analysis).warnings.contains { $0.contains("could not be compared") })
  }

  @Test func contrasts() throws {
    let analysis = try SampleRows().analysis()
    var close = EqualQualityContrast(
      variant: CodecVariant(codec: "avif"), reference: CodecVariant(codec: "jpeg"), points: 30, bytes: 1005,
      referenceBytes: 1000, scores: .of(60.73), referenceScores: .of(61.02))
    var said = [Said("a clean sweep", analysis.contrasts.map(Wording(analysis).explanation))]
    let wording = Wording(
      Analysis(variants: [close.reference, close.variant], metrics: [.sampleHeadline]))
    said.append(("means that are about equal", [wording.explanation(close)]))
    close.scores = .of(71)
    said.append(("means that are not", [wording.explanation(close)]))
    #expect(try Self.difference(said, "contrasts") == nil)
  }

  @Test func agreement() throws {
    let third = SampleAgreement.third
    let cases: [(title: String, sample: SampleAgreement)] = [
      ("metrics that see the same", SampleAgreement { _ in 0 }),
      ("one that sees less", SampleAgreement { _ in -6 }),
      ("one that sees more", SampleAgreement { _ in 10 }),
      ("another winner", SampleAgreement { _ in -2 * third }),
      ("one whose images disagree", SampleAgreement { $0 % 2 == 0 ? 0 : -1.4 * third }),
      (
        "one that tells what the headline metric does not",
        SampleAgreement(share: { $0 % 2 == 0 ? 0.8 : 1.25 }, lead: { _ in 3 * third })
      ),
    ]
    let said = try cases.map { Self.said($0.title, try $0.sample.analysis()) }
    #expect(try Self.difference(said, "agreement") == nil)
  }

  @Test func searches() throws {
    func analysis(_ sweep: SampleRows, score: Double) throws -> Analysis {
      try sweep.analysis(
        options: AnalysisOptions(
          targets: [score], verdictTarget: score, target: QualityTarget(.score(.sampleHeadline, score))))
    }
    func analysis(_ sweep: SampleRows, bytes: Int) throws -> Analysis {
      try sweep.analysis(options: AnalysisOptions(targets: [], target: QualityTarget(.bytes(bytes))))
    }
    let said = [
      Self.said("a search for a score", try analysis(SampleRows(), score: 73)),
      Self.said(
        "a search for a size",
        try analysis(SampleRows(share: { 0.5 + 0.02 * Double($0) }), bytes: 200_000)),
      Self.said("a size that nothing fits", try analysis(SampleRows(), bytes: 5)),
    ]
    #expect(try Self.difference(said, "searches") == nil)
  }

  /// Lossy sources as they are, compared with the bytes of a conversion.
  @Test func files() throws {
    var analysis = Analysis(variants: SyntheticSweep.variants, metrics: [.sampleHeadline])
    analysis.counts.lossyImages = 2
    let sizes: [[Double]] = [[4000, 8000, 16_000], [2500, 5000, 10_000]]
    analysis.fileComparisons = zip(analysis.variants, sizes).flatMap { variant, sizes in
      zip([70, 80, 90], sizes).map {
        FileComparison(variant: variant, target: $0, images: 2, outOf: 2, fileBytes: 6000, bytes: $1)
      }
    }
    func files(_ title: String) -> Said { (title, [Wording(analysis).files ?? "nothing"]) }
    var said = [files("lossy files")]
    analysis.sourcesAreShrunk = true
    said.append(files("shrunk first"))
    analysis = Analysis(variants: SyntheticSweep.variants, metrics: [.sampleHeadline])
    said.append(files("no lossy files"))
    #expect(try Self.difference(said, "files") == nil)
  }

  /// The notices of a store about earlier runs.
  @Test func notices() throws {
    var search = SampleRun.manifest
    search.target = "ssim=0.9"
    let notices: [StoreNotice] = [
      .gone(image: "a.png"), .changed(image: "a.png"),
      .replaced(folder: "results", run: SampleRun.manifest, points: 1),
      .replaced(folder: "results", run: search, points: 1200),
    ]
    #expect(try Self.difference([("notices", notices.map(\.sentence))], "notices") == nil)
  }

  @Test func contradictions() throws {
    let evidence: [SanityReport.Evidence] = [
      .score(40, after: 57.5), .bytes(12_034, after: 12_400), .sameBytes(5000, qualities: 10), .repeats(3),
      .repeats(nil), .sameScore(372.7, metric: "mine", qualities: 8, identical: 0),
      .sameScore(7, metric: "mine", qualities: 8, identical: nil),
    ]
    #expect(try Self.difference([("evidence", evidence.map(\.phrase))], "contradictions") == nil)
    let small = SanityReport.Evidence.score(0.0031, after: 0.0029, decimals: 6)
    #expect(small.phrase == "score 0.003100 after 0.002900")
  }
}

extension Mean {
  fileprivate static func of(_ value: Double) -> Mean {
    var mean = Mean()
    mean.add(value)
    return mean
  }
}
