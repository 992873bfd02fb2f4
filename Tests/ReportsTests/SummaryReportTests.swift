import Model
import Store
import Testing

@testable import Analysis
@testable import Reports

struct SummaryReportTests {
  private static func report(_ analysis: Analysis, failures: Int = 1) -> SummaryReport {
    SummaryReport(
      RunReport(
        manifest: SampleRun.manifest, analysis: analysis, digest: SampleRun.digest(failures: failures)),
      charts: Set(ChartKind.allCases))
  }

  @Test("The whole summary of two codecs is as committed")
  func goldenPair() throws {
    try expectGolden(Self.report(SampleAnalysis.pair).markdown, "summary.md")
  }

  @Test("The whole summary of three codecs is as committed")
  func goldenThree() throws {
    try expectGolden(Self.report(SampleAnalysis.three).markdown, "summary-three.md")
  }

  @Test("of many codecs the sentence names the one that takes the fewest bytes")
  func manyCodecs() throws {
    let presets = ["fast", "medium", "slower", "veryslow"].map {
      CodecVariant(codec: "heic", settings: ["preset": $0])
    }
    let analysis = SampleAnalysis.analysis(variants: [SampleAnalysis.jpeg, SampleAnalysis.heic] + presets)
    let answers = Wording(analysis).answers
    #expect(
      answers.map(\.sentence) == [
        "At SSIMULACRA2 70, HEIC (preset=veryslow) takes 43 % fewer bytes than JPEG (95 % interval 37 to 50 %), "
          + "the other 4 between 27 and 39 % fewer; 24 images."
      ])
    #expect(answers.first?.details.contains { $0.contains("BD-rate") } == false)
    var mixed = analysis
    mixed.verdicts[0].bytes?.mean = 4
    #expect(Wording(mixed).answers.first?.sentence.contains("between 39 % fewer and 4.0 % more") == true)
  }

  @Test("The verdict comes first, then warnings, savings, BD-rate, the front, and last the qualities")
  func order() {
    let text = Self.report(SampleAnalysis.pair).markdown
    let landmarks = [
      "takes 27 % fewer bytes", "Read with care", "## Bytes at equal quality", "## Why equal q",
      "## BD-rate", "## Bytes against encode time", "## Checks", "## Every codec", "## Failed points",
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
    #expect(text.contains("… and 10 more points."))
  }

  @Test("A run of one codec without scores still makes a summary")
  func nothingToCompare() {
    let analysis = Analysis(variants: [SampleAnalysis.jpeg], metrics: [])
    let text = SummaryReport(RunReport(manifest: nil, analysis: analysis, digest: RunDigest())).markdown
    #expect(text.hasPrefix("# heicbench: `jpeg`\n"))
    #expect(!text.contains("## "))
  }

  @Test("Wall time is shown only where the exclusive pass took it")
  func wallTime() {
    var digest = RunDigest()
    var row = SampleRows.measured("a.png", quality: 300)
    row.conditions = .exclusive
    digest.add(row)
    var text = SummaryReport(
      RunReport(manifest: nil, analysis: SampleAnalysis.pair, digest: digest)
    ).markdown
    #expect(text.contains("Encode wall, alone (ms/MP)"))
    for variant in SampleAnalysis.pair.variants {
      for quality in [300, 600, 900] {
        digest.add(SampleRows.measured("a.png", variant: variant, quality: quality))
      }
    }
    text =
      SummaryReport(
        RunReport(manifest: nil, analysis: SampleAnalysis.pair, digest: digest)
      ).markdown
    #expect(!text.contains("Encode wall, alone (ms/MP)"))
  }
}
