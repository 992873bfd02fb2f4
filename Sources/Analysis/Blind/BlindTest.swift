import Foundation
package import Model

/// The course of a blind test: which codec and file come next, on which side, and when the test ends.
///
/// A trial depends only on the seed and the answers before it, so a test can continue from saved answers.
package struct BlindTest: Sendable {
  /// A coded picture that can be shown.
  package struct Rung: Sendable, Hashable {
    package var quality: Quality
    package var score: Double
    package var bytes: Int

    package init(quality: Quality, score: Double, bytes: Int) {
      (self.quality, self.score, self.bytes) = (quality, score, bytes)
    }
  }

  package enum Aim: String, Sendable, Codable, CaseIterable {
    /// Asks which of two sides is coded, to find the threshold of each codec.
    case threshold
    /// Asks which of two codecs' files, of varied sizes, is nearer to the original.
    case equal
  }

  package struct Trial: Sendable, Hashable {
    package var codec: Int
    package var rung: Int
    /// The second codec's file on the other side; nil if the original is there.
    package var other: Int?
    package var isLeft: Bool
    /// True for a coarse file with a difference that any attentive observer would notice.
    package var isCatch: Bool

    package init(codec: Int, rung: Int, other: Int? = nil, isLeft: Bool, isCatch: Bool) {
      (self.codec, self.rung, self.other) = (codec, rung, other)
      (self.isLeft, self.isCatch) = (isLeft, isCatch)
    }
  }

  /// The outcome is `first` if the observer named the side of the trial's codec, which is right if the other side is
  /// the original.
  package typealias Outcome = EqualLooksPosterior.Outcome

  package static let mostTrials = 60
  static let fewestTrials = 20
  /// Standard deviation of the threshold, in points of the score, at which a codec's trials end.
  package static let precision = 2.5
  /// Standard deviation of ln(bytes₁ / bytes₂) at equal looks at which a comparison of codecs ends.
  static let precisionOfRatio = 0.1
  /// Scores of the compared files: visible differences, but no badly damaged pictures.
  private static let compared = 40.0...85
  /// One in this many trials is a catch trial.
  static let catchPeriod = 10
  /// The highest score of a file whose difference any attentive observer would notice. An easy part of a picture may
  /// have none, and then no trial is a catch.
  private static let obvious = 50.0

  package let aim: Aim
  package let seed: UInt64
  /// The files of each codec, by ascending score.
  package let ladders: [[Rung]]
  private let chances: [[ThresholdPosterior.Chances]]
  package private(set) var answers: [(trial: Trial, outcome: Outcome)] = []
  private var posteriors: [ThresholdPosterior]
  private var equal = EqualLooksPosterior()

  /// - Parameter aim: `equal` compares two codecs; without two ladders there are no trials.
  package init(aim: Aim = .threshold, ladders: [[Rung]], seed: UInt64) {
    (self.aim, self.ladders, self.seed) = (aim, ladders, seed)
    chances = ladders.map { $0.map { ThresholdPosterior.Chances(at: $0.score) } }
    posteriors = ladders.map { _ in ThresholdPosterior() }
  }

  /// The trial to show; nil once the results of all codecs are precise enough.
  package var next: Trial? { aim == .equal ? nextPair : nextAgainstOriginal }

  private var nextAgainstOriginal: Trial? {
    var generator = SeededGenerator(seed: seed &+ UInt64(answers.count) &* 0x9E37_79B9)
    let counts = ladders.indices.map { codec in answers.count { $0.trial.codec == codec } }
    let open = ladders.indices.filter { !ladders[$0].isEmpty && !isDone($0, after: counts[$0]) }
    guard let least = open.map({ counts[$0] }).min() else { return nil }
    // Codecs alternate at random, and none gets far ahead.
    let near = open.filter { counts[$0] <= least + 2 }
    let codec = near[Int(generator.unit() * Double(near.count))]
    let isLeft = generator.unit() < 0.5
    let isCatch = isCatch(codec, counts[codec])
    let rung = isCatch ? 0 : posteriors[codec].mostTelling(of: chances[codec]) ?? 0
    return Trial(codec: codec, rung: rung, isLeft: isLeft, isCatch: isCatch)
  }

  /// Two files with a ratio of bytes near the one at which they look equal, as far as it is known.
  private var nextPair: Trial? {
    let count = answers.count
    guard ladders.count == 2, ladders.allSatisfy({ !$0.isEmpty }), count < Self.mostTrials,
      count < Self.fewestTrials || equal.deviation > Self.precisionOfRatio
    else { return nil }
    var generator = SeededGenerator(seed: seed &+ UInt64(count) &* 0x9E37_79B9)
    let isLeft = generator.unit() < 0.5
    if isCatch(0, count) {
      let (finest, others) = (ladders[0].count - 1, ladders[1].count - 1)
      let isFine = generator.unit() < 0.5
      return Trial(
        codec: 0, rung: isFine ? finest : 0, other: isFine ? 0 : others, isLeft: isLeft, isCatch: true)
    }
    let visible = ladders[1].indices.filter { Self.compared.contains(ladders[1][$0].score) }
    let choice = visible.isEmpty ? Array(ladders[1].indices) : visible
    let other = choice[Int(generator.unit() * Double(choice.count))]
    let wanted = equal.mean + (generator.unit() - 0.5) * max(0.6, 3 * equal.deviation)
    let rung = ladders[0].indices.min { abs(ratio($0, other) - wanted) < abs(ratio($1, other) - wanted) }
    return Trial(codec: 0, rung: rung ?? 0, other: other, isLeft: isLeft, isCatch: false)
  }

  /// The natural logarithm of the ratio of two files' bytes.
  private func ratio(_ first: Int, _ second: Int) -> Double {
    log(Double(ladders[0][first].bytes) / Double(ladders[1][second].bytes))
  }

  package mutating func enter(_ trial: Trial, _ outcome: Outcome) {
    answers.append((trial, outcome))
    if let other = trial.other {
      if !trial.isCatch { equal.enter(outcome, at: ratio(trial.rung, other)) }
    } else {
      posteriors[trial.codec].enter(isRight: outcome == .first, at: chances[trial.codec][trial.rung])
    }
  }

  /// Takes back the last answer, which the next trial then replaces; nil if there is none.
  package mutating func undo() -> (trial: Trial, outcome: Outcome)? {
    guard let last = answers.popLast() else { return nil }
    let kept = answers
    self = BlindTest(aim: aim, ladders: ladders, seed: seed)
    for answer in kept { enter(answer.trial, answer.outcome) }
    return last
  }

  private func isDone(_ codec: Int, after count: Int) -> Bool {
    guard count < Self.mostTrials else { return true }
    let posterior = posteriors[codec]
    return count >= Self.fewestTrials && posterior.deviation <= Self.precision
      && posterior.evidence >= BlindThreshold.leastEvidence
  }

  /// One trial in each group of ten, at a place that the seed chooses.
  private func isCatch(_ codec: Int, _ count: Int) -> Bool {
    let shown = aim == .equal ? ladders : [ladders[codec]]
    guard shown.allSatisfy({ $0.first.map { $0.score <= Self.obvious } ?? false }) else { return false }
    let (block, place) = count.quotientAndRemainder(dividingBy: Self.catchPeriod)
    var generator = SeededGenerator(seed: seed &+ UInt64(codec * 1000 + block + 1) &* 0xD1B5_4A33)
    return place == Int(generator.unit() * Double(Self.catchPeriod))
  }
}
