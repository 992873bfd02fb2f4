import Model
import Pixels
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct ImageSchedulerTests {
  /// Images with these numbers of pixels per side and of points, scheduled in order.
  private struct Images {
    private let images: [(side: Int, points: Int)]
    private var left: Range<Int>
    private(set) var waiting: [Int: ArraySlice<Int>] = [:]
    private var scheduler: ImageScheduler

    init(_ images: [(side: Int, points: Int)], budget: Int = 1 << 40) {
      (self.images, left) = (images, images.indices)
      scheduler = ImageScheduler(budget: MemoryBudget(total: budget))
    }

    /// A point, by its image and number. The image is -1 if the session has to wait.
    mutating func next(_ session: Int) throws -> (image: Int, point: Int)? {
      let images = images
      var (left, added) = (left, [Int: ArraySlice<Int>]())
      let choice = scheduler.next(
        for: session, among: waiting,
        pixels: { images[$0].side < 1 << 31 ? images[$0].side * images[$0].side : .max }
      ) {
        let image = left.first { images[$0].points > 0 }
        left = (image.map { $0 + 1 } ?? left.upperBound)..<left.upperBound
        if let image { added[image] = Array(0..<images[image].points)[...] }
        return image
      }
      self.left = left
      waiting.merge(added) { $1 }
      switch choice {
      case .image(let image):
        let next = waiting[image]?.popFirst()
        let point = try #require(next)
        if waiting[image]?.isEmpty == true { waiting[image] = nil }
        return (image, point)
      case .wait: return (-1, 0)
      case .nothing: return nil
      }
    }

    mutating func add(_ points: Int, to image: Int) { waiting[image, default: []] += Array(0..<points) }

    mutating func drop(_ image: Int) -> Int { waiting.removeValue(forKey: image)?.count ?? 0 }
  }

  @Test func aSessionStaysWithItsImageAndHelpsAtTheEnd() throws {
    var images = Images([(side: 10, points: 3), (side: 10, points: 5)])
    #expect(try images.next(0)?.image == 0)
    #expect(try images.next(1)?.image == 1)
    #expect(try images.next(0)?.image == 0)
    #expect(try images.next(0)?.image == 0)
    // No image is left to begin, so the session helps with image 1, which has four points left.
    #expect(try images.next(0)?.image == 1)
    #expect(try images.next(1)?.image == 1)
    #expect(try images.next(0)?.image == 1)
    #expect(try images.next(1)?.image == 1)
    #expect(try images.next(0)?.image == nil)
    #expect(try images.next(1)?.image == nil)
  }

  @Test func everyPointIsGivenOnce() throws {
    var generator = SeededGenerator(seed: 7)
    let points = (0..<20).map { _ in Int.random(in: 0...6, using: &generator) }
    var images = Images(points.map { (side: 10, points: $0) })
    var given: [[Int]: Int] = [:]
    var idle = 0
    while idle < 100 {
      guard let (image, point) = try images.next(Int.random(in: 0..<4, using: &generator)) else {
        idle += 1
        continue
      }
      given[[image, point], default: 0] += 1
    }
    #expect(given.count == points.reduce(0, +))
    #expect(given.values.allSatisfy { $0 == 1 })
  }

  @Test func largeImagesWaitForEachOther() throws {
    // 4 megapixels at 40 bytes plus the worker's own memory are 232 MB each, so two do not fit into 400 MB.
    var images = Images([(side: 2000, points: 1), (side: 2000, points: 1)], budget: 400_000_000)
    #expect(try images.next(0)?.image == 0)
    #expect(try images.next(1)?.image == -1)
    #expect(try images.next(0)?.image == 1)
    #expect(try images.next(0)?.image == nil)
    #expect(try images.next(1)?.image == nil)
  }

  @Test func anImageBeyondTheBudgetRunsAlone() throws {
    var images = Images(
      [(side: 10, points: 1), (side: 30_000, points: 2), (side: 10, points: 1)],
      budget: 400_000_000)
    #expect(try images.next(0)?.image == 0)
    #expect(try images.next(1)?.image == -1)
    #expect(try images.next(0)?.image == 1)
    #expect(try images.next(1)?.image == -1)
    #expect(try images.next(0)?.image == 1)
    #expect(try images.next(0)?.image == 2)
    #expect(try images.next(1)?.image == nil)
  }

  @Test func aHeaderWithImpossibleSizesDoesNotTrap() throws {
    var images = Images([(side: .max, points: 1), (side: 1, points: 1)])
    #expect(try images.next(0)?.image == 0)
    #expect(try images.next(1)?.image == -1)
  }

  @Test func whatIsDroppedIsNotGivenAnyMore() throws {
    var images = Images([(side: 10, points: 3), (side: 10, points: 1)])
    #expect(try images.next(0)?.image == 0)
    #expect(images.drop(0) == 2)
    #expect(try images.next(0)?.image == 1)
    #expect(try images.next(0)?.image == nil)
  }

  @Test func anImageThatReturnsStaysWithItsSession() throws {
    var images = Images([(side: 2000, points: 1), (side: 10, points: 1)], budget: 400_000_000)
    #expect(try images.next(0)?.image == 0)
    images.add(2, to: 0)
    #expect(try images.next(1)?.image == 1)
    #expect(try images.next(0)?.image == 0)
    // It would need the memory twice.
    #expect(try images.next(1)?.image == -1)
    #expect(try images.next(0)?.image == 0)
    #expect(try images.next(0) == nil)
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
