import Model
import SampleData
import Store
import Testing

@testable import Analysis

struct MetricAgreementTests {
  private static func agreement(_ sample: SampleAgreement) throws -> MetricAgreement? {
    try sample.analysis().verdicts.first?.agreement
  }

  @Test func metricsThatSeeTheSameAgree() throws {
    let agreement = try Self.agreement(SampleAgreement(lead: { _ in 0 }))
    #expect(agreement?.views.map(\.opinion) == [.agrees])
    #expect(agreement?.agreeing == 2 && agreement?.sameWinner == 2)
    #expect(agreement?.headline == "ssimulacra2" && agreement?.views.map(\.metric) == ["other"])
  }

  @Test func aMetricThatSeesLessIsFound() throws {
    let agreement = try Self.agreement(SampleAgreement(lead: { _ in -6 }))
    let view = try #require(agreement?.views.first)
    #expect(view.opinion == .less)
    // By one metric 0.735 of the bytes. The other scores six points lower, of 3 % each.
    #expect(abs(view.headlineRate.mean + 26.5) < 0.2 && abs(view.rate.mean + 12) < 0.7, "\(view.rate.mean)")
    #expect(agreement?.direction == .saves && agreement?.metrics == 2)
    #expect(agreement?.sameWinner == 2 && agreement?.agreeing == 1)
  }

  @Test func aMetricThatSeesMoreHasItsShare() throws {
    let agreement = try Self.agreement(SampleAgreement(lead: { _ in 10 }))
    #expect(agreement?.views.map(\.opinion) == [.more])
    #expect(abs((agreement?.views.first?.share ?? 0) - 1.7) < 0.05)
  }

  @Test func anotherWinnerIsFound() throws {
    let agreement = try Self.agreement(SampleAgreement(lead: { _ in -2 * SampleAgreement.third }))
    #expect(agreement?.views.map(\.opinion) == [.contradicts])
    #expect(agreement?.sameWinner == 1 && agreement?.agreeing == 1)
    #expect(agreement?.direction == .saves && agreement?.views.first?.rate.mean ?? 0 > 0)
  }

  @Test func aMetricWhoseImagesDisagreeCannotTell() throws {
    let agreement = try Self.agreement(
      SampleAgreement(lead: { $0 % 2 == 0 ? 0 : -1.4 * SampleAgreement.third }))
    #expect(agreement?.views.map(\.opinion) == [.undecided])
    #expect(agreement?.metrics == 2 && agreement?.agreeing == 1)
  }

  @Test func aDifferenceWithinTheIntervalsIsNone() throws {
    // Images differ so much that one point lies within both intervals, although every image differs by it.
    let agreement = try Self.agreement(
      SampleAgreement(share: { 0.5 + 0.05 * Double($0) }, lead: { _ in -0.5 }))
    let view = try #require(agreement?.views.first)
    #expect(view.difference.interval.lower > 0, "the pairs show it")
    #expect(view.opinion == .agrees)
  }

  @Test func whereTheHeadlineMetricCannotTellOthersMay() throws {
    let agreement = try Self.agreement(
      SampleAgreement(share: { $0 % 2 == 0 ? 0.8 : 1.25 }, lead: { _ in 3 * SampleAgreement.third }))
    #expect(agreement?.direction == .undecided && agreement?.sameWinner == 0)
    #expect(agreement?.views.map(\.opinion) == [.decides])
    #expect(agreement?.views.first?.rate.mean ?? 0 < 0)
  }

  @Test func fewImagesAgreeOnNothing() throws {
    #expect(try Self.agreement(SampleAgreement(images: 4, lead: { _ in -6 })) == nil)
  }
}
