import Model
import Testing

@testable import Analysis

@Suite("A search among builds") struct BisectionTests {
  /// Searches among exact values, one image each.
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

  @Test("finds one move with few comparisons", arguments: 1..<16)
  func oneMove(place: Int) throws {
    var compared: [String] = []
    let values = (0..<16).map { $0 < place ? 100.0 : 103 }
    #expect(neighbours(try search(values, compared: &compared)) == [place])
    #expect(compared.count <= 9 && Set(compared).count == compared.count)
  }

  @Test("finds each of several moves")
  func severalMoves() throws {
    var compared: [String] = []
    let values: [Double] = [100, 100, 110, 110, 110, 121, 121, 121]
    #expect(neighbours(try search(values, compared: &compared)) == [2, 5])
  }

  @Test("compares the ends alone where nothing moved, and tells slow changes")
  func noMove() throws {
    var compared: [String] = []
    #expect(neighbours(try search([100, 120, 101], compared: &compared)) == [])
    #expect(compared == ["0-2"])
    let slow = try search([100, 101.5, 103], compared: &compared)
    #expect(slow.moves == [] && slow.gradual == [0])
    #expect(try search([7], compared: &compared).steps.isEmpty)
  }

  @Test("a score moves by points, whatever its size")
  func points() throws {
    let contrast = try #require(BuildContrast(.score, before: [-3, 50], after: [-1, 55]))
    #expect(contrast.change == 3.5 && contrast.verdict(threshold: 3) == .moved)
    #expect(contrast.verdict(threshold: 4) == .same)
  }

  @Test("the interval of rounds decides, or says that it cannot")
  func rounds() throws {
    // Means of the logarithms −0.01 and 0.03: mean 0.01, deviation 0.0283 / √2, Student's t for 99 % 63.657.
    let two = try #require(
      BuildContrast(.encode, rounds: [([1], [0.990049834]), ([1], [1.030454534])]))
    #expect(abs(two.change - 1.005017) < 1e-4)
    #expect(abs(two.upper - 260.795) < 0.01, "\(two.upper)")
    #expect(two.verdict(threshold: 2) == .undecided && two.rounds == 2)
    let steady = (0..<6).map { (before: [1.0, 2.0], after: [1.1 + 0.001 * Double($0 % 2), 2.2]) }
    let moved = try #require(BuildContrast(.decode, rounds: steady))
    #expect(moved.verdict(threshold: 2) == .moved && moved.lower > 9.9 && moved.upper < 10.2)
    #expect(moved.verdict(threshold: 15) == .same)
    #expect(BuildContrast(.decode, rounds: [([1], [1])]) == nil)
    #expect(
      BuildContrast(.decode, before: [0], after: [1]) == nil
        && BuildContrast(.bytes, before: [], after: []) == nil)
  }

  @Test("Student's t for 99 %, from a table", arguments: [(1, 63.657), (4, 4.604), (9, 3.250), (30, 2.750)])
  func student(degrees: Int, t: Double) {
    #expect(abs(StudentT.quantile(central: 0.99, degreesOfFreedom: degrees) - t) < 5e-4)
  }
}
