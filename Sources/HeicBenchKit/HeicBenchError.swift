import Analysis
import CodecKit
import Metrics
import Store
import Workers

/// An error that ends a request, with the cause and a remedy.
public struct HeicBenchError: Error, Hashable, CustomStringConvertible {
  /// Classes of errors by who can fix them.
  public enum Kind: Sendable, Hashable {
    /// The request is wrong.
    case usage
    /// There is nothing to measure.
    case noInput
    /// Results cannot be read or written, or the system gives no process, thread or descriptor.
    case resultsUnusable
    /// heicbench itself is at fault, or cannot start its workers.
    case software
  }

  /// The class of the error.
  public let kind: Kind
  /// A sentence without a full stop.
  public let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Wraps an error of our modules; nil for other errors.
  package init?(_ error: any Error) {
    switch error {
    case let error as HeicBenchError: self = error
    case let error as CorpusError: self.init(.noInput, error.description)
    case let error as StoreError: self.init(.resultsUnusable, error.description)
    case let error as CSVError: self.init(.resultsUnusable, error.description)
    case let error as ScratchFolderError: self.init(.resultsUnusable, error.description)
    case let error as AnalysisError: self.init(.resultsUnusable, error.description)
    case let error as OutputError: self.init(.resultsUnusable, error.description)
    case let error as GateThresholdError: self.init(.usage, error.description)
    case let error as DirectionError: self.init(.usage, error.description)
    case let error as WorkerStartError:
      self.init(error.isShortage ? .resultsUnusable : .software, error.description)
    case let error as BuildError: self.init(.usage, error.description)
    case let error as MetricError: self.init(.usage, error.description)
    case CodecError.invalidSetting(let text): self.init(.usage, text)
    case let error as CodecError: self.init(.software, error.description)
    default: return nil
    }
  }

  /// Refuses a request unless a condition holds.
  static func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws(HeicBenchError) {
    if !condition { throw HeicBenchError(.usage, problem()) }
  }

  static func requireFolder(_ path: String) throws(HeicBenchError) {
    try require(!path.isEmpty, "there is no folder for the results")
  }

  /// Runs `body` and rethrows errors of known kinds as this type.
  package static func mapping<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw HeicBenchError(error) ?? error }
  }
}
