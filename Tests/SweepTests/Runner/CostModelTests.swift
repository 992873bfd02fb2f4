import Foundation
import Model
import TestSupport
import Testing

@testable import Sweep

/// What points are expected to cost, against machines that are formulas.
@Suite struct CostModelTests {
  private let heic = CodecVariant(codec: "heic")
  private let jpeg = CodecVariant(codec: "jpeg")
  private let grid = (1...10).compactMap { Quality(thousandths: $0 * 100) }

  private func key(_ variant: CodecVariant, _ quality: Quality) -> PointKey {
    PointKey(
      image: ImageIdentity(name: "a", contentHash: ""), preparation: "", variant: variant, quality: quality,
      libraries: "")
  }

  /// A codec on a machine: seconds by megapixels and quality.
  struct Machine: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var seconds: @Sendable (Double, Double) -> Double
  }

  /// Time that grows with what is written, and less than in proportion to pixels.
  static let slow = Machine(testDescription: "slow") { size, quality in
    1.1 * pow(size, 0.8) * (0.3 + 1.4 * quality)
  }
  /// Scoring alone, whatever the quality.
  static let flat = Machine(testDescription: "flat") { size, _ in 0.04 * size }

  @Test(
    "The whole is told from a tenth of the work: some middle qualities of the smaller images",
    arguments: [Self.slow, Self.flat], [UInt64(1), 2, 3])
  func theWholeIsTold(machine: Machine, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sizes = [0.4, 0.4, 0.5, 0.8, 1, 1, 2, 3, 4, 8, 12, 16]
    // Images differ by their content, by a fifth.
    let contents = sizes.map { _ in exp(0.4 * (generator.unit() - 0.5)) }
    var costs = CostModel()
    var (left, told) = (0.0, 0.0)
    for (size, content) in zip(sizes, contents) {
      let pixels = size * 1e6
      for quality in grid {
        let seconds = content * machine.seconds(size, quality.value)
        if size <= 4, (0.3...0.6).contains(quality.value) {
          costs.learn(key(heic, quality), pixels: Int(pixels), seconds: seconds)
        } else {
          left += seconds
        }
      }
    }
    for size in sizes {
      for quality in grid where size > 4 || !(0.3...0.6).contains(quality.value) {
        told += try #require(costs.seconds(heic, quality, pixels: size * 1e6, images: 1))
      }
    }
    #expect(abs(told / left - 1) < 0.25, "\(told) for \(left)")
  }

  @Test func whatWasNotSeenIsTheMeanOfTheOthers() throws {
    var costs = CostModel()
    let quality = grid[4]
    #expect(costs.seconds(jpeg, quality, pixels: 1e6, images: 1) == nil)
    costs.learn(key(heic, quality), pixels: 1_000_000, seconds: 3)
    let expected = try #require(costs.seconds(jpeg, quality, pixels: 1e6, images: 1))
    #expect(abs(expected - 3) < 0.01)
    #expect(costs.knows(heic) && !costs.knows(jpeg))
  }

  @Test func numbersFromElsewhereAreNoTrap() throws {
    var costs = CostModel()
    for (pixels, seconds) in [(0, 1.0), (-5, 1), (100, .nan), (100, .infinity), (100, 0), (100, -1)] {
      costs.learn(key(heic, grid[0]), pixels: pixels, seconds: seconds)
    }
    #expect(!costs.knows(heic))
    costs.learn(key(heic, grid[0]), pixels: .max, seconds: 1e300)
    #expect(costs.seconds(heic, grid[9], pixels: 0, images: 3) == 0)
    #expect(costs.seconds(heic, grid[9], pixels: 1e6, images: 1)?.isNaN == false)
    costs.learnOpening(pixels: 0, seconds: 1)
    #expect(costs.opening(pixels: 1) == nil)
    costs.learnOpening(pixels: 1_000_000, seconds: 0.5)
    #expect(costs.opening(pixels: 2e6) == 1)
  }
}
