import Testing

@testable import Model

struct FileSampleTests {
  @Test func aLargerSampleHoldsTheSmallerOnes() {
    let small = FileSample.drawn(5, of: 40, seed: 3)
    let large = FileSample.drawn(20, of: 40, seed: 3)
    #expect(small.count == 5 && Array(large.prefix(5)) == small)
    #expect(Set(large).count == 20)
    #expect(FileSample.drawn(5, of: 40, seed: 4) != small)
  }

  @Test func allAreTakenWhereThereAreNoMore() {
    #expect(FileSample.drawn(9, of: 4, seed: 1).sorted() == [0, 1, 2, 3])
    #expect(FileSample.drawn(0, of: 4, seed: 1).isEmpty)
    #expect(FileSample.drawn(3, of: 0, seed: 1).isEmpty)
  }

  @Test func everyFileIsAsLikelyAsAnyOther() {
    var counts = [Int](repeating: 0, count: 10)
    for seed in 0..<20_000 {
      for place in FileSample.drawn(3, of: 10, seed: UInt64(seed)) { counts[place] += 1 }
    }
    #expect(counts.allSatisfy { abs($0 - 6000) < 325 }, "\(counts)")
  }

  /// Neighbouring files are drawn in proportion, and a larger sample contains the smaller ones.
  @Test(arguments: [1 as UInt64, 2, 3]) func anOrderIsSampledEvenly(seed: UInt64) {
    let drawn = FileSample.spread(64, of: 1000, seed: seed)
    #expect(drawn == drawn.sorted() && Set(drawn).count == 64)
    for quarter in 0..<4 {
      let own = drawn.count { (quarter * 250..<quarter * 250 + 250).contains($0) }
      #expect((15...17).contains(own))
    }
    #expect(Set(FileSample.spread(20, of: 1000, seed: seed)).isSubset(of: drawn))
    #expect(FileSample.spread(64, of: 1000, seed: seed + 1) != drawn)
    #expect(
      FileSample.spread(9, of: 7, seed: seed) == Array(0..<7)
        && FileSample.spread(3, of: 0, seed: seed).isEmpty)
  }

  @Test func everyFileOfAnOrderIsAsLikelyAsAnyOther() {
    var counts = [Int](repeating: 0, count: 10)
    for seed in 0..<20_000 {
      for place in FileSample.spread(7, of: 10, seed: UInt64(seed)) { counts[place] += 1 }
    }
    #expect(counts.allSatisfy { abs($0 - 14_000) < 325 }, "\(counts)")
  }
}
