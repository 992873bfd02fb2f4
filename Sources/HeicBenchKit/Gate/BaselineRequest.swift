import Analysis
import Model
import Reports
import Store

/// A baseline from results: what is deterministic, in an order of its own, so that its diffs show changed figures and
/// nothing else.
public struct BaselineRequest: Sendable {
  /// What of the results a baseline is of.
  public enum Subject: Sendable, Hashable {
    /// A sweep: sizes, scores and library versions.
    case sweep
    /// What it costs to read files: memory and scores, and times with the machine they were taken on.
    case reads
    /// What tiles cost: bytes, scores and memory.
    case tiles
  }

  /// A results folder, or a `measurements.csv`.
  public var results: String
  /// What of them.
  public var subject = Subject.sweep
  /// Whether a baseline of a sweep is made although the run is not finished, so that it guards less than was planned.
  public var acceptsUnfinished = false

  /// Makes a baseline from results.
  public init(results: String = "results") { self.results = results }

  /// The baseline as CSV.
  /// - Throws: `HeicBenchError` where there are no results, or the run is not finished.
  public func text() throws -> String {
    try HeicBenchError.mapping {
      var text = TextBuffer()
      _ = try make(into: &text)
      return text.text
    }
  }

  /// Writes the baseline to somewhere else than a file.
  /// - Throws: as `text` does.
  package func write(to output: inout some TextOutputStream) throws {
    try HeicBenchError.mapping { _ = try make(into: &output) }
  }

  /// Writes the baseline; a file that is no baseline stays as it is.
  /// - Returns: what it holds, what of the results guards nothing, and what is different from what the file held before,
  ///   a sentence each.
  /// - Throws: as `text` does, and `HeicBenchError` where the file cannot be written.
  @discardableResult
  public func write(to file: String) throws -> [String] {
    try HeicBenchError.mapping {
      let before = try? BaselineRows(file, subject.costs)
      var output = try AtomicFile(path: file, replacing: BaselineText.beginning)
      let tally = try make(into: &output)
      try output.commit()
      let difference = try before.map { [try BaselineRows(file, subject.costs).difference(from: $0)] } ?? []
      return tally.sentences(file) + difference
    }
  }

  private func make(into output: inout some TextOutputStream) throws -> BaselineTally {
    let input = try ResultsInput(results)
    if let costs = subject.costs {
      output.write(try input.baseline(of: costs))
      return try tally(input, costs)
    }
    let source = try input.rows()
    if !acceptsUnfinished { try refuseParts(source) }
    var tally = BaselineTally(noun: "point")
    try BaselineText.write(source, to: &output) { tally.add($0) }
    return tally
  }

  private func tally(_ input: ResultsInput, _ subject: CostSubject) throws -> BaselineTally {
    var tally = BaselineTally(noun: subject == .reads ? "read" : "cut")
    for cost in try input.costs(of: subject) { tally.add(cost) }
    return tally
  }

  /// A part of a run guards less than everybody believes.
  private func refuseParts(_ source: RowSource) throws {
    if let unfinished = try source.progress()?.phrase {
      throw HeicBenchError(
        .resultsUnusable,
        "the run in “\(results)” is cut short (\(unfinished)): finish it with the same command, or write what is "
          + "there with --force")
    }
    if let missing = source.manifest?.missingShards {
      throw HeicBenchError(
        .resultsUnusable,
        "the run in “\(results)” has not all of the corpus: \(missing.phrase). Join all shards with “heicbench merge” "
          + "first, or write what is there with --force")
    }
  }
}

extension BaselineRequest.Subject {
  /// What reads or tiles cost; nil for a sweep.
  fileprivate var costs: CostSubject? {
    switch self {
    case .sweep: nil
    case .reads: .reads
    case .tiles: .tiles
    }
  }
}

extension RowSource {
  /// The metrics that there are scores of, also those that a file has under a name of its own, so that no
  /// column is lost on the way from file to file.
  func metrics(with scores: Set<String>) -> [MetricTraits] {
    let known = metrics.filter { scores.contains($0.id) }
    let others = scores.subtracting(known.map(\.id)).sorted()
    return known + others.map { MetricTraits(id: $0, column: $0, title: $0, decimals: 4) }
  }
}
