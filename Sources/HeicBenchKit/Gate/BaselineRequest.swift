import Analysis
import Model
import Reports
import Store

/// A baseline made from results: deterministic values in a fixed order, so that its diffs show only changed figures.
public struct BaselineRequest: Sendable {
  /// A kind of measurement other than a sweep.
  public enum Way: String, Sendable, Hashable, CaseIterable {
    /// Reading files: memory and scores, and times with the machine that measured them.
    case reads
    /// Tiles: bytes, scores and memory.
    case tiles
    /// Chains of generations: bytes and scores of each file.
    case generations
  }

  /// A results folder, or a `measurements.csv`.
  public var results: String
  /// The part of the results to cover; nil for the points of a sweep.
  public var way: Way?
  /// True to accept an unfinished sweep, whose baseline covers less than was planned.
  public var acceptsUnfinished = false

  /// Creates a request for a baseline of results.
  public init(results: String = "results") { self.results = results }

  /// Returns the baseline as CSV.
  /// - Throws: `HeicBenchError` if there are no results, or the run is not finished.
  public func text() throws -> String {
    var text = TextBuffer()
    try write(to: &text)
    return text.text
  }

  package func write(to output: inout some TextOutputStream) throws {
    try HeicBenchError.mapping { _ = try make(into: &output) }
  }

  /// Writes the baseline to a file; does not overwrite a file that is not a baseline.
  /// - Returns: Sentences about the contents, the results that are not covered, and the changes from the previous file.
  /// - Throws: The errors of `text`, and `HeicBenchError` if the file cannot be written.
  @discardableResult
  public func write(to file: String) throws -> [String] {
    try HeicBenchError.mapping {
      let before = try? BaselineRows(file, subject)
      var output = try AtomicFile(path: file, replacing: baselineBeginning)
      let tally = try make(into: &output)
      try output.commit()
      let difference = try before.map { [try BaselineRows(file, subject).difference(from: $0)] } ?? []
      return tally.sentences(file) + difference
    }
  }

  private var subject: GateSubject { way.flatMap { GateSubject(rawValue: $0.rawValue) } ?? .points }

  private func make(into output: inout some TextOutputStream) throws -> BaselineTally {
    let input = try ResultsInput(results)
    if subject == .points, !acceptsUnfinished { try refuseParts(try input.rows()) }
    var tally = BaselineTally(noun: subject.noun)
    try input.writeBaseline(of: subject, to: &output) { tally.add($0) }
    return tally
  }

  /// Throws for a partial run, whose baseline covers less than people expect.
  private func refuseParts(_ source: RowSource) throws {
    if let unfinished = try source.progress()?.phrase {
      throw HeicBenchError(
        .resultsUnusable,
        "the run in “\(results)” is \(unfinished). Finish it with the same command, or write a baseline of "
          + "the unfinished run with --force")
    }
    if let missing = source.manifest?.missingShards {
      throw HeicBenchError(
        .resultsUnusable,
        "the run in “\(results)” lacks part of the corpus: \(missing.phrase). Join all shards with “heicbench merge” "
          + "first, or write this part with --force")
    }
  }
}
