import Model
import Reports

extension QualityTarget {
  /// Parses `ssimulacra2=80` or `bytes=200kB`; throws `HeicBenchError` that says what is allowed.
  init(parsing text: String, metrics: [MetricTraits]) throws {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if halves.count == 2, halves[0] == "bytes", let size = ByteCount(halves[1]) {
      self.init(.bytes(size.bytes))
      return
    }
    if let target = QualityTarget(text, metrics: metrics) {
      if case .score(let metric, let score) = target.goal, let highest = metric.scale?.highest,
        score > highest
      {
        throw HeicBenchError(
          .usage, "--target \(text): \(metric.title) is at most \(Numerals.short(highest))")
      }
      self = target
      return
    }
    let names = ["bytes"] + metrics.map(\.id)
    if halves.count == 1, Double(text) != nil {
      throw HeicBenchError(
        .usage, "--target \(text): name the metric or bytes first, such as ssimulacra2=\(text) or bytes=200kB"
      )
    }
    throw HeicBenchError(
      .usage,
      names.contains(halves[0])
        ? "--target \(text): write a number after the =, such as ssimulacra2=80 or bytes=200kB"
        : "--target \(text): there is no “\(halves[0])”\(suggestion(for: halves[0], among: names)); "
          + "available: \(names.joined(separator: ", "))")
  }
}
