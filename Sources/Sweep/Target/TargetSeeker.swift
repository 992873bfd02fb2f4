import Model
import Synchronization
import Workers

/// Does searches for a target in the place of points: one image and variant each, several points in a row.
final class TargetSeeker: Sendable {
  private let target: QualityTarget
  private let ranges: [CodecVariant: ClosedRange<Int>]
  private let known: @Sendable (PointKey) -> Measurement?
  private let found = Mutex<[PointKey: TargetResult]>([:])

  /// Seeks on these native scales. `known` gives points that need no measuring.
  init(
    target: QualityTarget, ranges: [CodecVariant: ClosedRange<Int>],
    known: @escaping @Sendable (PointKey) -> Measurement?
  ) {
    self.target = target
    self.ranges = ranges
    self.known = known
  }

  /// The result of a search, by the key that stood for it in the plan.
  func result(of key: PointKey) -> TargetResult? { found.withLock { $0[key] } }

  /// Searches from the attempt's image and variant; its quality only stands for the search.
  func carryOut(
    _ attempt: PointAttempt, on slot: WorkerSlot, sink: any RecordSink, ledger: ImageLedger
  ) throws -> PointAttempt.Report {
    var whole = PointAttempt.Report(verdict: .recorded)
    var search = QualitySearch(range: ranges[attempt.key.variant] ?? 0...100, target: target.searched)
    var measurements: [Int: Measurement] = [:]
    while let native = search.next, let quality = Quality(native: native) {
      var probe = attempt
      probe.key.quality = quality
      probe.origin = .searched
      if let measurement = known(probe.key) {
        measurements[native] = measurement
      } else {
        let report = try probe.carryOut(on: slot, sink: sink, ledger: ledger)
        whole.add(report)
        guard case .recorded = report.verdict, let outcome = report.outcomes.last else { return whole }
        guard case .measured(let measurement) = outcome else {
          keep(attempt.key, search, failure: outcome.failure)
          return whole
        }
        measurements[native] = measurement
      }
      guard let value = measurements[native].flatMap({ target.value(of: $0) }) else {
        keep(attempt.key, search, failure: Failure(kind: .metric, message: "\(target) is not defined for it"))
        return whole
      }
      search.enter(value, at: native)
    }
    keep(attempt.key, search, measurements)
    return whole
  }

  private func keep(_ key: PointKey, _ search: QualitySearch, failure: Failure?) {
    let result = TargetResult(
      image: key.image, variant: key.variant, probes: search.count, failure: failure)
    found.withLock { $0[key] = result }
  }

  private func keep(_ key: PointKey, _ search: QualitySearch, _ measurements: [Int: Measurement]) {
    let native = search.answer ?? search.extreme
    let result = TargetResult(
      image: key.image, variant: key.variant, quality: Quality(native: native),
      measurement: measurements[native], isReached: search.answer != nil, probes: search.count)
    found.withLock { $0[key] = result }
  }
}

extension Outcome {
  /// Why there is no measurement; nil where there is one.
  fileprivate var failure: Failure? {
    switch self {
    case .measured: nil
    case .unsupported(let reason): Failure(kind: .codec, message: "unsupported: \(reason)")
    case .failed(let failure): failure
    }
  }
}
