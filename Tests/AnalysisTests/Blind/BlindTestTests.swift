import Foundation
import Model
import Testing

@testable import Analysis

/// Whole tests with simulated observers.
struct BlindTestTests {
  struct Observer: Sendable, CustomTestStringConvertible {
    /// The standard deviation of a cumulative Gaussian, in points; infinite for an observer who guesses.
    var spread: Double
    var lapse: Double

    var testDescription: String { "spread \(spread), lapse \(lapse)" }

    func isRight(_ score: Double, threshold: Double, _ generator: inout SeededGenerator) -> Bool {
      let seen = spread.isInfinite ? 0 : 0.5 * erfc((score - threshold) / spread / 2.0.squareRoot())
      return generator.unit() < 0.5 + (0.5 - lapse) * seen
    }
  }

  struct Outcome: Sendable {
    var truth: Double
    var found: BlindThreshold
    var trials: Int
  }

  static let ladder = stride(from: 25.0, to: 97, by: 3).enumerated().map { index, score in
    BlindTest.Rung(
      quality: Quality(thousandths: index * 10) ?? 0.0, score: score + (index % 2 == 0 ? 0.4 : -0.7), bytes: 1
    )
  }

  /// Runs a test of one codec to its end.
  private static func run(_ observer: Observer, seed: UInt64) -> Outcome {
    var generator = SeededGenerator(seed: seed)
    let truth = 45 + 47 * generator.unit()
    var test = BlindTest(ladders: [ladder], seed: seed)
    while let trial = test.next {
      let isRight = observer.isRight(ladder[trial.rung].score, threshold: truth, &generator)
      test.enter(trial, isRight ? .first : .second)
    }
    return Outcome(truth: truth, found: found(test), trials: test.answers.count)
  }

  private static func found(_ test: BlindTest) -> BlindThreshold {
    BlindThreshold(
      test.answers.map {
        .init(score: ladder[$0.trial.rung].score, isRight: $0.outcome == .first, isCatch: $0.trial.isCatch)
      })
  }

  private static func outcomes(_ observer: Observer, _ count: Int) async -> [Outcome] {
    await withTaskGroup(of: Outcome.self) { group in
      for seed in 0..<count { group.addTask { run(observer, seed: UInt64(seed)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: [
    Observer(spread: 3, lapse: 0.02), Observer(spread: 4, lapse: 0.04), Observer(spread: 5, lapse: 0.03),
  ])
  func findsAThresholdAndKnowsHowWell(observer: Observer) async {
    let outcomes = await Self.outcomes(observer, 150)
    let found = outcomes.compactMap { outcome -> (error: Double, isHeld: Bool)? in
      guard case .threshold(let score, let from, let to) = outcome.found.finding else { return nil }
      return (score - outcome.truth, (from...to).contains(outcome.truth))
    }
    let error = (found.reduce(0) { $0 + $1.error * $1.error } / Double(found.count)).squareRoot()
    let held = Double(found.count(where: \.isHeld)) / Double(found.count)
    #expect(found.count >= 144)
    #expect(error <= 2.5)
    #expect(held >= 0.91)
    #expect(outcomes.count(where: \.found.isReliable) >= 144)
  }

  @Test func aGuesserGetsNoThreshold() async {
    let outcomes = await Self.outcomes(Observer(spread: .infinity, lapse: 0), 150)
    #expect(outcomes.allSatisfy { $0.found.threshold == nil })
    #expect(outcomes.count { !$0.found.isReliable } > 110)
  }

  @Test func isTheSameTestAgainFromItsAnswers() throws {
    let ladders = [Self.ladder, Array(Self.ladder.dropFirst(3))]
    var test = BlindTest(ladders: ladders, seed: 5)
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<30 { test.enter(try #require(test.next), generator.unit() < 0.8 ? .first : .second) }
    var again = BlindTest(ladders: ladders, seed: 5)
    for answer in test.answers { again.enter(answer.trial, answer.outcome) }
    #expect(again.next == test.next)
    let trial = try #require(test.next)
    test.enter(trial, .second)
    let undone = test.undo()
    #expect(undone?.trial == trial && test.next == trial, "an undone answer leaves no trace")
    let counts = Dictionary(grouping: test.answers, by: \.trial.codec).mapValues(\.count)
    #expect(abs(counts[0, default: 0] - counts[1, default: 0]) <= 3)
    #expect((10...20).contains(test.answers.count(where: \.trial.isLeft)))
  }

  /// Nobody would have to see the difference in the coarsest file of an easy part.
  @Test(arguments: BlindTest.Aim.allCases) func catchTrialsNeedACoarseFile(aim: BlindTest.Aim) {
    let fine = Self.ladder.filter { $0.score > 69 }
    for (ladders, hasCatches) in [([fine, fine], false), ([Self.ladder, Self.ladder], true)] {
      var test = BlindTest(aim: aim, ladders: ladders, seed: 3)
      while let trial = test.next { test.enter(trial, .first) }
      #expect(test.answers.count >= 20 && test.answers.contains(where: \.trial.isCatch) == hasCatches)
    }
  }

  /// An observer who follows Davidson's model. The first codec looks equal to the second with this share of its bytes.
  @Test(arguments: [(0.6, 4.0, 0.5), (0.8, 8.0, 1.5), (1.1, 4.0, 1.0)])
  func findsTheRatioOfEqualLooks(share: Double, slope: Double, tie: Double) async throws {
    let sizes = (0..<25).map { index in
      BlindTest.Rung(
        quality: 0.5, score: 28 + 2.6 * Double(index), bytes: Int(2000 * exp(0.14 * Double(index))))
    }
    var (held, errors) = (0, 0.0)
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var test = BlindTest(aim: .equal, ladders: [sizes, sizes], seed: UInt64(seed))
      var answers: [(ratio: Double, outcome: BlindTest.Outcome)] = []
      while let trial = test.next {
        let ratio = log(Double(sizes[trial.rung].bytes) / Double(sizes[try #require(trial.other)].bytes))
        let half = slope * (ratio - log(share)) / 2
        let place = generator.unit() * (exp(half) + exp(-half) + tie)
        let outcome: BlindTest.Outcome =
          place < exp(half) ? .first : place < exp(half) + tie ? .same : .second
        test.enter(trial, outcome)
        if !trial.isCatch { answers.append((ratio, outcome)) }
      }
      let saving = try #require(EqualLooks(answers).saving)
      let truth = 100 * (1 - share)
      held += (saving.from...saving.to).contains(truth) ? 1 : 0
      errors += (saving.mean - truth) * (saving.mean - truth)
    }
    #expect(held >= 52, "95 % of 60 are 57")
    #expect((errors / 60).squareRoot() < 12)
  }
}
