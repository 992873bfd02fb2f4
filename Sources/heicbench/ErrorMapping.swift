import Analysis
import CodecKit
import Metrics
import Model
import Store
import Sweep
import Workers

extension CommandError {
  /// Finds the exit code that belongs to a library's error; nil for errors that are none of ours.
  init?(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as CorpusError: self.init(.noInput, error.description)
    case let error as StoreError: self.init(.resultsUnusable, error.description)
    case let error as CSVError: self.init(.resultsUnusable, error.description)
    case let error as TemporaryFolderError: self.init(.resultsUnusable, error.description)
    case let error as AnalysisError: self.init(.resultsUnusable, error.description)
    case let error as OutputError: self.init(.resultsUnusable, error.description)
    case let error as GateThresholdError: self.init(.usage, error.description)
    case let error as DirectionError: self.init(.usage, error.description)
    case let error as ShardError: self.init(.usage, error.description)
    case let error as WorkerStartError:
      self.init(error.isShortage ? .resultsUnusable : .software, error.description)
    case let error as MetricError: self.init(.usage, error.description)
    case CodecError.invalidSetting(let text): self.init(.usage, text)
    case let error as CodecError: self.init(.software, error.description)
    default: return nil
    }
  }
}
