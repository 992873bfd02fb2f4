import Model
import TestSupport
import Testing

@testable import Analysis

@Suite struct QualitySearchTests {
  /// Runs a search to its end, or up to a number of tries that no search should need.
  private func run(
    _ search: QualitySearch, over value: (Int) -> Double
  ) -> (answer: Int?, tried: [Int]) {
    var search = search
    var tried: [Int] = []
    while let next = search.next, tried.count < 40 {
      tried.append(next)
      search.enter(value(next), at: next)
    }
    return (search.answer, tried)
  }

  /// Scores on a curve like SSIMULACRA2's over libjpeg's scale.
  private func score(_ quality: Int) -> Double { 100 - 4000 / (Double(quality) + 30) }

  @Test func findsTheLowestQualityForEveryTarget() {
    var total = 0
    for target in 0...70 {
      let search = QualitySearch(range: 1...100, target: .atLeast(Double(target)))
      let (answer, tried) = run(search, over: score)
      #expect(answer == (1...100).first { score($0) >= Double(target) })
      #expect(Set(tried).count == tried.count)
      total += tried.count
    }
    #expect(Double(total) / 71 < 6)
  }

  /// The answer does not depend on the start, and a good guess needs few tries.
  @Test func aCloseStartSavesTries() {
    for target in stride(from: 0.0, through: 66, by: 3) {
      let usual = QualitySearch(range: 1...100, target: .atLeast(target))
      let answer = run(usual, over: score).answer ?? 100
      for start in max(1, answer - 40)...min(100, answer + 40) {
        let search = QualitySearch(range: 1...100, target: .atLeast(target), start: start)
        let (found, tried) = run(search, over: score)
        #expect(found == answer && tried.first == start)
        #expect(tried.count <= (abs(start - answer) <= 3 ? 5 : 14), "\(target) from \(start): \(tried)")
      }
    }
  }

  @Test func findsTheHighestQualityWithinASize() {
    let size = { (quality: Int) in 500 * Double(1 << (quality / 10)) * (1 + Double(quality % 10) / 10) }
    for target in stride(from: 600.0, to: 500_000, by: 7_919) {
      let (answer, tried) = run(QualitySearch(range: 0...100, target: .atMost(target)), over: size)
      #expect(answer == (0...100).last { size($0) <= target })
      #expect(tried.count <= 12)
    }
  }

  @Test func stairsOfEqualQualitiesGiveTheFirstStep() {
    let (answer, _) = run(QualitySearch(range: 0...100, target: .atLeast(60))) { Double($0 / 2 * 2) }
    #expect(answer == 60)
  }

  /// A single step leaves nothing to interpolate, so the search must end by halving.
  @Test func aSingleStepIsFoundByHalving() {
    for edge in 0...1000 {
      let (answer, tried) = run(QualitySearch(range: 0...1000, target: .atLeast(10))) { $0 < edge ? 0 : 20 }
      #expect(answer == edge)
      #expect(tried.count <= 15)
    }
  }

  @Test func outOfReachIsSaid() {
    let high = run(QualitySearch(range: 0...100, target: .atLeast(1000)), over: score)
    #expect(high.answer == nil)
    #expect(high.tried.contains(100))
    #expect(QualitySearch(range: 0...100, target: .atLeast(1000)).extreme == 100)
    let small = run(QualitySearch(range: 1...100, target: .atMost(10))) { Double(100 + $0) }
    #expect(small.answer == nil)
    #expect(small.tried.contains(1))
    #expect(QualitySearch(range: 1...100, target: .atMost(10)).extreme == 1)
  }

  @Test func everythingReachesGivesTheEnd() {
    #expect(run(QualitySearch(range: 1...100, target: .atLeast(-1000)), over: score).answer == 1)
    #expect(run(QualitySearch(range: 1...100, target: .atMost(1e9))) { Double($0) }.answer == 100)
  }

  @Test func wildScoresEndWithAQualityThatReaches() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let scores = (0...100).map { Double($0) + 60 * (generator.unit() - 0.5) }
      let (answer, tried) = run(QualitySearch(range: 0...100, target: .atLeast(55))) { scores[$0] }
      #expect(tried.count <= 15)
      if let answer {
        #expect(scores[answer] >= 55)
        #expect(answer == 0 || scores[answer - 1] < 55)
      }
    }
  }

  @Test func notANumberMisses() {
    let (answer, _) = run(QualitySearch(range: 0...100, target: .atLeast(10))) { $0 < 40 ? .nan : 20 }
    #expect(answer == 40)
    #expect(run(QualitySearch(range: 5...5, target: .atLeast(10))) { _ in .infinity }.answer == 5)
  }
}
