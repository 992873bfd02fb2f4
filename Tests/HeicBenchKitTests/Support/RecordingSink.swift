import Model
import Synchronization

/// Keeps records in memory in the order of arrival, and knows what is finished.
final class RecordingSink: RecordSink, FinishedPoints {
  private let kept = Mutex<[SweepRecord]>([])
  private let refuses: @Sendable (Int) -> (any Error)?

  /// Accepts everything, except where `refuses` returns an error for the number of records so far.
  init(refuses: @escaping @Sendable (Int) -> (any Error)? = { _ in nil }) { self.refuses = refuses }

  func append(_ record: SweepRecord) throws {
    try kept.withLock { kept in
      if let error = refuses(kept.count) { throw error }
      kept.append(record)
    }
  }

  func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws -> FinishedImage {
    let reused = records.compactMap { if case .reuse(let key, _) = $0 { key } else { nil } }
    let known = points.filter { $0.key.image == image && $0.key.preparation == preparation }.map { record in
      var point = FinishedPoint()
      if case .measured(let measurement) = record.outcome {
        point.bytes = measurement.encodedBytes
        point.score = metric.flatMap { measurement.scores[$0] }
      }
      point.origins.formUnion(record.origin.member)
      if reused.contains(record.key) { point.origins.insert(.refined) }
      return (record.key, point)
    }
    return FinishedImage(
      image: image, preparation: preparation, among: Dictionary(known, uniquingKeysWith: { $1 }))
  }

  var records: [SweepRecord] { kept.withLock { $0 } }

  var images: [ImageRecord] {
    records.compactMap { if case .image(let record) = $0 { record } else { nil } }
  }

  var points: [CaseRecord] {
    records.compactMap { if case .point(let record) = $0 { record } else { nil } }
  }

  var timings: [(key: Case, timing: TimingSeries)] {
    records.compactMap { if case .timing(let key, let timing) = $0 { (key, timing) } else { nil } }
  }

  /// The failures, sorted by native quality or name.
  var failures: [Failure] {
    points.compactMap { if case .failed(let failure) = $0.outcome { failure } else { nil } }
  }

  var measurements: [Figures] {
    points.compactMap { if case .measured(let measurement) = $0.outcome { measurement } else { nil } }
  }
}
