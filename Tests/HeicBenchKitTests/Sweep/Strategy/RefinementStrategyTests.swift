import Foundation
import Model
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Workers

/// Refinement with scripted codecs, which are formulas of quality, so that the true result is known.
@Suite struct RefinementStrategyTests {
  private static let variant = CodecVariant(codec: "scripted")
  private static let metric = MetricTraits(
    id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2)

  /// A codec as a formula.
  struct Codec: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var point: @Sendable (Int) -> FinishedPoint
  }

  /// Like JPEG's knee: bytes triple over the last tenth of the scale, where the score hardly rises.
  static let knee = Codec(testDescription: "knee") { native in
    let q = Double(native) / 100
    let score = 100 - 90 * pow(1 - q, 0.8) - 7 * q
    let bytes = 20_000 * exp(2 * q + 1.2 * pow(q, 18))
    return FinishedPoint(bytes: Int(bytes), score: score)
  }
  /// Like x265's integer QP: pairs of qualities make the same file, and the scale ends in a plateau.
  static let steps = Codec(testDescription: "steps") { native in
    let q = Double(min(native, 94) / 2 * 2) / 100
    return FinishedPoint(bytes: Int(5_000 * exp(5 * q)), score: 95 - 130 * pow(1 - q, 2.2))
  }

  @Test("fewer qualities need more points between them, and more need no fewer than were counted")
  func expectedPoints() {
    func expected(_ tenths: [Int], _ closeness: Bracket.Closeness = .fine) -> Double {
      Self.strategy(tenths.compactMap { Quality(thousandths: $0 * 100) }, closeness).expectedPoints(
        of: Self.variant)
    }
    let ten = expected(Array(1...10))
    #expect(ten == 6 && expected(Array(0...10)) == ten)
    // Nine photographs needed 8.4 points beside four qualities with JPEG, and 8.6 with HEIC.
    #expect((8.0...11.0).contains(expected([3, 5, 7, 9])))
    #expect((7.0...9.0).contains(expected([3, 5, 7, 9], .trusted)))
    #expect(expected([5]) <= 28)
    #expect(Self.strategy(Self.grid([50])).expectedPoints(of: CodecVariant(codec: "other")) == 0)
  }

  private static func strategy(
    _ grid: [Quality], _ closeness: Bracket.Closeness = .fine
  ) -> RefinementStrategy {
    RefinementStrategy(
      goal: Refinement(metric: metric.id, targets: [50, 70, 80, 90], band: 50...90), metric: metric,
      grid: grid, scales: [variant: .init(native: 0...100, closeness: closeness)])
  }

  private static func grid(_ natives: [Int]) -> [Quality] { natives.compactMap { Quality(native: $0) } }

  /// Continues until the strategy has what it needs.
  private static func refine(
    _ codec: Codec, _ grid: [Quality], _ strategy: RefinementStrategy
  ) -> [Quality: FinishedPoint] {
    var known = Dictionary(
      uniqueKeysWithValues: grid.map { ($0, codec.point($0.nativeValue(in: 0...100))) })
    while true {
      let next = strategy.next(variant, known: known)
      if next.isEmpty { return known }
      for quality in next {
        #expect(known[quality] == nil, "a quality is tried once")
        known[quality] = codec.point(quality.nativeValue(in: 0...100))
      }
    }
  }

  private static func curve(_ points: some Sequence<FinishedPoint>) throws -> RateQualityCurve {
    try RateQualityCurve(
      points.compactMap { point in
        point.bytes.flatMap { bytes in
          point.score.map { RateQualityCurve.Point(score: $0, bytes: bytes) }
        }
      })
  }

  @Test(arguments: [Self.knee, Self.steps], [[10, 20, 30, 40, 50, 60, 70, 80, 90, 100], [30, 60, 90]])
  func figuresAreThoseOfAllQualities(codec: Codec, natives: [Int]) throws {
    let grid = Self.grid(natives)
    let known = Self.refine(codec, grid, Self.strategy(grid))
    let fine = try Self.curve((0...100).map(codec.point))
    let refined = try Self.curve(known.values)
    for target in [50.0, 70, 80, 90] {
      let bytes = try #require(refined.bytes(at: target), "no figure at \(target)")
      let truth = try #require(fine.drawnBytes(at: target))
      #expect(abs(log(bytes / truth)) < 0.01, "at \(target)")
    }
    #expect(known.count < 28)
  }

  @Test("A score beyond the grid is searched for beyond the grid", arguments: [Self.knee, Self.steps])
  func targetsBeyondTheGrid(codec: Codec) throws {
    let grid = Self.grid([55, 60])
    let within = try Self.curve(grid.map { codec.point($0.nativeValue(in: 0...100)) })
    #expect([50.0, 70, 80, 90].filter(within.scores.contains).count < 2)
    let refined = try Self.curve(Self.refine(codec, grid, Self.strategy(grid)).values)
    for target in [50.0, 70, 80, 90] { #expect(refined.bytes(at: target) != nil, "no figure at \(target)") }
  }

  @Test("An unreachable score is tried once, at the end of the scale") func beyondTheScale() {
    let low = Codec(testDescription: "low") { native in
      FinishedPoint(bytes: 1_000 * (native + 1), score: 60 + 0.2 * Double(native))
    }
    let grid = Self.grid([40, 60])
    let known = Self.refine(low, grid, Self.strategy(grid))
    #expect(known.keys.contains { $0.nativeValue(in: 0...100) == 0 })
    #expect(known.keys.contains { $0.nativeValue(in: 0...100) == 100 })
    #expect(known.count < 28)
  }

  @Test func theKneeNeedsPointsThatTheGridHasNot() throws {
    let grid = Self.grid(Array(stride(from: 10, through: 100, by: 10)))
    let coarse = try Self.curve(grid.map { Self.knee.point($0.nativeValue(in: 0...100)) })
    let fine = try Self.curve((0...100).map(Self.knee.point))
    #expect(coarse.bytes(at: 90) == nil)
    // What 0.1.0 would have printed.
    let drawn = try #require(coarse.drawnBytes(at: 90))
    #expect(abs(log(drawn / (try #require(fine.drawnBytes(at: 90))))) > 0.02)
  }

  @Test func aCoarserRuleTakesFewerPoints() {
    let grid = Self.grid(Array(stride(from: 10, through: 100, by: 10)))
    let trusted = Self.refine(Self.steps, grid, Self.strategy(grid, .trusted))
    let fine = Self.refine(Self.steps, grid, Self.strategy(grid, .fine))
    #expect(trusted.count < fine.count)
    #expect((11...16).contains(trusted.count))
  }

  @Test func whatCannotBeMeasuredIsLeft() {
    let grid = Self.grid([30, 60, 90])
    var calls = 0
    var known = Dictionary(
      uniqueKeysWithValues: grid.map { ($0, Self.knee.point($0.nativeValue(in: 0...100))) })
    while case let next = Self.strategy(grid).next(Self.variant, known: known), !next.isEmpty {
      calls += 1
      for quality in next { known[quality] = FinishedPoint() }
      guard calls < 20 else { break }
    }
    #expect(calls < 4)
  }

  @Test func withoutScoresThereIsNothingToRefine() {
    let grid = Self.grid([10, 50, 90])
    let unscored = Dictionary(uniqueKeysWithValues: grid.map { ($0, FinishedPoint(bytes: 1000)) })
    #expect(Self.strategy(grid).next(Self.variant, known: unscored).isEmpty)
    #expect(Self.strategy(grid).next(Self.variant, known: [:]).isEmpty)
    #expect(Self.strategy(grid).next(CodecVariant(codec: "other"), known: unscored).isEmpty)
  }
}
