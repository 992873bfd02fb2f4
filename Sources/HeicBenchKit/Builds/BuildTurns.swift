import Model

/// The state of timing rounds: the image that is next, and how long each image took with each build.
///
/// Images come in random order, all of them before any repeats; the build that goes first is random, too.
package struct BuildTurns: Sendable {
  private struct Place: Hashable {
    let build: Int
    let image: Int
  }

  private var generator: SeededGenerator
  private var left: [Int] = []
  private var known: [Place: Double] = [:]

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The index of the next image, of `count` images.
  mutating func image(of count: Int) -> Int {
    if left.isEmpty { left = (0..<count).shuffled(using: &generator) }
    return left.removeLast()
  }

  /// True if the first of two builds goes first.
  mutating func isFirst() -> Bool { Bool.random(using: &generator) }

  /// The seconds that a build last took for an image; nil before its first turn.
  func seconds(of build: Int, image: Int) -> Double? { known[Place(build: build, image: image)] }

  mutating func keep(_ seconds: Double, of build: Int, image: Int) {
    known[Place(build: build, image: image)] = seconds
  }
}
