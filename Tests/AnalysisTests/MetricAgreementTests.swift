import Model
import SampleData
import Store
import Testing

@testable import Analysis
@testable import Reports

struct MetricAgreementTests {
  /// A sweep in which the second metric gives the second codec `lead` points of SSIMULACRA2's scale more than the
  /// first metric does, so that it sees other savings.
  private func agreement(
    lead: (Int) -> Double, share: @escaping (Int) -> Double = { 0.7 + 0.01 * Double($0) }, images: Int = 8
  ) throws -> (agreement: MetricAgreement?, analysis: Analysis) {
    var sweep = SampleRows()
    sweep.images = images
    sweep.share = share
    var builder = AnalysisBuilder(variants: sweep.variants, metrics: [.sampleHeadline, .other])
    sweep.qualities = 16
    for var row in sweep.rows() {
      let image = Int(row.image.filter(\.isNumber)) ?? 0
      let isSecond = row.variant?.codec == "heic"
      // Beyond the band at both ends, so that a metric that is shifted still covers it.
      let score = 10 + 7 * Double((row.quality?.thousandths ?? 0) * 16 / 1000)
      var bytes = 20_000.0
      for _ in 0..<Int(score * 100) { bytes *= 1.0003 }
      row.encodedBytes = Int(bytes * (isSecond ? share(image) : 1))
      row.scores = ["ssimulacra2": score, "other": score + (isSecond ? lead(image) : 0)]
      try builder.add(row)
    }
    let analysis = builder.finish()
    return (analysis.verdicts.first?.agreement, analysis)
  }

  /// Bytes grow by 1.0003 to the power of a hundred for a point of the score: 3 %. So many points are a third fewer.
  private let third = 13.5

  @Test func metricsThatSeeTheSameAgree() throws {
    let (agreement, analysis) = try agreement(lead: { _ in 0 })
    #expect(agreement?.views.map(\.opinion) == [.agrees])
    #expect(agreement?.agreeing == 2 && agreement?.sameWinner == 2)
    #expect(analysis.details.contains("Both metrics agree (SSIMULACRA2, Other)."))
  }

  @Test func aMetricThatSeesLessIsToldWithItsShare() throws {
    let (agreement, analysis) = try agreement(lead: { _ in -6 })
    let view = try #require(agreement?.views.first)
    #expect(view.opinion == .less)
    // 0.735 of the bytes by the one, six points of 3 % worse by the other.
    #expect(abs(view.headlineRate.mean + 26.5) < 0.2 && abs(view.rate.mean + 12) < 0.7, "\(view.rate.mean)")
    let sentence = try #require(analysis.details.first { $0.contains("metrics see fewer bytes") })
    #expect(sentence.hasPrefix("All 2 metrics see fewer bytes, but 1 of 2 agree on how many; Other sees "))
    #expect(sentence.contains("the gain (BD-rate −1") && sentence.hasSuffix("against −26.5 %)."))
    #expect(!analysis.sentence.contains("opposite"))
  }

  @Test func aMetricThatSeesMoreIsTold() throws {
    let (agreement, analysis) = try agreement(lead: { _ in 10 })
    #expect(agreement?.views.map(\.opinion) == [.more])
    #expect(analysis.details.contains { $0.contains("Other sees 1.7 times the gain") }, "\(analysis.details)")
  }

  @Test func anotherWinnerStandsInTheAnswerItself() throws {
    let (agreement, analysis) = try agreement(lead: { _ in -2 * third })
    #expect(agreement?.views.map(\.opinion) == [.contradicts])
    #expect(agreement?.sameWinner == 1 && agreement?.agreeing == 1)
    #expect(analysis.sentence.hasSuffix("8 images; but Other says the opposite."), "\(analysis.sentence)")
    #expect(analysis.details.contains { $0.hasPrefix("1 of 2 metrics agree; Other sees more bytes") })
  }

  @Test func aMetricWhoseImagesDisagreeCannotTell() throws {
    let (agreement, analysis) = try agreement(lead: { $0 % 2 == 0 ? 0 : -1.4 * third })
    #expect(agreement?.views.map(\.opinion) == [.undecided])
    #expect(analysis.details.contains { $0.hasPrefix("1 of 2 metrics agree; Other does not tell") })
  }

  @Test func aDifferenceWithinTheIntervalsIsNone() throws {
    // Images are so unlike that a point more or less lies within both intervals, though every image has it.
    let (agreement, _) = try agreement(lead: { _ in -0.5 }, share: { 0.5 + 0.05 * Double($0) })
    let view = try #require(agreement?.views.first)
    #expect(view.difference.interval.lower > 0, "the pairs tell it")
    #expect(view.opinion == .agrees)
  }

  @Test func whereTheHeadlineMetricCannotTellOthersMay() throws {
    let (agreement, analysis) = try agreement(lead: { _ in 3 * third }, share: { $0 % 2 == 0 ? 0.8 : 1.25 })
    #expect(agreement?.direction == .undecided && agreement?.sameWinner == 0)
    #expect(agreement?.views.map(\.opinion) == [.decides])
    #expect(
      analysis.details.contains {
        $0.hasPrefix(
          "1 of 2 metrics, SSIMULACRA2 among them, do not tell which takes fewer bytes; Other sees fewer")
      }, "\(analysis.details)")
  }

  @Test func fewImagesAgreeOnNothing() throws {
    #expect(try agreement(lead: { _ in -6 }, images: 4).agreement == nil)
  }
}

extension MetricTraits {
  fileprivate static let other = MetricTraits(id: "other", column: "other", title: "Other", decimals: 2)
}
