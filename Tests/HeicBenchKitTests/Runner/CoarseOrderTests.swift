import Testing

@testable import HeicBenchKit

@Suite struct CoarseOrderTests {
  @Test("the smallest first", arguments: [1, 2, 8]) func ascending(jobs: Int) {
    // However many workers there are, one is left for the images that are alike.
    let pixels = Array(repeating: [5, 3, 4], count: 8).flatMap { $0 }
    let order = CoarseStrategy.order(ofPixels: pixels, jobs: jobs)
    #expect(order.sorted() == Array(pixels.indices))
    #expect(order.map { pixels[$0] } == pixels.sorted())
    #expect(Array(order.prefix(2)) == [1, 4])
  }

  @Test(
    "what keeps a worker busy longer than all others do is begun at once",
    arguments: [
      ([2, 12, 1, 2, 4], 2, [1, 2, 0, 3, 4]), ([2, 9, 1, 2, 4], 2, [2, 0, 3, 4, 1]),
      ([2, 12, 1, 2, 4], 1, [2, 0, 3, 4, 1]), ([1, 20, 30, 1, 1], 3, [2, 1, 0, 3, 4]),
      ([1, 20, 30, 1, 1], 2, [2, 0, 3, 4, 1]),
    ])
  func large(pixels: [Int], jobs: Int, order: [Int]) {
    #expect(CoarseStrategy.order(ofPixels: pixels, jobs: jobs) == order)
  }

  @Test("odd plans are put in order, too") func odd() {
    #expect(CoarseStrategy.order(ofPixels: [], jobs: 2).isEmpty)
    #expect(CoarseStrategy.order(ofPixels: [7], jobs: 2) == [0])
    #expect(CoarseStrategy.order(ofPixels: [0, 0, 7], jobs: 2) == [0, 1, 2])
    #expect(CoarseStrategy.order(ofPixels: [.max, .max, 1], jobs: 3).count == 3)
  }
}
