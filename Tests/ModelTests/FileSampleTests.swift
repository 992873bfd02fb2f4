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

  /// Every file comes as often as any other: 3 of 10, so 0.3 of 20,000 draws, with a standard error of 65.
  @Test func everyFileIsAsLikelyAsAnyOther() {
    var counts = [Int](repeating: 0, count: 10)
    for seed in 0..<20_000 {
      for place in FileSample.positions(3, of: 10, seed: UInt64(seed)) { counts[place] += 1 }
    }
    #expect(counts.allSatisfy { abs($0 - 6000) < 325 }, "\(counts)")
  }
}
