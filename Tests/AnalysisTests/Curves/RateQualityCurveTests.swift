import Foundation
import Model
import Testing

@testable import Analysis

@Suite struct RateQualityCurveTests {
  typealias Point = RateQualityCurve.Point

  static let ladder = [
    Point(score: 30, bytes: 1000), Point(score: 50, bytes: 2000), Point(score: 70, bytes: 4000),
    Point(score: 90, bytes: 9000),
  ]

  @Test func goesThroughItsPointsInAnyOrder() throws {
    let curve = try RateQualityCurve(Self.ladder.reversed())
    for point in Self.ladder {
      let bytes = try #require(curve.bytes(at: point.score))
      #expect(abs(bytes - Double(point.bytes)) < 1e-6)
    }
    #expect(curve.scores == 30...90)
    #expect(curve.isComplete)
  }

  @Test func isNeverExtrapolated() throws {
    let curve = try RateQualityCurve(Self.ladder)
    #expect(curve.bytes(at: 29.99) == nil)
    #expect(curve.bytes(at: 90.01) == nil)
  }

  @Test func pointsOfEqualBytesAreOne() throws {
    let plateau = Self.ladder + [Point(score: 90, bytes: 9000), Point(score: 50, bytes: 2000)]
    let curve = try RateQualityCurve(plateau)
    #expect(curve.points.count == 4)
    #expect(curve.dominatedPoints == 0)
  }

  @Test func timesOfEqualBytesAreAveraged() throws {
    var points = Self.ladder.map { Point(score: $0.score, bytes: $0.bytes, cpu: [.encode: 10]) }
    points.append(Point(score: 50, bytes: 2000, cpu: [.encode: 30]))
    let curve = try RateQualityCurve(points)
    let time = try #require(curve.cpu(.encode, at: 50))
    #expect(abs(time - 20) < 1e-9)
    #expect(curve.cpu(.decode, at: 50) == nil)
  }

  @Test func ofEqualBytesTheBestScoreCounts() throws {
    let curve = try RateQualityCurve(Self.ladder + [Point(score: 46, bytes: 2000)])
    #expect(curve.points == Self.ladder)
    #expect(curve.dominatedPoints == 0)
  }

  @Test("of equal bytes, the lowest quality with the best score counts, in any order")
  func qualityOfEqualBytes() throws {
    let ladder = Self.ladder.enumerated().map { place, point in
      Point(score: point.score, bytes: point.bytes, quality: 0.2 + 0.2 * Double(place))
    }
    let same = [
      Point(score: 46, bytes: 2000, quality: 0.38), Point(score: 50, bytes: 2000, quality: 0.42),
    ]
    for points in [ladder + same, same + ladder, Array((ladder + same).reversed())] {
      #expect(try RateQualityCurve(points).points == ladder)
    }
  }

  @Test func aBeatenPointIsLeftOutAndCounted() throws {
    let curve = try RateQualityCurve(Self.ladder + [Point(score: 69, bytes: 4500)])
    #expect(curve.dominatedPoints == 1)
    #expect(curve.points == Self.ladder)
  }

  @Test func pointsWithoutOrderGiveNoCurve() {
    let falling = [
      Point(score: 90, bytes: 1000), Point(score: 70, bytes: 2000), Point(score: 50, bytes: 4000),
      Point(score: 95, bytes: 9000),
    ]
    #expect(throws: CurveProblem.notMonotone) { try RateQualityCurve(falling) }
  }

  @Test func fewPointsGiveNoAverages() throws {
    let thin = try RateQualityCurve(Array(Self.ladder.prefix(3)))
    #expect(!thin.isComplete)
    #expect(thin.bytes(at: 40) == nil)
    #expect(thin.meanLogBytes(over: 30...70) == nil)
    #expect(throws: CurveProblem.tooFewPoints) { try RateQualityCurve([Point(score: 1, bytes: 1)]) }
  }

  @Test func narrowRangesHaveAveragesAndEmptyOnesNone() throws {
    let curve = try RateQualityCurve(Self.ladder)
    let mean = try #require(curve.meanLogBytes(over: 49.75...50.25))
    #expect(abs(exp(mean) - 2000) < 5)
    #expect(curve.meanLogBytes(over: 50...50) == nil)
  }

  @Test func aSpreadAtTheLimitIsClose() {
    let point = Self.ladder[0]
    for closeness in [Bracket.Closeness.trusted, .fine] {
      #expect(Bracket(lower: point, upper: point, spread: closeness.rawValue).isClose(closeness))
      #expect(!Bracket(lower: point, upper: point, spread: closeness.rawValue.nextUp).isClose(closeness))
    }
  }

  @Test func closeNeighboursOfAThinCurveHold() throws {
    let probes = [
      Point(score: 60, bytes: 3000), Point(score: 79, bytes: 5000), Point(score: 81, bytes: 5500),
    ]
    let curve = try RateQualityCurve(probes)
    let bytes = try #require(curve.bytes(at: 80))
    #expect((5000...5500).contains(bytes))
    #expect(curve.bytes(at: 70) == nil)
    #expect(curve.bytes(at: 60) == 3000 || abs((curve.bytes(at: 60) ?? 0) - 3000) < 1e-6)
  }

  @Test("Points far apart give no figure between them, however many there are")
  func wideBracketsGiveNoFigure() throws {
    // JPEG's knee: a threefold step at the end of a dense curve.
    var points = (0..<20).map { Point(score: 60 + Double($0), bytes: 10_000 + 700 * $0) }
    points.append(Point(score: 92, bytes: 70_000))
    let curve = try RateQualityCurve(points)
    #expect(curve.bytes(at: 75.5) != nil)
    #expect(curve.bytes(at: 90) == nil)
    #expect(curve.drawnBytes(at: 90) != nil)
    #expect(curve.bytes(at: 92) != nil)
    // Close to a point there is a figure, even in a wide bracket.
    #expect(curve.bytes(at: 79.05) != nil)
    #expect(curve.isMeasured(over: 60...79))
    #expect(!curve.isMeasured(over: 60...80))
  }

  @Test(
    "Closeness is the product of the distances to both neighbours in ln bytes", arguments: [1.3, 1.36])
  func trustsCloseBracketsOnly(step: Double) throws {
    let points = (0..<5).map { Point(score: Double($0), bytes: Int(1e6 * pow(step, Double($0)))) }
    let bracket = try #require(try RateQualityCurve(points).bracket(at: 2.5))
    #expect(abs(bracket.spread - pow(log(step) / 2, 2)) < 1e-4)
    #expect(bracket.isClose(.trusted) == (step < 1.33))
    #expect(!bracket.isClose(.fine))
  }

  @Test func nothingUsableIsMissing() {
    #expect(throws: CurveProblem.missing) { try RateQualityCurve([]) }
    #expect(throws: CurveProblem.missing) {
      try RateQualityCurve([Point(score: .infinity, bytes: 10), Point(score: 3, bytes: 0)])
    }
  }

  @Test func ssimIsTakenInDecibels() throws {
    let ssim = MetricTraits(
      id: "ssim", column: "ssim", title: "SSIM", curveScale: .decibelsBelowOne, decimals: 4)
    let position = try #require(ssim.curvePosition(of: 0.99))
    #expect(abs(position - 20) < 1e-9)
    #expect(abs(ssim.score(atCurvePosition: 20) - 0.99) < 1e-12)
    #expect(ssim.curvePosition(of: 1) == nil)
    #expect(ssim.curvePosition(of: 1.5) == nil)
  }

  @Test func distancesAreTurnedRound() {
    let distance = MetricTraits(
      id: "d", column: "d", title: "Distance", higherIsBetter: false, decimals: 2)
    #expect(distance.curvePosition(of: 1.5) == -1.5)
    #expect(distance.score(atCurvePosition: -1.5) == 1.5)
    #expect(distance.curveRange(of: 1...3) == -3...(-1))
  }
}
