import Model
package import Reports
import Store
import Workers

/// The cost of reading files or of cutting pictures into tiles. The results themselves are in `folder`.
public struct CostOutcome: Sendable {
  /// The folder of the results.
  public let folder: String
  /// The report; nil for a gallery that was interrupted.
  package internal(set) var report: FeatureReport?
  /// Number of reads or cuts requested.
  public let total: Int
  /// Number of those that earlier runs had already made.
  public let known: Int
  /// Number of those that failed.
  public let failed: Int
  /// True if the run was stopped before all were made.
  public let wasInterrupted: Bool
  /// Names of the requested pictures.
  let pictures: Set<String>

  /// Counts the requested cases whose last record is a failure.
  init(_ folder: String, _ report: FeatureReport, _ measured: MeasuredCases, _ records: [CaseRecord]) {
    let outcomes = Dictionary(records.map { ($0.key, $0.outcome) }, uniquingKeysWith: { $1 })
    (self.folder, self.report) = (folder, report)
    (total, known, wasInterrupted) = (measured.total, measured.known, measured.wasInterrupted)
    failed = measured.cases.reduce(0) { $0 + (outcomes[$1]?.failure == nil ? 0 : measured.count($1)) }
    pictures = Set(measured.cases.map(\.image.name))
  }

  /// The answer in a sentence; empty for a gallery that was interrupted.
  public var answer: String { report?.answer ?? "" }

  /// The answer, the details that a terminal shows below it, and the path of the page.
  package func text(width: Int = .max) -> String {
    guard let report else { return "" }
    let name = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    return report.text(width: width) + "\nCharts and tables: \(name)/\(report.files.page)\n"
  }
}

/// The earlier results that a run keeps.
public enum Reuse: Sendable, Hashable {
  /// All earlier results.
  case all
  /// Results that did not fail.
  case successes
  /// None; everything is measured again.
  case nothing
}

extension ResultStore.Options {
  init(_ reuse: Reuse) { self.init(retryFailed: reuse == .successes, fresh: reuse == .nothing) }
}

extension ResultStore {
  /// Records the pictures of this run, and reports those that are no longer in it. A run over a part adds to them.
  func note(
    _ entries: [CorpusEntry], of call: ListedCall, from images: ImageSource, notice: (String) -> Void
  ) throws {
    let roots = images.rootNames + (images.shard.map { ["shard \($0)"] } ?? [])
    let gone = try note(
      pictures: Set(entries.map(\.identity.name)), of: call, roots: roots.joined(separator: "\n"),
      isPart: images.limit != nil || images.list == InputPath("-"))
    for name in gone.prefix(5) {
      notice("“\(name)” was in an earlier run but not in this one; it is left out.")
    }
    if gone.count > 5 { notice("… and \(gone.count - 5) more") }
  }
}

typealias CaseJob = Workers.CaseJob<CorpusEntry>
typealias CaseTurn = Workers.CaseTurn<CorpusEntry>

extension WorkerPool {
  /// Measures cases with `work` until `cancellation` stops it, and reports how many of them the store already had.
  /// - Parameter words: The noun for the cases, and the words for measuring them again, such as `reads` and `reads
  ///   them`; nil to report nothing.
  func measuring(
    _ words: (noun: String, again: String)?, _ cancellation: Cancellation,
    _ events: @escaping @Sendable (JobEvent) -> Void,
    _ work: (_ progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) throws -> MeasuredCases
  ) rethrows -> MeasuredCases {
    cancellation.perform { [self] in cancel() }
    defer { cancellation.release() }
    let measured = try work { events(.progress(done: $0, total: $1)) }
    events(.ended)
    if measured.known > 0, let words {
      let count = "\(measured.known) of \(measured.total) \(words.noun)"
      events(.notice("\(count) already there; --fresh \(words.again) again"))
    }
    return measured
  }
}
