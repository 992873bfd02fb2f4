import Metrics
package import Model
import Synchronization
package import Workers

/// A way to cut the open picture into tiles, to be measured.
struct TilingRequest: Question {
  var key: Case
  /// Size of the viewport whose memory is measured, pixels.
  var viewportWidth, viewportHeight: Int

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Figures {
    var measurer = try TileMeasurer(self, session)
    return try measurer.measure()
  }

  func verify(_ figures: inout Figures, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    if let problem = figures.impossibility(of: key.way) { throw .init(detail: problem) }
    try check.check(figures.scores)
    try check.require(
      figures.format == nil && figures.encodedHash.isEmpty && figures.failedScores.isEmpty
        && figures.asked == nil,
      "the kind of its results")
    figures.remarks = try check.clean(figures.remarks)
  }
}

/// The pictures to cut, and the manner.
package struct TilePlan: Sendable {
  package var entries: [CorpusEntry]
  package var variants: [VariantDescription]
  /// Positions on the quality axis.
  package var qualities: [Quality]
  /// Pixels of a tile's side.
  package var tileSizes: [Int]
  /// Pixels that neighbours share.
  package var overlap: Int
  package var view: TileView
  /// The steps from sources to the pictures that are cut.
  package var preparation: Preparation
  /// Identifiers of the metrics.
  package var metrics: [String]

  package var keys: [Case] { entries.flatMap(keys) }

  /// All cuts of one picture; those that share an encode without tiles are adjacent.
  func keys(of entry: CorpusEntry) -> [Case] {
    let preparation = preparation.canonicalSpelling
    return variants.flatMap { variant in
      qualities.flatMap { quality in
        tileSizes.flatMap { size in
          forms(variant.variant).map { form in
            Case(
              image: entry.identity, preparation: preparation, variant: variant.variant, quality: quality,
              way: .tiles(TileCut(tileSize: size, overlap: overlap, form: form, view: view.description)),
              libraries: variant.librariesInKey)
          }
        }
      }
    }
  }

  /// HEIC is also cut within one file, if tiles do not overlap: tiles of such a file share nothing.
  private func forms(_ variant: CodecVariant) -> [TileForm] {
    variant.codec == "heic" && overlap == 0 ? [.files, .grid] : [.files]
  }

  /// Qualities just outside the plan's: the curve without tiles has to reach as far as the scores of tiles do.
  var outerQualities: [Quality] {
    let step = 50
    let ends = [qualities.min().map { $0.thousandths - step }, qualities.max().map { $0.thousandths + step }]
    return ends.compactMap { $0.flatMap { Quality(thousandths: $0) } }
  }
}

/// Cuts pictures in workers, one job for each picture.
package final class TileRunner: Sendable {
  private let plan: TilePlan
  private let configuration: RunnerConfiguration
  let pool: WorkerPool

  /// Bytes that a cut takes for each pixel: the picture, its reassembled tiles, and memory for scores.
  private static let bytesPerPixel = 110.0

  package init(_ plan: TilePlan, _ configuration: RunnerConfiguration) {
    (self.plan, self.configuration) = (plan, configuration)
    pool = WorkerPool(
      configuration, preparation: plan.preparation, metrics: plan.metrics, bytesPerPixel: Self.bytesPerPixel)
  }

  /// Makes all cuts not yet known and hands each result to `sink`, one at a time; before them the same pictures without
  /// tiles, measured as by a sweep. Returns early once cancelled.
  /// - Parameters:
  ///   - isKnown: True for a cut that is not made.
  ///   - points: The points of a picture without tiles that need not be measured.
  /// - Throws: the sink's errors, or `WorkerStartError` if no worker can be started.
  package func run(
    isKnown: @escaping @Sendable (Case) -> Bool,
    points: @escaping @Sendable (ImageIdentity) throws -> Set<Case>,
    _ sink: @escaping @Sendable (CaseRecord) throws -> Void
  ) throws {
    let turn = Mutex(())
    let jobs = plan.entries.lazy.map { [plan] entry in
      (entry: entry, missing: plan.keys(of: entry).filter { !isKnown($0) })
    }
    try pool.run(jobs, pixels: \.entry.pixels) { [self] job, slot, isLast in
      guard !job.missing.isEmpty else { return .done }
      let known = try points(job.entry.identity)
      let lost = try cut(job.missing, of: job.entry, known, slot, isLast: isLast) { result in
        try turn.withLock { _ in try sink(result) }
      }
      return lost.isEmpty ? .done : .again((job.entry, lost))
    }
  }

  package func cancel() { pool.cancel() }

  /// Returns the cuts that lost their worker, to be tried again; none in the last try.
  private func cut(
    _ missing: [Case], of entry: CorpusEntry, _ known: Set<Case>, _ slot: WorkerSlot, isLast: Bool,
    _ sink: (CaseRecord) throws -> Void
  ) throws -> [Case] {
    func record(_ key: Case, _ outcome: Outcome<Figures>) throws {
      let outcome = outcome.map { figures in
        var figures = figures
        figures.asked = plan.metrics
        return figures
      }
      try sink(CaseRecord(key: key, outcome: outcome, header: entry.header))
    }
    if let problem = entry.problem {
      for key in missing { try record(key, .failed(problem)) }
      return []
    }
    // Each pixel is coded with and without tiles, and again at smaller sizes.
    let seconds = configuration.timeout(pixels: 4 * entry.pixels, repeats: 1)
    // All cuts by a codec follow an encode without tiles: one that exhausts time or memory speaks for all.
    var exhausted: [CodecVariant: Failure] = [:]
    var wholes: [Case: Outcome<Figures>] = [:]
    var lost: [Case] = []
    for key in missing {
      var outcome = exhausted[key.variant].map { Outcome<Figures>.failed($0) }
      let point = key.untiled(at: key.quality)
      if outcome == nil, wholes[point] == nil, !known.contains(point) {
        wholes[point] = try whole(point, entry, slot, sink)
        guard wholes[point] != nil else { return [] }
      }
      if outcome == nil, let whole = wholes[point], whole.value == nil { outcome = whole }
      let request = TilingRequest(
        key: key, viewportWidth: plan.view.width, viewportHeight: plan.view.height)
      guard
        let cut = try outcome
          ?? slot.ask(request, about: entry.file, build: key.variant.build, within: seconds).outcome
      else { return [] }
      if let failure = cut.failure, [.timeout, .memory].contains(failure.kind) {
        exhausted[key.variant] = failure
      }
      if !isLast, cut.failure?.isWorthRetrying == true {
        lost.append(key)
      } else {
        try record(key, cut)
      }
    }
    var done = known
    for key in missing where exhausted[key.variant] == nil {
      for point in plan.outerQualities.map(key.untiled) where done.insert(point).inserted {
        // One that fails leaves the curve as it is.
        _ = try whole(point, entry, slot, sink)
      }
    }
    return lost
  }

  /// A picture without tiles, measured as by a sweep, and kept by the worker; nil after a cancellation.
  private func whole(
    _ point: Case, _ entry: CorpusEntry, _ slot: WorkerSlot, _ sink: (CaseRecord) throws -> Void
  ) throws -> Outcome<Figures>? {
    let response = try slot.measure(
      point, of: entry.file, repeats: 1, conditions: configuration.jobs == 1 ? .single : .contended,
      keepsPicture: true)
    guard let outcome = response.outcome else { return nil }
    // Not a sweep's point: its times are of no run. A failure is the cuts' alone.
    var whole = point
    whole.way = .whole
    if outcome.value != nil { try sink(CaseRecord(key: whole, outcome: outcome)) }
    return outcome
  }
}
