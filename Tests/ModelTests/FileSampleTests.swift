import Testing

@testable import Model

struct FileSampleTests {
  @Test func aLargerSampleHoldsTheSmallerOnes() {
    let small = FileSample.positions(5, of: 40, seed: 3)
    let large = FileSample.positions(20, of: 40, seed: 3)
    #expect(small.count == 5 && Set(small).isSubset(of: large))
    #expect(large == large.sorted() && Set(large).count == 20)
    #expect(FileSample.positions(5, of: 40, seed: 4) != small)
  }

  @Test func allAreTakenWhereThereAreNoMore() {
    #expect(FileSample.positions(9, of: 4, seed: 1) == [0, 1, 2, 3])
    #expect(FileSample.positions(0, of: 4, seed: 1).isEmpty)
    #expect(FileSample.positions(3, of: 0, seed: 1).isEmpty)
  }

  @Test func everyKindIsSeenTwiceAndTheRestByBytes() {
    #expect(FileSample.allocation(12, counts: [360, 40], bytes: [1440, 60]) == [10, 2])
    #expect(FileSample.allocation(12, counts: [3, 1, 40], bytes: [900, 90, 10]) == [3, 1, 8])
    #expect(FileSample.allocation(99, counts: [3, 1], bytes: [1, 1]) == [3, 1])
    func allocated(_ size: Int) -> [Int] {
      FileSample.allocation(size, counts: [30, 2, 20, 1], bytes: [700, 30, 900, 1])
    }
    for size in 7..<53 {
      let (less, more) = (allocated(size), allocated(size + 1))
      #expect(
        less.reduce(0, +) == size && zip(less, more).allSatisfy { $0 <= $1 }, "\(size): \(less) \(more)")
    }
  }

  /// Every file comes as often as any other: 3 of 10, so 0.3 of 20,000 draws, with a standard error of 65.
  @Test func everyFileIsAsLikelyAsAnyOther() {
    var counts = [Int](repeating: 0, count: 10)
    for seed in 0..<20_000 {
      for place in FileSample.positions(3, of: 10, seed: UInt64(seed)) { counts[place] += 1 }
    }
    #expect(counts.allSatisfy { abs($0 - 6000) < 325 }, "\(counts)")
  }
}
