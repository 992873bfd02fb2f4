import Testing

@testable import HeicBenchKit
@testable import Model

@Suite struct CoarseOrderTests {
  private func order(_ pixels: [Int], jobs: Int) -> [Int] {
    CoarseStrategy.order(ofPixels: pixels, names: pixels.indices.map { "image\($0)" }, jobs: jobs)
  }

  @Test("images begin in random order, whatever their size", arguments: [1, 2, 8]) func byChance(jobs: Int) {
    // However many workers there are, one is left for the images that are alike.
    let pixels = Array(repeating: [5, 3, 4], count: 80).flatMap { $0 }
    let order = order(pixels, jobs: jobs)
    #expect(order.sorted() == Array(pixels.indices) && order != order.sorted())
    // The first third of them has a mean close to that of all, unlike the first third by size.
    let mean = Double(order.prefix(80).reduce(0) { $0 + pixels[$1] }) / 80
    #expect(abs(mean - 4) < 0.3, "\(mean)")
  }

  @Test("an image keeps its place among others when the folder grows") func stable() {
    let names = (0..<40).map { "image\($0)" }
    let few = FileSample.order(of: Array(names.prefix(20))).map { names[$0] }
    let all = FileSample.order(of: names).map { names[$0] }
    #expect(all.filter(few.contains) == few)
  }

  @Test(
    "an image that takes longer than all others together begins at once",
    arguments: [
      ([2, 12, 1, 2, 4], 2, [1]), ([2, 9, 1, 2, 4], 2, []), ([2, 12, 1, 2, 4], 1, []),
      ([1, 20, 30, 1, 1], 3, [2, 1]), ([1, 20, 30, 1, 1], 2, [2]),
    ])
  func large(pixels: [Int], jobs: Int, early: [Int]) {
    let chance = FileSample.order(of: pixels.indices.map { "image\($0)" })
    #expect(order(pixels, jobs: jobs) == early + chance.filter { !early.contains($0) })
  }

  @Test("odd plans are ordered, too") func odd() {
    #expect(order([], jobs: 2).isEmpty)
    #expect(order([7], jobs: 2) == [0])
    #expect(order([.max, .max, 1], jobs: 3).count == 3)
  }
}
