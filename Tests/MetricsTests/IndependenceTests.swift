import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

/// Scores depend only on the images.
@Suite("Independence") struct IndependenceTests {
  private let inThread: Beside = { body in
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    return { done.wait() }
  }

  private func expectEqual(_ a: [String: Double], _ b: [String: Double], _ what: String) throws {
    for id in everyMetric {
      let (x, y) = (try #require(a[id]), try #require(b[id]))
      #expect(abs(x - y) <= 1e-6 * abs(x), "\(id), \(what): \(x) and \(y)")
    }
  }

  @Test("of the tile width", arguments: [16, 100, 256, 1024])
  func tiles(_ width: Int) throws {
    let (reference, candidate) = try wavePair(width: 301, height: 183)
    try expectEqual(
      allScores(reference, candidate),
      allScores(reference, candidate, tuning: MetricTuning(.baseline, tileWidth: width)), "tiles of \(width)")
  }

  @Test("of the instruction set", arguments: InstructionSet.allCases.filter(\.isAvailable))
  func instructions(_ set: InstructionSet) throws {
    let (reference, candidate) = try wavePair(width: 301, height: 183)
    let (smooth, blurred) = try wavePair(width: 187, height: 222, amplitude: 1)
    for (a, b) in [(reference, candidate), (smooth, blurred)] {
      try expectEqual(
        allScores(a, b, tuning: MetricTuning(.baseline)), allScores(a, b, tuning: MetricTuning(set)), "\(set)"
      )
    }
  }

  @Test("of what is kept of the reference", arguments: [ChannelLayout.rgb, .rgba])
  func memory(_ layout: ChannelLayout) throws {
    let (reference, candidate) = try wavePair(width: 203, height: 183, layout: layout)
    let frugal = MetricTuning(.best, mostPixelsKept: 0)
    let suite = try MetricSuite(everyMetric).prepare(reference, tuning: frugal)
    let expected = try allScores(reference, candidate)
    for _ in 0..<2 { #expect(try suite.score(candidate) == expected) }
  }

  @Test(
    "of whether more candidates follow",
    arguments: [(203, 183), (8, 8), (9, 300), (64, 66), (301, 185), (1030, 21), (4, 4)],
    ChannelLayout.allCases)
  func preparesOnceForAllScores(_ size: (Int, Int), _ layout: ChannelLayout) throws {
    let (reference, candidate) = try wavePair(width: size.0, height: size.1, layout: layout)
    let expected = try allScores(reference, candidate)
    let suite = try MetricSuite(everyMetric)
    var tuning = MetricTuning(.baseline, tileWidth: 100)
    tuning.keepsReference = false
    for scores in [
      try suite.score(candidate, against: reference),
      try suite.score(candidate, against: reference, beside: inThread),
      try suite.prepare(reference, tuning: tuning).score(candidate),
    ] {
      #expect(scores.keys == expected.keys)
      for (id, score) in scores {
        #expect(abs(score - (expected[id] ?? .nan)) <= 1e-6 * abs(score), "\(id): \(score)")
      }
    }
  }

  @Test("of the thread") func threads() async throws {
    let (reference, candidate) = try wavePair(width: 203, height: 183)
    let expected = try allScores(reference, candidate)
    try await withThrowingTaskGroup(of: [String: Double].self) { group in
      for _ in 0..<4 { group.addTask { try allScores(reference, candidate) } }
      for try await scores in group { #expect(scores == expected) }
    }
  }
}
