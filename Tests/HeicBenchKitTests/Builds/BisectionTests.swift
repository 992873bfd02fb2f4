import Foundation
import Metrics
import Model
import Testing

@testable import Analysis
@testable import HeicBenchKit

@Suite("A search among builds") struct BisectionTests {
  /// Searches among exact values of one image.
  private func search(
    _ values: [Double], of quantity: BuildQuantity = .bytes, compared: inout [String]
  ) throws -> Bisection {
    var seen: [String] = []
    let bisection = try Bisection(quantity, count: values.count, threshold: 2) { before, after in
      seen.append("\(before)-\(after)")
      return try #require(BuildContrast(quantity, before: [values[before]], after: [values[after]]))
    }
    compared = seen
    return bisection
  }

  private func neighbours(_ bisection: Bisection) -> [Int] {
    bisection.moves.map { bisection.steps[$0].after }
  }

  @Test("finds one change with few comparisons", arguments: 1..<16)
  func oneMove(place: Int) throws {
    var compared: [String] = []
    let values = (0..<16).map { $0 < place ? 100.0 : 103 }
    #expect(neighbours(try search(values, compared: &compared)) == [place])
    #expect(compared.count <= 9 && Set(compared).count == compared.count)
  }

  @Test("finds each of several changes")
  func severalMoves() throws {
    var compared: [String] = []
    let values: [Double] = [100, 100, 110, 110, 110, 121, 121, 121]
    #expect(neighbours(try search(values, compared: &compared)) == [2, 5])
  }

  @Test("compares only the ends if nothing changed, and finds gradual changes")
  func noMove() throws {
    var compared: [String] = []
    #expect(neighbours(try search([100, 120, 101], compared: &compared)) == [])
    #expect(compared == ["0-2"])
    let slow = try search([100, 101.5, 103], compared: &compared)
    #expect(slow.moves == [] && slow.gradual == [0])
    #expect(try search([7], compared: &compared).steps.isEmpty)
  }

  @Test("a score changes by points, whatever its size")
  func points() throws {
    let contrast = try #require(BuildContrast(.score(.headline), before: [-3, 50], after: [-1, 55]))
    #expect(contrast.change == 3.5 && contrast.verdict(threshold: 3) == .moved)
    #expect(contrast.verdict(threshold: 4) == .same)
  }

  @Test("changes of a metric are on the scale of its curves, and equal files do not change")
  func metrics() throws {
    for metric in MetricTraits.standard {
      let quantity = BuildQuantity.score(metric)
      let contrast = try #require(
        BuildContrast(quantity, before: [0.9, .infinity], after: [0.99, .infinity]))
      // 1 − 0.9 is ten times 1 − 0.99: 10 dB; 0.99 is 1.1 times 0.9: 0.414 dB.
      let half = [
        MetricTraits.CurveScale.identity: 0.045, .decibelsBelowOne: 5, .decibels: 0.20696342579112,
      ]
      #expect(abs(contrast.change - (half[metric.curveScale] ?? .nan)) < 1e-9, "\(metric.id)")
      let isInDecibels = metric.curveScale != .identity || metric.unit == "dB"
      #expect(quantity.unit == (isInDecibels ? "dB" : "points"), "\(metric.id)")
    }
    var request = BisectRequest(images: [], builds: [])
    #expect(try request.followed() == [.bytes, .score(.headline)])
    (request.metrics, request.quantities) = (MetricTraits.standard.map(\.id), [.score, .decode])
    #expect(
      try request.followed() == MetricTraits.standard.map { .score($0) } + [.time(.decode)])
  }

  @Test("the interval over rounds decides, or says that it cannot")
  func rounds() throws {
    // The logarithms' means are −0.01 and 0.03, with mean 0.01 and deviation 0.0283 / √2. Student's t for 99 % is
    // 63.657.
    let two = try #require(
      BuildContrast(.time(.encode), rounds: [([1], [0.990049834]), ([1], [1.030454534])]))
    #expect(abs(two.change - 1.005017) < 1e-4)
    #expect(abs(two.upper - 260.795) < 0.01, "\(two.upper)")
    #expect(two.verdict(threshold: 2) == .undecided && two.rounds == 2)
    let steady = (0..<6).map { (before: [1.0, 2.0], after: [1.1 + 0.001 * Double($0 % 2), 2.2]) }
    let moved = try #require(BuildContrast(.time(.decode), rounds: steady))
    #expect(moved.verdict(threshold: 2) == .moved && moved.lower > 9.9 && moved.upper < 10.2)
    #expect(moved.verdict(threshold: 15) == .same)
    #expect(BuildContrast(.time(.decode), rounds: [([1], [1])]) == nil)
    #expect(
      BuildContrast(.time(.decode), before: [0], after: [1]) == nil
        && BuildContrast(.bytes, before: [], after: []) == nil)
  }

  @Test("there are few looks, and the time left is estimated from the spread so far")
  func looks() throws {
    #expect((0...60).filter(BuildContrast.isLook) == [5, 7, 9, 12, 16, 22, 30, 42, 58])
    let rounds = [0.99, 1.01, 0.99, 1.01, 0.99].map { (before: [1.0], after: [$0]) }
    let contrast = try #require(BuildContrast(.time(.decode), rounds: rounds))
    // The mean is −0.205 % and half the interval 2.263 points. At most 1.795 decides, which takes 5 × (2.263 / 1.795)²
    // = 7.9 rounds.
    #expect(contrast.verdict(threshold: 2) == .undecided && contrast.roundsToDecide(threshold: 2) == 9)
    #expect(contrast.roundsToDecide(threshold: abs(contrast.change)) == nil)
    let exact = try #require(BuildContrast(.bytes, before: [1], after: [2]))
    #expect(exact.roundsToDecide(threshold: 2) == nil)
  }

  @Test("a change of exactly the threshold is rarely taken for more or less")
  func falseDecisions() throws {
    var generator = SeededGenerator(seed: 7)
    let trials = 400
    var decided = 0
    for _ in 0..<trials {
      var rounds: [(before: [Double], after: [Double])] = []
      var isDecided = false
      while rounds.count < 60, !isDecided {
        // A sum of twelve is close to normal, with a deviation of 1. These times have a deviation of 3 %.
        let noise = (0..<12).reduce(-6.0) { sum, _ in sum + generator.unit() }
        rounds.append(([1], [1.02 * exp(0.03 * noise)]))
        guard BuildContrast.isLook(rounds.count) else { continue }
        isDecided = BuildContrast(.time(.decode), rounds: rounds)?.verdict(threshold: 2) != .undecided
      }
      decided += isDecided ? 1 : 0
    }
    #expect(decided <= trials * 7 / 100, "\(decided)")
  }

  @Test("Student's t for 99 %, from a table", arguments: [(1, 63.657), (4, 4.604), (9, 3.250), (30, 2.750)])
  func student(degrees: Int, t: Double) {
    #expect(abs(StudentT.quantile(central: 0.99, degreesOfFreedom: degrees) - t) < 5e-4)
  }
}
