import Analysis
import Model
import Reports
import Store
import Testing

struct SummaryReportTests {
  private static func report(_ analysis: Analysis, failures: Int = 1) -> SummaryReport {
    SummaryReport(
      manifest: SampleRun.manifest, analysis: analysis, digest: SampleRun.digest(failures: failures),
      charts: Dictionary(uniqueKeysWithValues: ChartKind.allCases.map { ($0, $0.fileName) }))
  }

  @Test("The whole summary of two codecs is as committed")
  func goldenPair() throws {
    try expectGolden(Self.report(SampleAnalysis.pair).markdown, "summary.md")
  }

  @Test("The whole summary of three codecs is as committed")
  func goldenThree() throws {
    try expectGolden(Self.report(SampleAnalysis.three).markdown, "summary-three.md")
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
    let text = SummaryReport(manifest: nil, analysis: analysis, digest: RunDigest()).markdown
    #expect(text.hasPrefix("# heicbench: `jpeg`\n"))
    #expect(!text.contains("## "))
  }

  @Test("Wall time is shown only where the exclusive pass took it")
  func wallTime() {
    var digest = RunDigest()
    var row = SampleRows.measured("a.png", quality: 300)
    row.conditions = .exclusive
    digest.add(row)
    var text = SummaryReport(manifest: nil, analysis: SampleAnalysis.pair, digest: digest).markdown
    #expect(text.contains("Encode wall, alone (ms/MP)"))
    for variant in SampleAnalysis.pair.variants {
      for quality in [300, 600, 900] {
        digest.add(SampleRows.measured("a.png", variant: variant, quality: quality))
      }
    }
    text = SummaryReport(manifest: nil, analysis: SampleAnalysis.pair, digest: digest).markdown
    #expect(!text.contains("Encode wall, alone (ms/MP)"))
  }
}
