import Analysis
import CodecKit
import Foundation
import Metrics
import Model
import Store
import Synchronization
import Workers

/// Measures variants at a score in workers, as points of one run in a store. Points that the store has are not measured
/// again.
final class TunePool: TuneMeter {
  /// Steps of native quality around that of the score, for other metrics' curves.
  private static let around = [-10, -5, 5, 10]
  /// The smallest step from a quality already tried: x265's next quality often gives the same file.
  private static let leastStep = 3

  private let store: ResultStore
  private let run: RunID
  private let entries: [CorpusEntry]
  private let preparation: Preparation
  private let metrics: [MetricTraits]
  private let score: Double
  private let range: ClosedRange<Int>
  private let configuration: RunnerConfiguration
  private let cancellation: Cancellation
  private let describe: ([CodecVariant]) throws -> [VariantDescription]
  private let events: @Sendable (JobEvent) -> Void
  private let records: ImageRecordWriter
  private let numbers: [ImageIdentity: Int]
  private var described: [VariantDescription] = []
  private var curves: [CodecVariant: [Int: VariantCurves]] = [:]
  private var tries: [CodecVariant: [Int: CurveTries]] = [:]
  /// Images on which a variant failed, or for which the metric is not defined.
  private var failed: [CodecVariant: Set<Int>] = [:]
  private var pixels: [Int: Int] = [:]

  /// The end of the time for measuring, on `MonotonicClock`; nil for no limit.
  var end: Int64?
  private(set) var wasCancelled = false
  var isOver: Bool { wasCancelled || end.map { MonotonicClock.now() >= $0 } ?? false }

  /// - Parameters:
  ///   - metrics: The metrics to score; the first one decides.
  ///   - describe: Gives the libraries of variants.
  init(
    _ store: ResultStore, _ run: RunID, _ entries: [CorpusEntry], _ preparation: Preparation,
    _ metrics: [MetricTraits],
    at score: Double, in range: ClosedRange<Int>, _ configuration: RunnerConfiguration,
    _ cancellation: Cancellation,
    describe: @escaping ([CodecVariant]) throws -> [VariantDescription],
    events: @escaping @Sendable (JobEvent) -> Void
  ) {
    (self.store, self.run, self.entries, self.preparation) = (store, run, entries, preparation)
    (self.metrics, self.score, self.range) = (metrics, score, range)
    (self.configuration, self.cancellation, self.describe, self.events) = (
      configuration, cancellation, describe, events
    )
    records = ImageRecordWriter(store)
    numbers = Dictionary(
      entries.enumerated().map { ($1.identity, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func measure(_ variants: [CodecVariant], on images: [Int], from origin: CodecVariant) throws {
    try measure(variants, on: images, from: origin, around: [])
  }

  /// Also measures around the score, for other metrics' curves.
  func measureWidely(_ variants: [CodecVariant], on images: [Int], from origin: CodecVariant) throws {
    try measure(variants, on: images, from: origin, around: Self.around)
  }

  private func measure(
    _ variants: [CodecVariant], on images: [Int], from origin: CodecVariant, around: [Int]
  ) throws {
    guard !isOver else { return }
    try enter(variants)
    let works = images.map { image in
      Work(
        image: image,
        searches: variants.compactMap { variant in
          guard failed[variant]?.contains(image) != true,
            let description = described.first(where: { $0.variant == variant })
          else { return nil }
          return Search(
            description: description, tries: tries[variant]?[image] ?? CurveTries(),
            start: place(origin, image) ?? (range.lowerBound + range.upperBound) / 2, around: around)
        }.filter { next($0) != nil })
    }.filter { !$0.searches.isEmpty }
    guard !works.isEmpty else { return }
    events(.answer(variants.count == 1 ? variants[0].name : "\(variants.count) variants"))
    try run(works)
    try read()
  }

  func figure(_ variant: CodecVariant, _ image: Int) -> TuneFigure? {
    guard let position = metrics[0].curvePosition(of: score), let pixels = pixels[image],
      let curve = try? curves[variant]?[image]?.curves[0].get(), let bytes = curve.bytes(at: position),
      let encode = curve.cpu(.encode, at: position)
    else { return nil }
    let megapixels = Double(pixels) / 1e6
    return TuneFigure(
      bytes: bytes, encode: encode / megapixels,
      decode: curve.cpu(.decode, at: position).map { $0 / megapixels }, quality: curve.quality(at: position))
  }

  func isMeasured(_ variant: CodecVariant, _ image: Int) -> Bool { tries[variant]?[image] != nil }

  /// The logarithm of the ratio of a variant's bytes to another's, when both have the other's score by a further
  /// metric; nil if a curve does not reach it.
  func witness(_ metric: Int, _ variant: CodecVariant, against other: CodecVariant, _ image: Int) -> Double? {
    guard let position = metrics[0].curvePosition(of: score), let base = curves[other]?[image],
      let own = curves[variant]?[image]
    else { return nil }
    var pairs = base.samples.compactMap { sample -> (x: Double, y: Double)? in
      guard let x = sample.scores[0].flatMap(metrics[0].curvePosition(of:)),
        let y = sample.scores[metric].flatMap(metrics[metric].curvePosition(of:))
      else { return nil }
      return (x, y)
    }.sorted { $0.x < $1.x }
    pairs = pairs.indices.filter { $0 == 0 || pairs[$0].x > pairs[$0 - 1].x }.map { pairs[$0] }
    guard let relation = PiecewiseCubic(x: pairs.map(\.x), y: pairs.map(\.y)),
      let wanted = relation.value(at: position),
      let mine = try? own.curves[metric].get().bytes(at: wanted),
      let theirs = try? base.curves[metric].get().bytes(at: wanted)
    else { return nil }
    return log(mine / theirs)
  }

  /// Makes the run's reports show these variants, in this order.
  func show(_ variants: [CodecVariant]) throws {
    try store.note(variants.compactMap { variant in described.first { $0.variant == variant } }, of: run)
  }

  // MARK: Workers

  private struct Search: Sendable {
    let description: VariantDescription
    var tries: CurveTries
    let start: Int
    let around: [Int]
  }

  private struct Work: Sendable {
    let image: Int
    var searches: [Search]
  }

  private func run(_ works: [Work]) throws {
    let pool = WorkerPool(configuration, preparation: preparation, metrics: metrics.map(\.id))
    cancellation.perform { pool.cancel() }
    defer { events(.ended) }
    let (end, job) = (end, job())
    let done = Atomic(0)
    try pool.run(
      works, pixels: { [entries] in entries[$0.image].pixels },
      round: { [events] in
        events(.progress(done: done.load(ordering: .relaxed), total: works.count))
        if let end, MonotonicClock.now() >= end { pool.cancel() }
      }
    ) { work, slot, isLast in
      guard let ending = try job(work, slot, isLast) else { return .done }
      done.add(1, ordering: .relaxed)
      return ending ? .done : .again(work)
    }
    wasCancelled = pool.isCancelled && !isOver
  }

  /// Measures an image; false if a worker was lost, and nil if it was cancelled.
  private func job() -> @Sendable (Work, WorkerSlot, _ isLast: Bool) throws -> Bool? {
    let (store, records, entries, preparation) = (store, records, entries, preparation.canonicalSpelling)
    let (metric, next) = (metrics[0].id, next)
    let conditions = configuration.jobs == 1 ? TimingSeries.Conditions.single : .contended
    return { work, slot, isLast in
      let entry = entries[work.image]
      if isLast { slot.retire() }
      if let record = try slot.open(entry.file).value ?? nil { try records.record(record, of: work.image) }
      for var search in work.searches {
        while let native = next(search), let quality = Quality(native: native) {
          let key = Case(
            image: entry.identity, preparation: preparation, variant: search.description.variant,
            quality: quality,
            libraries: search.description.librariesInKey)
          let response = try slot.measure(key, of: entry.file, repeats: 1, conditions: conditions)
          guard let outcome = response.outcome else { return nil }
          if outcome.failure?.isWorthRetrying == true, !isLast { return false }
          try store.append(.point(CaseRecord(key: key, outcome: outcome, origin: .refined)))
          guard case .measured(let figures) = outcome, let score = figures.scores[metric] else { break }
          search.tries[native] = .init(bytes: figures.encodedBytes, score: score, seconds: 0)
        }
      }
      return true
    }
  }

  /// The next quality to try; nil once the score is between two that are close enough.
  private var next: @Sendable (Search) -> Int? {
    let (range, score) = (range, score)
    return { search in
      switch search.tries.bracketing(score, in: range, from: search.start, leastStep: Self.leastStep) {
      case .try(let native): native
      case .outOfReach: nil
      case .found(let place):
        search.around.map { Int(place.native.rounded()) + $0 }.first { wanted in
          // Searches for the score have already measured near some of these.
          range.contains(wanted) && !search.tries.known.keys.contains { abs($0 - wanted) < Self.leastStep }
        }
      }
    }
  }

  private func place(_ variant: CodecVariant, _ image: Int) -> Int? {
    tries[variant]?[image]?.place(of: score, likely: nil).map { Int($0.native.rounded()) }
  }

  // MARK: The store

  private func enter(_ variants: [CodecVariant]) throws {
    let new = variants.filter { variant in !described.contains { $0.variant == variant } }
    guard !new.isEmpty else { return }
    described += try describe(new)
    try store.note(described, of: run)
    try read()
  }

  private func read() throws {
    var samples: [CodecVariant: [Int: [PointSample]]] = [:]
    var finished: FinishedImage?
    (tries, failed) = ([:], [:])
    try store.forEachRow(of: run) { row in
      let identity = ImageIdentity(name: row.image, contentHash: row.imageHash ?? "")
      guard let variant = row.variant, let image = numbers[identity] else { return }
      pixels[image] = row.pixels ?? pixels[image]
      // Points of other runs may lack scores of these metrics; they are measured again.
      let side = min(row.width ?? .max, row.height ?? .max)
      let isScored = metrics.allSatisfy { row.scores[$0.id] != nil || side < $0.minimumSide }
      guard isScored || row.status != .measured else { return }
      guard let sample = PointSample(row, metrics: metrics), let native = row.nativeQuality,
        let score = row.scores[metrics[0].id]
      else {
        // A sweep would not try a settled point again either.
        if finished?.image != identity {
          finished = try store.finished(identity, preparation: preparation.canonicalSpelling, metric: nil)
        }
        if isSettled(variant, row.quality, finished) { failed[variant, default: []].insert(image) }
        return
      }
      samples[variant, default: [:]][image, default: []].append(sample)
      tries[variant, default: [:]][image, default: .init()][native] = .init(
        bytes: sample.bytes, score: score, seconds: 0)
    }
    curves = samples.mapValues { $0.mapValues { VariantCurves($0, metrics: metrics) } }
  }

  private func isSettled(_ variant: CodecVariant, _ quality: Quality?, _ finished: FinishedImage?) -> Bool {
    guard let quality, let libraries = described.first(where: { $0.variant == variant })?.librariesInKey
    else { return true }
    return finished?.points(variant, libraries: libraries)[quality] != nil
  }
}
