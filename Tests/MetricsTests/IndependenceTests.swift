import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

/// Scores depend on the images alone.
@Suite("Independence") struct IndependenceTests {
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
    let frugal = MetricTuning(.allCases.last { $0.isAvailable } ?? .baseline, mostPixelsKept: 0)
    let suite = try MetricSuite(everyMetric).prepare(reference, tuning: frugal)
    let expected = try allScores(reference, candidate)
    for _ in 0..<2 { #expect(try suite.score(candidate) == expected) }
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
