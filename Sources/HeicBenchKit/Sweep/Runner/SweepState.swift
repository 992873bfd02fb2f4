import Model
import Workers

/// The state of a running sweep: the images that come next, the points to retry, and the counters. Used by the runner's
/// own thread only.
///
/// In a plan with a coarse stage, all images go through it in `CoarseOrder` before any is measured finely. This opens
/// each image twice, so the stage ends if opening takes too large a share of an image's time.
final class SweepState {
  /// The stage of an image with pending points.
  private enum Stage {
    case coarse(CoarseState)
    case fine(ImageState)
    /// One for each variant, which advance independently.
    case searches([CodecVariant: ImageState])
  }

  /// The largest share of an image's own time that opening it again may take.
  private static let mostOpening = 0.02

  private(set) var counters: SweepCounters

  private let plan: SweepPlan
  private let sink: any RecordSink
  private let finished: any FinishedPoints
  private let imageRecords: ImageRecordWriter
  private let preparation: String
  private let grid: Set<Quality>
  private let order: [Int]
  private var (coarsePlace, finePlace) = (0, 0)
  private var isCoarse: Bool
  private var guesses = CoarseGuesses()
  /// Images already looked at, whose earlier points are counted.
  private var seen: [Bool]
  /// Images whose turn for fine measurement has come.
  private var isFine: [Bool]
  private var retries: [ImageWork] = []
  private var retryPlace: [Int: Int] = [:]
  private var nextRetryIndex = 0
  private var unusable: Set<Int> = []
  private var begun: [Int: Stage] = [:]
  /// Images whose turn for fine measurement came during their coarse stage.
  private var awaited: Set<Int> = []
  /// Points beside the grid from the coarse stage, until the refinement asks for them.
  private var ahead: Set<Case> = []
  /// Points that lost their worker, to be retried at the end.
  private var lost: Set<Case> = []

  init(
    plan: SweepPlan, jobs: Int, sink: any RecordSink, finished: any FinishedPoints,
    imageRecords: ImageRecordWriter
  ) {
    self.plan = plan
    self.sink = sink
    self.finished = finished
    self.imageRecords = imageRecords
    preparation = plan.preparation.canonicalSpelling
    grid = Set(plan.qualities)
    counters = SweepCounters(plan: plan, jobs: jobs)
    isCoarse = plan.coarse != nil
    seen = Array(repeating: false, count: plan.entries.count)
    isFine = seen
    let pixels = plan.entries.map { $0.problem == nil ? $0.header?.pixelCount ?? 0 : 0 }
    order = plan.coarse == nil ? Array(pixels.indices) : CoarseOrder.order(ofPixels: pixels, jobs: jobs)
  }

  /// The next image with something left to do. Images with a known problem are recorded on the way.
  func nextImage() throws -> ImageWork? {
    while isCoarse, coarsePlace < order.count, pays(order[coarsePlace]) {
      coarsePlace += 1
      if let work = try beginCoarsely(order[coarsePlace - 1]) { return work }
    }
    isCoarse = false
    while finePlace < order.count {
      finePlace += 1
      if let work = try beginFinely(order[finePlace - 1]) { return work }
    }
    return nil
  }

  func nextRetry() -> ImageWork? {
    guard nextRetryIndex < retries.count else { return nil }
    defer { nextRetryIndex += 1 }
    return retries[nextRetryIndex]
  }

  func progress() -> SweepProgress { counters.progress() }

  func absorb(_ point: PointReport, slot: Int, isLast: Bool, scheduler: inout PointScheduler) throws {
    let (key, work, tried) = (point.key, point.work, point.tried)
    if tried.image != nil { counters.opened() }
    if let outcome = point.recorded {
      counters.count(outcome)
      counters.learn(key, of: work.index, pixels: work.pixels, tried, slot: slot)
      if let peak = tried.peakBytes { scheduler.budget.learn(peakBytes: peak, pixels: work.pixels) }
      counters.finish(key, of: work.index)
      lost.remove(key)
      return try goOn(work, after: key, outcome, scheduler: &scheduler)
    }
    switch tried.response {
    case .cancelled: break
    case .unusable where point.hasLostImage && !isLast:
      try retryImage(work, [key] + scheduler.drop(work.index))
    case .unusable: giveUp([key] + scheduler.drop(work.index), of: work)
    case .answered, .unsupported, .failed:
      retry([key], of: work)
      // The coarse stage does not wait for it.
      if case .coarse = begun[work.index] { try goOn(work, after: key, nil, scheduler: &scheduler) }
    }
  }

  // MARK: - Beginning images

  /// True if opening the image a second time is cheap beside its total work.
  private func pays(_ index: Int) -> Bool {
    let pixels = plan.entries[index].header?.pixelCount ?? 0
    guard let opening = counters.costs.opening(pixels: Double(pixels)),
      let whole = counters.wholeImage(index)
    else { return true }
    return opening <= Self.mostOpening * whole
  }

  private func beginCoarsely(_ index: Int) throws -> ImageWork? {
    guard let strategy = plan.coarse, let (work, known) = try look(at: index) else { return nil }
    // An image with a complete grid continues finely: a second look at all images is slow if nothing is left to do.
    guard plan.misses(known) else {
      return try beginFinely(work, known)
    }
    var state = CoarseState(
      plan: plan, strategy: strategy, entry: work.entry, finished: known, guesses: guesses)
    let points = nextStep(of: &state, work.index)
    return begin(work, with: points, .coarse(state))
  }

  private func beginFinely(_ index: Int) throws -> ImageWork? {
    if case .coarse = begun[index] { awaited.insert(index) }
    guard begun[index] == nil, !isFine[index], !unusable.contains(index),
      let (work, known) = try look(at: index)
    else { return nil }
    return try beginFinely(work, known)
  }

  private func beginFinely(_ work: ImageWork, _ known: FinishedImage) throws -> ImageWork? {
    isFine[work.index] = true
    if let target = plan.target { return beginSearches(work, known.filter { target.canUse($2) }) }
    var state = ImageState(plan: plan, entry: work.entry, finished: known)
    let points = try firstPoints(of: &state, work.index)
    return begin(work, with: points, .fine(state))
  }

  /// Starts each variant's search. Failed points are not in `known`: retrying them tells why a search ended.
  private func beginSearches(_ work: ImageWork, _ known: FinishedImage) -> ImageWork? {
    var (searches, points) = ([CodecVariant: ImageState](), [Case]())
    for (place, description) in plan.variants.enumerated() {
      var search = ImageState(
        plan: plan, variantsAt: place..<place + 1, entry: work.entry, finished: known)
      let next = nextProbe(of: &search, description.variant, work.index)
      searches[description.variant] = next.isEmpty ? nil : search
      points += next
    }
    return begin(work, with: counters.costs.dearestFirst(points), .searches(searches))
  }

  /// The grid's remaining points; if there are none, those of the first round.
  private func firstPoints(of state: inout ImageState, _ image: Int) throws -> [Case] {
    let points = state.begin()
    return try points.isEmpty ? nextRound(of: &state, image) : counters.costs.dearestFirst(points)
  }

  private func begin(_ work: ImageWork, with points: [Case], _ stage: Stage) -> ImageWork? {
    guard !points.isEmpty else { return nil }
    begun[work.index] = stage
    var work = work
    work.points = points.filter { !lost.contains($0) }[...]
    return work.points.isEmpty ? nil : work
  }

  /// An image and its finished points; nil if it cannot be used. The first look counts it.
  private func look(at index: Int) throws -> (ImageWork, FinishedImage)? {
    let entry = plan.entries[index]
    let isFirst = !seen[index]
    seen[index] = true
    guard entry.problem == nil else {
      guard isFirst else { return nil }
      let record = ImageRecord(
        identity: entry.identity, preparation: preparation, fileBytes: entry.fileBytes,
        header: entry.header, problem: entry.problem)
      try imageRecords.record(record, index: index, in: sink)
      counters.refuse()
      return nil
    }
    let known = try finished.finished(
      entry.identity, preparation: preparation, metric: plan.strategyMetric)
    let work = ImageWork(index: index, entry: entry, points: [])
    if isFirst {
      for setup in known.setups where plan.place(of: setup) != nil {
        counters.skip(
          plan.qualities.filter { setup.points[$0] != nil }, of: setup.variant, image: index)
      }
    }
    return (work, known)
  }

  // MARK: - Going on with images

  /// Enters an outcome, or nil for a point to be retried later; after the last pending one, schedules the next points.
  private func goOn(
    _ work: ImageWork, after key: Case, _ outcome: PointOutcome?, scheduler: inout PointScheduler
  ) throws {
    switch begun[work.index] {
    case nil: return
    case .coarse(var state):
      if outcome != nil, !grid.contains(key.quality) { ahead.insert(key) }
      let point = outcome.map { FinishedPoint($0, metric: plan.coarse?.metric.id) } ?? FinishedPoint()
      let isComplete = state.enter(key, point)
      let points = isComplete ? nextStep(of: &state, work.index) : []
      begun[work.index] = .coarse(state)
      hand(points, of: work, to: &scheduler)
      if isComplete, points.isEmpty { try endCoarsely(work, state, scheduler: &scheduler) }
    case .fine(var state):
      guard let outcome else { return }
      let isComplete = state.enter(key, outcome)
      let points = try isComplete ? nextRound(of: &state, work.index) : []
      begun[work.index] = isComplete && points.isEmpty ? nil : .fine(state)
      hand(points, of: work, to: &scheduler)
    case .searches(var searches):
      guard let outcome, var search = searches[key.variant], search.enter(key, outcome) else { return }
      let points = nextProbe(of: &search, key.variant, work.index)
      searches[key.variant] = points.isEmpty ? nil : search
      begun[work.index] = searches.isEmpty ? nil : .searches(searches)
      hand(points, of: work, to: &scheduler)
    }
  }

  private func hand(_ points: [Case], of work: ImageWork, to scheduler: inout PointScheduler) {
    let points = points.filter { !lost.contains($0) }
    guard !points.isEmpty else { return }
    scheduler.goOn(with: ImageWork(index: work.index, entry: work.entry, points: points[...]))
  }

  /// Ends an image's coarse stage. If its turn for fine measurement has come, it continues at once.
  private func endCoarsely(
    _ work: ImageWork, _ state: CoarseState, scheduler: inout PointScheduler
  ) throws {
    guesses.learn(state.places)
    begun[work.index] = nil
    guard awaited.remove(work.index) != nil, let next = try beginFinely(work.index) else { return }
    scheduler.goOn(with: next)
  }

  private func nextStep(of state: inout CoarseState, _ image: Int) -> [Case] {
    let points = state.next()
    counters.extend(by: points.filter { !grid.contains($0.quality) }, of: image)
    return counters.costs.cheapestFirst(points)
  }

  private func nextRound(of state: inout ImageState, _ image: Int) throws -> [Case] {
    let points = try state.nextRound { key, point in
      // Skips the record if the point is already marked, as in every later run.
      if !point.origins.contains(.refined) { try sink.append(.reuse(key, .refined)) }
      // The lookup takes longer than everything else here.
      guard ahead.isEmpty || ahead.remove(key) == nil else { return }
      counters.reuse(key, of: image)
    }
    counters.extend(by: points.filter { !lost.contains($0) }, of: image)
    counters.refine(image, with: points)
    return counters.costs.cheapestFirst(points)
  }

  private func nextProbe(of search: inout ImageState, _ variant: CodecVariant, _ image: Int) -> [Case] {
    let points = search.nextRound { key, _ in counters.ask(key, of: image) }
    counters.extend(by: points, of: image)
    if points.isEmpty { counters.endSearch(variant, of: image, isDone: true) }
    return points
  }

  // MARK: - Trying again

  private func retry(_ points: [Case], of work: ImageWork) {
    for key in points {
      counters.retry()
      lost.insert(key)
    }
    if let place = retryPlace[work.index] {
      retries[place].points += points
      return
    }
    retryPlace[work.index] = retries.count
    retries.append(ImageWork(index: work.index, entry: work.entry, points: points[...]))
  }

  /// Retries all of an image, not only its coarse points.
  private func retryImage(_ work: ImageWork, _ points: [Case]) throws {
    guard case .coarse(let state) = begun[work.index] else { return retry(points, of: work) }
    let known = try finished.finished(
      work.entry.identity, preparation: preparation, metric: plan.coarse?.metric.id)
    var fine = ImageState(plan: plan, entry: work.entry, finished: known)
    _ = fine.begin()
    begun[work.index] = .fine(fine)
    let grid = Set(state.missing)
    retry(state.missing + points.filter { !grid.contains($0) }, of: work)
  }

  private func giveUp(_ points: [Case], of work: ImageWork) {
    // Two workers may have opened it at the same time.
    let isFirst = unusable.insert(work.index).inserted
    var points = points
    if case .coarse(let state) = begun[work.index] {
      let grid = Set(state.missing)
      points = state.missing + points.filter { !grid.contains($0) }
    }
    if case .searches(let searches) = begun[work.index] {
      for variant in searches.keys { counters.endSearch(variant, of: work.index, isDone: false) }
    }
    begun[work.index] = nil
    counters.giveUp(points.count, of: work.index, isNewImage: isFirst)
  }
}
