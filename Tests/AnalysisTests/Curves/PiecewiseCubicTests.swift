import Model
import Testing

@testable import Analysis

@Suite struct PiecewiseCubicTests {
  /// A curve by SciPy 1.17's PchipInterpolator at 0, 10, 30, 55, 80, 97 and 100 % of its domain, and its integral from
  /// 0.25 after the start to 0.3 before the end.
  struct Reference: Sendable {
    var x: [Double]
    var y: [Double]
    var values: [Double]
    var integral: Double
  }

  static let references = [
    Reference(
      x: [0, 1, 2.5, 4, 7], y: [0, 1, 1.2, 3, 3.1],
      values: [
        0, 0.8323937190082645, 1.1326857912457913, 2.944033288590604, 3.0802489684315186, 3.0995895181208057,
        3.1,
      ], integral: 13.656911004302097),
    Reference(
      x: [0, 1, 2, 3, 5, 6], y: [1, 3, 2, 2, 8, 7],
      values: [1, 2.632, 2.104, 2.3645, 7.832, 7.367944, 7], integral: 21.941757725694444),
    Reference(
      x: [0, 0.5, 3], y: [0, 4, 3], values: [0, 3.0432, 3.995904, 3.902664, 3.561024, 3.104158656, 3],
      integral: 9.298888316666666),
    Reference(x: [1, 2], y: [3, 5], values: [3, 3.2, 3.6, 4.1, 4.6, 4.94, 5], integral: 1.7775),
  ]

  @Test(arguments: references)
  func agreesWithSciPy(reference: Reference) throws {
    let curve = try #require(PiecewiseCubic(x: reference.x, y: reference.y))
    let (start, end) = (curve.domain.lowerBound, curve.domain.upperBound)
    for (share, expected) in zip([0, 0.1, 0.3, 0.55, 0.8, 0.97, 1], reference.values) {
      let value = try #require(curve.value(at: min(start + (end - start) * share, end)))
      #expect(abs(value - expected) < 1e-12)
    }
    let integral = try #require(curve.integral(over: (start + 0.25)...(end - 0.3)))
    #expect(abs(integral - reference.integral) < 1e-12)
  }

  @Test func monotonePointsGiveAMonotoneCurve() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      var (x, y) = ([0.0], [0.0])
      for _ in 0..<8 {
        x.append((x.last ?? 0) + 0.01 + generator.unit())
        y.append((y.last ?? 0) + generator.unit() * generator.unit() * 10)
      }
      let curve = try #require(PiecewiseCubic(x: x, y: y))
      let values = (0...500).compactMap { step in
        curve.value(at: min(curve.domain.upperBound * Double(step) / 500, curve.domain.upperBound))
      }
      #expect(values.count == 501)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
    }
  }

  @Test func nothingBeyondThePoints() throws {
    let curve = try #require(PiecewiseCubic(x: [1, 2, 3], y: [1, 4, 5]))
    #expect(curve.value(at: 0.999) == nil)
    #expect(curve.value(at: 3.001) == nil)
    #expect(curve.value(at: .nan) == nil)
    #expect(curve.integral(over: 0.5...2) == nil)
    #expect(curve.integral(over: 2...3.5) == nil)
  }

  @Test func unusablePointsAreRefused() {
    #expect(PiecewiseCubic(x: [1], y: [1]) == nil)
    #expect(PiecewiseCubic(x: [1, 1], y: [1, 2]) == nil)
    #expect(PiecewiseCubic(x: [2, 1], y: [1, 2]) == nil)
    #expect(PiecewiseCubic(x: [1, 2], y: [1]) == nil)
    #expect(PiecewiseCubic(x: [1, .infinity], y: [1, 2]) == nil)
    #expect(PiecewiseCubic(x: [1, 2], y: [1, .nan]) == nil)
  }
}
