import Model

/// What rounds of times remember: whose turn it is, and how long each image took with each build.
///
/// Images come in an order left to chance, all of them before one comes again, and which build is first is left to
/// chance, too.
package struct BuildTurns: Sendable {
  private struct Place: Hashable {
    let build: Int
    let image: Int
  }

  private var generator: SeededGenerator
  private var left: [Int] = []
  private var known: [Place: Double] = [:]

  /// Begins with the sequence that belongs to a seed.
  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The image whose turn it is, of so many.
  mutating func image(of count: Int) -> Int {
    if left.isEmpty { left = (0..<count).shuffled(using: &generator) }
    return left.removeLast()
  }

  /// Whether the first of two builds begins.
  mutating func isFirst() -> Bool { Bool.random(using: &generator) }

  /// How long a build took for an image when it was last its turn, seconds; nil before that.
  func seconds(of build: Int, image: Int) -> Double? { known[Place(build: build, image: image)] }

  /// Keeps what a build took for an image.
  mutating func keep(_ seconds: Double, of build: Int, image: Int) {
    known[Place(build: build, image: image)] = seconds
  }
}
