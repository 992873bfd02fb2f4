import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

struct SweepReportTests {
  private static func report(_ analysis: Analysis, failures: Int = 1) -> SweepReport {
    SweepReport(
      RunReport(
        manifest: SampleRun.manifest, analysis: analysis, digest: SampleRun.digest(failures: failures)),
      charts: Dictionary(uniqueKeysWithValues: ChartKind.allCases.map { ($0, "") }))
  }

  @Test("The whole summary of two codecs is as committed")
  func goldenPair() throws {
    #expect(try Golden.difference(Self.report(SampleAnalysis.pair).markdown, "summary.md") == nil)
  }

  @Test("The whole summary of three codecs is as committed")
  func goldenThree() throws {
    #expect(try Golden.difference(Self.report(SampleAnalysis.three).markdown, "summary-three.md") == nil)
  }

  @Test("the answer mentions the sample, with the time for all images")
  func samples() throws {
    var analysis = SampleAnalysis.pair
    let sample = DrawnSample(
      images: 25, pixels: 25e6, population: 10_000, populationPixels: 1e10, seed: 7)
    let cost = RunCost(
      images: (0..<25).map { _ in (1_000_000, 20.0) }, processors: ["one"], storeBytes: 200_000)
    analysis.sample = SampleOutlook(sample, cost: cost, cores: 2, isFinished: true)
    let wording = Wording(analysis)
    #expect(try #require(wording.answers.first).sentence.hasSuffix(" images drawn from 10,000."))
    let text = try #require(wording.sample)
    #expect(
      text.hasPrefix(
        "Intervals are for all 10,000 images: 25 were drawn evenly over formats, cameras and sizes (seed 7). All of "
          + "them would take 55.6 hours of CPU time (95 % interval 55.6 hours to 55.6 hours), which is a day of 2 "
          + "machines like this one, with 2 cores, and 80.0 MB of results. 100 images (33.3 minutes of CPU time) would "
          + "narrow ± "), "\(text)")
    #expect(Self.report(analysis).markdown.contains("25 were drawn evenly"))
    var vast = sample
    vast.populationPixels = 1e40
    analysis.sample = SampleOutlook(vast, cost: cost, cores: 2, isFinished: true)
    #expect(Wording(analysis).sample?.contains(" machines like this one") == true)
    #expect(Wording(SampleAnalysis.pair).sample == nil)
  }

  @Test("the sentence names up to five codecs, fewest bytes first, and gives a range for the rest")
  func manyCodecs() throws {
    func answers(_ presets: [String]) -> [Answer] {
      let variants = presets.map { CodecVariant(codec: "heic", settings: ["preset": $0]) }
      return Wording(
        SampleAnalysis.analysis(variants: [SampleAnalysis.jpeg, SampleAnalysis.heic] + variants)
      ).answers
    }
    #expect(
      answers(["fast", "medium", "slower", "veryslow"]).map(\.sentence) == [
        "At SSIMULACRA2 70, HEIC (preset=veryslow) needs 43 % fewer bytes than JPEG (95 % interval 37 to 50 %), "
          + "HEIC (preset=slower) 39 % fewer (33 to 46 %), HEIC (preset=medium) 35 % fewer (29 to 42 %), "
          + "HEIC (preset=fast) 31 % fewer (25 to 38 %), HEIC 27 % fewer (21 to 34 %); 24 images."
      ])
    let more = answers(["superfast", "fast", "medium", "slow", "slower", "veryslow"])
    #expect(more.count == 1 && more[0].sentence.contains(", the other 2 from "), "\(more[0].sentence)")
    #expect(more[0].details.contains { $0.contains("BD-rate") } == false)
  }

  @Test("variants that make the same files are reported as such, without an interval or a best image")
  func nothingChanged() throws {
    let build = CodecVariant(codec: "heic", build: "new")
    var builder = AnalysisBuilder(
      variants: [SampleAnalysis.heic, build], metrics: SampleRows.metrics)
    for image in 0..<6 {
      for variant in [SampleAnalysis.heic, build] {
        for quality in 1...9 {
          try builder.add(
            SampleRows.measured(
              "\(image)", variant: variant, quality: 100 * quality, bytes: 1000 * quality + image,
              score: 40 + 6 * Double(quality), cpu: variant == build ? 4 : 2))
        }
      }
    }
    let wording = Wording(builder.finish())
    #expect(
      wording.answers.map(\.sentence) == [
        "HEIC@new makes the same files as HEIC in all 54 encodes (6 images, equal bytes and scores). It needs "
          + "2.0 times the CPU time to encode and 1.0 times the CPU time to decode."
      ], "\(wording.answers)")
    #expect(
      !wording.answers.compactMap(\.details).contains { $0.contains("Best image") || $0.contains("interval") }
    )
    let markdown = Self.report(wording.analysis).markdown
    #expect(!markdown.contains("but not at each number") && !markdown.contains("Why equal q"), "\(markdown)")
    #expect(wording.analysis.verdicts.map(\.direction) == [.same])
  }

  @Test("a gain in a metric of small numbers has the metric's decimals")
  func gainInSSIM() throws {
    let options = AnalysisOptions(
      headlineMetric: "ssim", targets: [], target: QualityTarget(.bytes(200_000)))
    let screen = Self.report(try SampleRows(share: { _ in 0.5 }).analysis(options: options)).firstScreen
    #expect(screen.contains(/<b class="less">\+0\.00[0-9]{2}</), "\(screen)")
  }

  @Test("the kinds of images leave out copies, as their number does")
  func kindsWithoutCopies() throws {
    let sweep = SampleRows(
      images: 3,
      change: { row in
        row.sourceFormat = "png"
        if row.image == "image2.png" { row.imageHash = "hash1" }
      })
    let source = RowSource(metrics: [.sampleHeadline], variants: sweep.variants) { body in
      for row in sweep.rows() { try body(row) }
    }
    let markdown = SweepReport(try RunReport(reading: source)).markdown
    #expect(markdown.contains("2 images, 1.0 megapixels (2 png) · 40 encodes measured"), "\(markdown)")
  }

  @Test("a column of times at one score has no time at another score")
  func timesAtOneScore() throws {
    var analysis = SampleAnalysis.three
    // Too few images reach any score with this one.
    (analysis.verdicts[1].target, analysis.verdicts[1].bytes) = (nil, nil)
    let column = try #require(ComparisonColumns.all(analysis).first { $0.name == "encode_cpu_ratio" })
    #expect(column.title == "Encode CPU at 70")
    #expect(column.cell(SampleAnalysis.heic) != .empty && column.cell(SampleAnalysis.slow) == .empty)
  }

  private static let distance = MetricTraits(
    id: "distance", column: "distance", title: "Distance", higherIsBetter: false, decimals: 1)

  /// A sweep whose headline is a distance: a score of 70 is a distance of 30.
  private static func distances(_ change: @escaping (inout ResultRow) -> Void = { _ in }) throws -> Analysis {
    let sweep = SampleRows(change: { row in
      row.scores = ["distance": 100 - (row.scores["ssimulacra2"] ?? 0)]
      change(&row)
    })
    return try sweep.analysis(
      metrics: [distance],
      options: AnalysisOptions(headlineMetric: "distance", targets: [30], band: 10...50, verdictTarget: 30))
  }

  @Test("the quality to set keeps a distance at the score or less")
  func settingForADistance() throws {
    let screen = Self.report(try Self.distances()).firstScreen
    #expect(screen.contains(" for Distance 30 or less in all images."), "\(screen)")
  }

  @Test("the quality to set is not one for all images if some have no score")
  func settingForSome() throws {
    let analysis = try Self.distances { row in if row.image == "image0.png" { row.scores = [:] } }
    let screen = Self.report(analysis).firstScreen
    #expect(screen.contains(" for Distance 30 or less in 7 of 8 images."), "\(screen)")
  }

  @Test("The order is verdict, warnings, savings, BD-rate, the front and the qualities")
  func order() {
    let text = Self.report(SampleAnalysis.pair).markdown
    let landmarks = [
      "needs 27 % fewer bytes", "Read with care", "## Bytes at equal quality", "## Why equal q",
      "## BD-rate", "## Bytes against encode time", "## Consistency checks", "## Every codec",
      "## Failed encodes",
      "## Unusable images", "## This run",
    ]
    let positions = landmarks.compactMap { text.firstRange(of: $0)?.lowerBound }
    #expect(positions.count == landmarks.count)
    #expect(positions == positions.sorted())
  }

  @Test("Failures are listed up to fifty and counted beyond")
  func manyFailures() {
    let text = Self.report(SampleAnalysis.pair, failures: 60).markdown
    #expect(text.contains("`a\\|b49.png`"))
    #expect(!text.contains("`a\\|b50.png`"))
    #expect(text.contains("… and 10 more encodes."))
  }

  @Test("A run of one codec without scores still makes a summary")
  func nothingToCompare() {
    let analysis = Analysis(variants: [SampleAnalysis.jpeg], metrics: [])
    let text = SweepReport(RunReport(manifest: nil, analysis: analysis, digest: RunDigest())).markdown
    #expect(text.hasPrefix("# heicbench: `jpeg`\n"))
    #expect(!text.contains("## "))
  }

  @Test("Wall time is shown only if the exclusive pass measured it")
  func wallTime() {
    var digest = RunDigest()
    var row = SampleRows.measured("a.png", quality: 300)
    row.conditions = .exclusive
    digest.add(row)
    var text = SweepReport(
      RunReport(manifest: nil, analysis: SampleAnalysis.pair, digest: digest)
    ).markdown
    #expect(text.contains("Encode wall, alone (ms/MP)"))
    for variant in SampleAnalysis.pair.variants {
      for quality in [300, 600, 900] {
        digest.add(SampleRows.measured("a.png", variant: variant, quality: quality))
      }
    }
    text =
      SweepReport(
        RunReport(manifest: nil, analysis: SampleAnalysis.pair, digest: digest)
      ).markdown
    #expect(!text.contains("Encode wall, alone (ms/MP)"))
  }
}
