import Analysis
import CodecKit
import Metrics
import Store
import Workers

/// An error that ends a request, with its cause and a remedy.
public struct HeicBenchError: Error, Hashable, CustomStringConvertible {
  /// Classes of errors by who can fix them.
  public enum Kind: Sendable, Hashable {
    /// The request is wrong.
    case usage
    /// There is nothing to measure.
    case noInput
    /// Results cannot be read or written, or the system refuses a process, thread or descriptor.
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
    case is CorpusError: self.init(.noInput, "\(error)")
    case is StoreError, is CSVError, is ScratchFolderError, is AnalysisError, is OutputError:
      self.init(.resultsUnusable, "\(error)")
    case is GateThresholdError, is DirectionError, is BuildError, is MetricError:
      self.init(.usage, "\(error)")
    case let error as WorkerStartError:
      self.init(error.isShortage ? .resultsUnusable : .software, error.description)
    case CodecError.invalidSetting(let text): self.init(.usage, text)
    case is CodecError: self.init(.software, "\(error)")
    default: return nil
    }
  }

  static func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws(HeicBenchError) {
    if !condition { throw HeicBenchError(.usage, problem()) }
  }

  static func requireFolder(_ path: String) throws(HeicBenchError) {
    try require(!path.isEmpty, "name a folder for the results")
  }

  /// Runs `body` and rethrows errors of known kinds as this type.
  package static func mapping<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw HeicBenchError(error) ?? error }
  }
}
