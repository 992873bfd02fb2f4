import Model
import Pixels
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct PointSchedulerTests {
  private func work(_ index: Int, side: Int, points: Int) -> ImageWork {
    let identity = ImageIdentity(name: "\(index)", contentHash: "")
    let header = ImageHeader(
      format: "script", width: side, height: side, bitDepth: 8, layout: .gray, isLossy: false)
    let keys = (0..<points).compactMap { Quality(thousandths: $0) }.map {
      Case(
        image: identity, preparation: "", variant: CodecVariant(codec: "scripted"), quality: $0, libraries: ""
      )
    }
    return ImageWork(
      index: index, entry: CorpusEntry(identity: identity, path: [], fileBytes: 0, header: header),
      points: keys[...])
  }

  private func scheduler(_ images: [ImageWork], budget: Int = 1 << 40) -> PointScheduler {
    var left = images[...]
    return PointScheduler(budget: MemoryBudget(total: budget)) { left.popFirst() }
  }

  /// The image that a slot gets, or nil for nothing; -1 for waiting.
  private func image(_ scheduler: inout PointScheduler, _ slot: Int) throws -> Int? {
    switch try scheduler.next(for: slot) {
    case .point(let work, _): work.index
    case .wait: -1
    case .nothing: nil
    }
  }

  @Test func aSlotStaysWithItsImageAndHelpsAtTheEnd() throws {
    var scheduler = scheduler([work(0, side: 10, points: 3), work(1, side: 10, points: 5)])
    #expect(try image(&scheduler, 0) == 0)
    #expect(try image(&scheduler, 1) == 1)
    #expect(try image(&scheduler, 0) == 0)
    #expect(try image(&scheduler, 0) == 0)
    // Nothing is left to begin: image 1 has four points to share.
    #expect(try image(&scheduler, 0) == 1)
    #expect(try image(&scheduler, 1) == 1)
    #expect(try image(&scheduler, 0) == 1)
    #expect(try image(&scheduler, 1) == 1)
    #expect(try image(&scheduler, 0) == nil)
    #expect(try image(&scheduler, 1) == nil)
  }

  @Test func everyPointIsGivenOnce() throws {
    var generator = SeededGenerator(seed: 7)
    let images = (0..<20).map { work($0, side: 10, points: Int.random(in: 0...6, using: &generator)) }
    var scheduler = scheduler(images)
    var given: [String: Int] = [:]
    var idle = 0
    while idle < 100 {
      let slot = Int.random(in: 0..<4, using: &generator)
      guard case .point(let work, let key) = try scheduler.next(for: slot) else {
        idle += 1
        continue
      }
      given["\(work.index) \(key.quality)", default: 0] += 1
    }
    #expect(given.count == images.reduce(0) { $0 + $1.points.count })
    #expect(given.values.allSatisfy { $0 == 1 })
  }

  @Test func largeImagesWaitForEachOther() throws {
    // 4 megapixels at 40 bytes and what a worker takes: 232 MB each, so two do not fit into 400 MB.
    var scheduler = scheduler(
      [work(0, side: 2000, points: 1), work(1, side: 2000, points: 1)], budget: 400_000_000)
    #expect(try image(&scheduler, 0) == 0)
    #expect(try image(&scheduler, 1) == -1)
    #expect(try image(&scheduler, 0) == 1)
    #expect(try image(&scheduler, 0) == nil)
    #expect(try image(&scheduler, 1) == nil)
  }

  @Test func anImageBeyondTheBudgetRunsAlone() throws {
    var scheduler = scheduler(
      [work(0, side: 10, points: 1), work(1, side: 30_000, points: 2), work(2, side: 10, points: 1)],
      budget: 400_000_000)
    #expect(try image(&scheduler, 0) == 0)
    #expect(try image(&scheduler, 1) == -1)
    #expect(try image(&scheduler, 0) == 1)
    #expect(try image(&scheduler, 1) == -1)
    #expect(try image(&scheduler, 0) == 1)
    #expect(try image(&scheduler, 0) == 2)
    #expect(try image(&scheduler, 1) == nil)
  }

  @Test func aHeaderWithImpossibleSizesDoesNotTrap() throws {
    var scheduler = scheduler([work(0, side: .max, points: 1), work(1, side: 1, points: 1)])
    #expect(try image(&scheduler, 0) == 0)
    #expect(try image(&scheduler, 1) == -1)
  }

  @Test func whatIsDroppedIsNotGivenAnyMore() throws {
    var scheduler = scheduler([work(0, side: 10, points: 3), work(1, side: 10, points: 1)])
    #expect(try image(&scheduler, 0) == 0)
    #expect(scheduler.drop(0).count == 2)
    #expect(try image(&scheduler, 0) == 1)
    #expect(try image(&scheduler, 0) == nil)
  }

  @Test func aPeakBeyondExpectationsRaisesThem() {
    var budget = MemoryBudget(total: 1 << 30)
    let before = budget.expectation(pixels: 1_000_000)
    budget.learn(peakBytes: 300 << 20, pixels: 1_000_000)
    #expect(budget.expectation(pixels: 1_000_000) > before)
    #expect(abs(budget.expectation(pixels: 1_000_000) - Double(300 << 20)) < 1)
    let learned = budget.expectation(pixels: 1_000_000)
    budget.learn(peakBytes: 100 << 20, pixels: 1_000_000)
    #expect(budget.expectation(pixels: 1_000_000) == learned)
    budget.learn(peakBytes: .min, pixels: 1_000_000)
    #expect(budget.expectation(pixels: 1_000_000) == learned)
  }
}
