import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import HeicBenchKit

/// The expected cost of points.
@Suite struct WorkLeftTests {
  private let heic = CodecVariant(codec: "heic")
  private let jpeg = CodecVariant(codec: "jpeg")

  /// A plan over images with these megapixels, with the key of each point by image.
  private func plan(_ megapixels: [Double], _ variants: [CodecVariant], qualities: [Int]) -> SweepPlan {
    SweepPlan(
      entries: megapixels.enumerated().map { index, size in
        CorpusEntry(
          identity: ImageIdentity(name: "\(index)", contentHash: ""), path: [], fileBytes: 0,
          header: ImageHeader(
            format: "png", width: Int(size * 1e6), height: 1, bitDepth: 8, layout: .rgb, isLossy: false))
      },
      variants: variants.map { VariantDescription(variant: $0, libraries: [], threads: 1) },
      qualities: qualities.compactMap { Quality(thousandths: $0) }, preparation: Preparation(), metrics: [])
  }

  /// Learns some points of a plan, and removes them from the work that is left.
  private func learn(
    _ plan: SweepPlan, _ left: inout WorkLeft, _ seconds: (Case, Double) -> Double?
  ) throws {
    for (image, entry) in plan.entries.enumerated() {
      let size = Double(try #require(entry.header).pixelCount) / 1e6
      for key in plan.points(of: entry) {
        guard let seconds = seconds(key, size) else { continue }
        left.learn(key, of: image, seconds: seconds)
        left.change(key.variant, key.quality, of: image, by: -1)
      }
    }
  }

  @Test(
    "the total is estimated from some middle qualities of the smaller images", arguments: [0.0, 1],
    [UInt64(1), 2, 3])
  func theWholeIsTold(steepness: Double, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sizes = [0.4, 0.4, 0.5, 0.8, 1, 1, 2, 3, 4, 8, 12, 16]
    let plan = plan(sizes, [heic], qualities: Array(stride(from: 100, through: 1000, by: 100)))
    // Images differ in content by a fifth.
    let contents = sizes.map { _ in exp(0.4 * (generator.unit() - 0.5)) }
    var (left, truth) = (WorkLeft(plan), 0.0)
    try learn(plan, &left) { key, size in
      let content = contents[Int(key.image.name) ?? 0]
      let seconds = 2 * content * size * (1 + steepness * (2 * key.quality.value - 1))
      if size <= 4, (0.3...0.6).contains(key.quality.value) { return seconds }
      truth += seconds
      return nil
    }
    let told = try #require(left.amount()).coding
    #expect(told < 1.5 * truth && truth < 1.5 * told, "\(told) for \(truth)")
  }

  @Test("a codec that has not run yet has a figure from those that have")
  func unseen() throws {
    let plan = plan([1, 1, 1, 1], [jpeg, heic], qualities: [500])
    var left = WorkLeft(plan)
    #expect(left.amount() == nil)
    // A machine that takes twice as long as the one that the figures come from.
    try learn(plan, &left) { key, _ in key.variant == jpeg ? 0.013 : nil }
    let coding = try #require(left.amount()).coding
    #expect((7.5...11).contains(coding), "four images at 2.4 s: \(coding)")
    // Nothing is known about other settings.
    let fast = CodecVariant(codec: "heic", settings: ["preset": "ultrafast"])
    let other = self.plan([1, 1], [jpeg, fast], qualities: [500])
    var unknown = WorkLeft(other)
    try learn(other, &unknown) { key, _ in key.variant == jpeg ? 0.013 : nil }
    #expect(unknown.amount() == nil)
  }

  @Test func numbersFromElsewhereAreNoTrap() throws {
    let plan = plan([0, 1], [heic], qualities: [100, 900])
    var left = WorkLeft(plan)
    for seconds in [Double.nan, .infinity, 0, -1, 1e300] {
      try learn(plan, &left) { _, _ in seconds }
    }
    #expect(left.amount()?.coding == 0)
    left.learn(plan.points(of: plan.entries[1])[0], of: 1, seconds: 1)
    left.change(heic, try #require(Quality(thousandths: 900)), of: 1, by: 50)
    #expect(try #require(left.amount()).coding.isFinite)
    let key = plan.points(of: plan.entries[1])[0]
    #expect(left.cheapestFirst([key]) == [key] && left.dearestFirst([key]) == [key])
  }
}
