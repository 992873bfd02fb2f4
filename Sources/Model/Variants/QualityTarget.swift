/// The goal of a target search for every image and variant.
package struct QualityTarget: Sendable, Hashable, Codable {
  package enum Goal: Sendable, Hashable, Codable {
    /// The lowest quality with a score at least this good.
    case score(MetricTraits, Double)
    /// The highest quality with a file of at most this many bytes.
    case bytes(Int)
  }

  package var goal: Goal

  package init(_ goal: Goal) { self.goal = goal }

  /// Parses `ssimulacra2=80` or `bytes=50000`; nil for anything else, or a metric outside `metrics`.
  package init?(_ text: String, metrics: [MetricTraits]) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard halves.count == 2 else { return nil }
    if halves[0] == "bytes" {
      guard let bytes = Int(halves[1]), bytes > 0 else { return nil }
      goal = .bytes(bytes)
      return
    }
    guard let metric = metrics.first(where: { $0.id == halves[0] }), let score = Double(halves[1]),
      score.isFinite
    else { return nil }
    goal = .score(metric, score)
  }

  package var metric: MetricTraits? { if case .score(let traits, _) = goal { traits } else { nil } }

  /// True if a file of this size with these scores, by metric identifier, reaches the target.
  package func isReached(bytes: Int, scores: [String: Double]) -> Bool {
    switch goal {
    case .bytes(let limit): bytes <= limit
    case .score(let traits, let wanted):
      scores[traits.id].map { traits.higherIsBetter ? $0 >= wanted : $0 <= wanted } ?? false
    }
  }
}

extension QualityTarget: CustomStringConvertible {
  package var description: String {
    switch goal {
    case .bytes(let bytes): "bytes=\(bytes)"
    case .score(let traits, let score):
      score == score.rounded() && abs(score) < 1e15 ? "\(traits.id)=\(Int(score))" : "\(traits.id)=\(score)"
    }
  }
}
