import Model
import Testing

@testable import Analysis

/// Searches for the quality to set for files whose scores rise with quality, each from its own start.
struct SharedQualitySearchTests {
  /// The lowest quality at which each file has the score; 101 if none does.
  private func run(
    _ needs: [Int], guesses: [Double?], scale: [Int] = Array(0...100)
  ) -> (answer: Int?, encodes: Int) {
    let search = SharedQualitySearch(scale: scale, score: 80)
    var files = guesses.map { SharedQualitySearch.File(tries: CurveTries(), need: $0) }
    for _ in 0..<500 {
      switch search.next(files) {
      case .found(let native):
        #expect(files.allSatisfy { $0.tries[native] != nil }, "the answer was not tried with all files")
        return (native, files.reduce(0) { $0 + $1.tries.known.count })
      case .outOfReach: return (nil, files.reduce(0) { $0 + $1.tries.known.count })
      case .try(let native, let places):
        #expect(!places.isEmpty && scale.contains(native))
        for place in places {
          #expect(files[place].tries[native] == nil, "\(native) is tried again")
          files[place].tries[native] = .init(
            bytes: 1000 + 10 * native, score: 80 + Double(native - needs[place]) * 0.4, seconds: 1)
          files[place].need =
            files[place].tries.place(
              of: 80, likely: .init(native: 2.5, bytes: 0.05))?.native
        }
      }
    }
    Issue.record("the search does not end")
    return (nil, 0)
  }

  @Test(arguments: 1...60) func findsTheLowestQualityForNineInTen(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Int>) -> Int {
      range.lowerBound + Int(generator.unit() * Double(range.count))
    }
    let count = random(1...30)
    let needs = (0..<count).map { _ in random(20...(seed % 4 == 0 ? 104 : 90)) }
    let guesses = needs.map { need in seed % 3 == 0 ? nil : Double(need + random(-6...6)) }
    let steps = seed % 2 == 0 ? Array(0...100) : Array(stride(from: 1, through: 99, by: 2))
    let enough = QualitySetting.count(of: count, share: QualitySetting.usualShare)
    let truth = steps.first { native in needs.count { $0 <= native } >= enough }
    let (answer, encodes) = run(needs, guesses: guesses, scale: steps)
    #expect(answer == truth)
    #expect(encodes <= 8 * count + 12, "\(encodes) encodes of \(count) files")
  }

  /// With good guesses, the search needs one encode of each file, and those that prove the step below too low.
  @Test func goodGuessesTakeAFewEncodesMore() {
    let needs = [40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 55]
    let (answer, encodes) = run(needs, guesses: needs.map(Double.init))
    #expect(answer == 50 && encodes == 13)
  }

  @Test func tooFewFilesReachTheScore() {
    let needs = [30, 40, 50, 101, 101]
    let (answer, encodes) = run(needs, guesses: needs.map(Double.init))
    #expect(answer == nil && encodes == 1, "one file too many misses the score at the best quality")
    #expect(
      run([101] + Array(repeating: 30, count: 9), guesses: Array(repeating: nil, count: 10)).answer == 30)
    #expect(SharedQualitySearch(scale: [1], score: 80).next([]) == .outOfReach)
  }
}
