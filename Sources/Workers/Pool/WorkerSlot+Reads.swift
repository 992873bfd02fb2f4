package import Model

/// Reads of files by routes, by the worker whose libraries are asked for.
extension WorkerSlot {
  /// Reads a file by a route; nil once cancelled. What a build's worker has read is scored through the system's
  /// decoder, as a sweep scores it, unless builds are to score by themselves. Throws `WorkerStartError` when no worker
  /// can be started.
  package func read(
    _ request: ReadRequest, of file: ImageFile, within seconds: Double
  ) throws -> Outcome<ReadMeasurement>? {
    guard request.key.build != nil else { return try read(request, system, seconds) }
    if request.key.encoding != nil {
      switch try handOver(file) {
      case nil: break
      case .unusable(let record): return .failed(record.problem ?? Self.misunderstanding)
      case .lostOpening(let failure), .outcome(.failed(let failure)): return .failed(failure)
      case .outcome: return .failed(Self.misunderstanding)
      case .cancelled: return nil
      }
    }
    var (own, scores) = (request, request)
    let isScored = request.share == .everything && !configuration.scoresThroughBuild
    if isScored { own.share = .cost }
    guard let cost = try read(own, seat(request.key.build), seconds) else { return nil }
    guard isScored, case .measured(let figures) = cost else { return cost }
    scores.share = .scores
    return try read(scores, system, seconds).map { Self.joined(figures, scored: $0) }
  }

  private func read(_ request: ReadRequest, _ seat: WorkerSeat, _ seconds: Double) throws -> Outcome<
    ReadMeasurement
  >? {
    guard let worker = try seat.ready() else { return nil }
    seat.openImage = nil
    return ask(worker, .read(request), within: seconds) { reply in
      if case .read(let outcome) = reply { outcome } else { nil }
    }
  }

  /// A build's figures with the scores that the system's decoder gives. A file that only the build can read has none.
  private static func joined(_ figures: ReadMeasurement, scored: Outcome<ReadMeasurement>) -> Outcome<
    ReadMeasurement
  > {
    var figures = figures
    switch scored {
    case .measured(let scored):
      guard
        (scored.fileBytes, scored.width, scored.height)
          == (figures.fileBytes, figures.width, figures.height)
      else {
        figures.remarks.append("not scored: the system's decoder makes another picture of it")
        break
      }
      figures.ssimulacra2 = scored.ssimulacra2
      figures.alignedSSIMULACRA2 = scored.alignedSSIMULACRA2
      figures.ceilingSSIMULACRA2 = scored.ceilingSSIMULACRA2
      figures.originalSSIMULACRA2 = scored.originalSSIMULACRA2
      figures.psnrLuma = scored.psnrLuma
    case .failed(let failure) where failure.isWorthRetrying: return .failed(failure)
    case .failed(let failure):
      figures.remarks.append("not scored: the system's decoder says: \(failure.message)")
    case .unsupported(let reason):
      figures.remarks.append("not scored: the system's decoder says: \(reason)")
    }
    return .measured(figures)
  }
}
