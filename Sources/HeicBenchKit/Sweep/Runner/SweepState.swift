import Model
import Workers

/// The state of a running sweep: the points that wait for a session, the images that come next, the points to retry,
/// and the counters. Used only on the runner's own thread.
///
/// In a plan with a coarse stage, all images go through each of its rounds in `CoarseStrategy.order` before any is measured
/// finely. This opens each image once per round, so the stage ends if opening takes too large a share of an image's
/// time.
final class SweepState {
  private(set) var counters: SweepCounters
  /// True in the second pass, over points that lost their worker.
  private(set) var isRetrying = false

  /// The most images for which a coarse stage has more than the headline's round. It has to remember points off the
  /// grid until their image's fine stage, which takes memory.
  private static let mostImagesInRounds = 10_000

  private let plan: SweepPlan
  private let sink: any RecordSink
  private let finished: any FinishedPoints
  let imageRecords: ImageRecordWriter
  private let preparation: String
  private let grid: Set<Quality>
  private let order: [Int]
  /// The position in the order over all rounds, and that of the fine stage.
  private var (coarsePlace, finePlace) = (0, 0)
  private var isCoarse: Bool
  /// By round.
  private var guesses: [CoarseGuesses]
  private var seen: [Bool]
  private var hasBegunFinely: [Bool]
  private var scheduler: ImageScheduler
  /// Points to hand out, in order; no image's list is empty.
  private var waiting: [Int: ArraySlice<Case>] = [:]
  private var retries: [Int: [Case]] = [:]
  private var retryOrder: ArraySlice<Int> = []
  private var unusable: Set<Int> = []
  private var begun: [Int: ImageState] = [:]
  /// Images whose turn for fine measurement came during their coarse stage.
  private var awaited: Set<Int> = []
  /// Points off the grid from the coarse stage, until the refinement requests them.
  private var measuredEarly: Set<Case> = []
  /// Points that lost their worker, to be retried at the end.
  private var lost: Set<Case> = []

  init(
    plan: SweepPlan, jobs: Int, budget: MemoryBudget, sink: any RecordSink, finished: any FinishedPoints
  ) {
    (self.plan, self.sink, self.finished) = (plan, sink, finished)
    imageRecords = ImageRecordWriter(sink)
    preparation = plan.preparation.canonicalSpelling
    grid = Set(plan.qualities)
    counters = SweepCounters(plan: plan, jobs: jobs)
    scheduler = ImageScheduler(budget: budget)
    isCoarse = plan.coarse != nil
    let rounds = plan.coarse?.rounds ?? 0
    guesses = Array(
      repeating: CoarseGuesses(),
      count: plan.entries.count > Self.mostImagesInRounds ? min(rounds, 1) : rounds)
    seen = Array(repeating: false, count: plan.entries.count)
    hasBegunFinely = seen
    let pixels = plan.entries.map { $0.problem == nil ? $0.header?.pixelCount ?? 0 : 0 }
    order =
      plan.coarse == nil && plan.target == nil
      ? Array(pixels.indices)
      : CoarseStrategy.order(ofPixels: pixels, names: plan.entries.map(\.identity.name), jobs: jobs)
  }

  // MARK: - Handing out points

  /// - Parameter job: An attempt at a point of an image, by the image's index in the plan.
  func next(
    for session: Int, job: (Case, _ image: Int) -> @Sendable (WorkerSlot) throws -> PointReport
  ) throws -> WorkerPool.Next<PointReport> {
    let choice = try scheduler.next(for: session, among: waiting, pixels: { plan.entries[$0].pixels }) {
      try isRetrying ? nextRetry() : nextImage()
    }
    switch choice {
    case .image(let index):
      guard let point = waiting[index]?.popFirst() else { return .nothing }
      if waiting[index]?.isEmpty == true { waiting[index] = nil }
      return .job(job(point, index))
    case .wait: return .wait
    case .nothing: return .nothing
    }
  }

  /// Begins the second pass; no session has an image open.
  func beginRetries(sessions: Int) {
    isRetrying = true
    retryOrder = retries.keys.sorted()[...]
    for session in 0..<sessions { scheduler.budget.release(slot: session) }
    scheduler = ImageScheduler(budget: scheduler.budget)
  }

  func progress() -> SweepProgress { counters.progress() }

  func absorb(_ point: PointReport, session: Int) throws {
    let (key, image) = (point.key, point.image)
    counters.count(point, session: session)
    if let outcome = point.recorded {
      if let peak = point.peakBytes {
        scheduler.budget.learn(peakBytes: peak, pixels: plan.entries[image].pixels)
      }
      lost.remove(key)
      return try goOn(image, after: key, outcome)
    }
    switch point.response {
    case .cancelled: break
    case .unusable:
      let points = [key] + (waiting.removeValue(forKey: image) ?? [])
      if point.hasLostImage, !isRetrying { try retryImage(image, points) } else { giveUp(points, of: image) }
    case .answered, .failed:
      retry([key], of: image)
      // The coarse stage does not wait for the retry.
      if begun[image]?.stage == .coarse { try goOn(image, after: key, nil) }
    }
  }

  // MARK: - Beginning images

  func nextImage() throws -> Int? {
    while isCoarse, coarsePlace < order.count * guesses.count {
      let (round, place) = coarsePlace.quotientAndRemainder(dividingBy: order.count)
      guard counters.mayOpenAgain(order[place], times: round + 1) else { break }
      coarsePlace += 1
      if try beginCoarsely(order[place], round: round) { return order[place] }
    }
    isCoarse = false
    while finePlace < order.count {
      finePlace += 1
      if try beginFinely(order[finePlace - 1]) { return order[finePlace - 1] }
    }
    return nil
  }

  private func beginCoarsely(_ image: Int, round: Int) throws -> Bool {
    // An image that is still in an earlier round, or lost a point there, waits for its fine stage.
    guard begun[image] == nil, retries[image] == nil, !hasBegunFinely[image], !unusable.contains(image),
      let known = try look(at: image)
    else { return false }
    // An image with a complete grid goes straight to its fine stage: looking at all images twice is slow if nothing is
    // left to do.
    guard round > 0 || plan.misses(known) else { return try beginFinely(image, known) }
    return try begin(image, .coarse, round: round, known)
  }

  private func beginFinely(_ image: Int) throws -> Bool {
    if begun[image]?.stage == .coarse { awaited.insert(image) }
    guard begun[image] == nil, !hasBegunFinely[image], !unusable.contains(image),
      let known = try look(at: image)
    else { return false }
    return try beginFinely(image, known)
  }

  private func beginFinely(_ image: Int, _ known: FinishedImage) throws -> Bool {
    hasBegunFinely[image] = true
    guard let target = plan.target else { return try begin(image, .fine, known) }
    // Failed points are left out: retrying them shows why a search ended.
    return try begin(image, .search, known.filter { target.canUse($2) })
  }

  /// Returns true if points of the image are now waiting.
  private func begin(
    _ image: Int, _ stage: ImageState.Stage, round: Int = 0, _ known: FinishedImage
  ) throws -> Bool {
    var state = ImageState(stage, round: round, plan: plan, entry: plan.entries[image], finished: known)
    var points: [Case] = []
    switch stage {
    case .coarse: points = try nextPoints(of: &state, image)
    case .fine:
      points = counters.left.dearestFirst(state.begin())
      if points.isEmpty { points = try nextPoints(of: &state, image) }
    case .search:
      for variant in state.searched { points += try nextPoints(of: &state, image, variant) }
      points = counters.left.dearestFirst(points)
    }
    guard !points.isEmpty else { return false }
    begun[image] = state
    return handOut(points, of: image)
  }

  /// The finished points of an image; nil if it cannot be used. The first look counts them.
  private func look(at image: Int) throws -> FinishedImage? {
    let entry = plan.entries[image]
    let isFirst = !seen[image]
    seen[image] = true
    guard entry.problem == nil else {
      guard isFirst else { return nil }
      let record = ImageRecord(
        identity: entry.identity, preparation: preparation, fileBytes: entry.fileBytes, header: entry.header,
        problem: entry.problem)
      try imageRecords.record(record, of: image)
      // Its points were never part of the count.
      counters.summary.imageProblems += 1
      return nil
    }
    let known = try known(entry)
    guard isFirst else { return known }
    for setup in known.setups {
      guard let place = plan.place(of: setup) else { continue }
      let qualities = plan.qualities.filter { setup.points[$0] != nil }
      counters.skip(qualities, of: setup.variant, image: image)
      guard plan.isBesideGrid else { continue }
      for quality in qualities where setup.points[quality]?.origins.contains(.refined) == false {
        try sink.append(.reuse(plan.point(of: entry, variantAt: place, quality: quality), .refined))
      }
    }
    return known
  }

  private func known(_ entry: CorpusEntry) throws -> FinishedImage {
    try finished.finished(entry.identity, preparation: preparation, metric: plan.strategyMetric)
  }

  // MARK: - Continuing images

  /// Enters an outcome, or nil for a point to retry later; after the last pending one, hands out the next points.
  private func goOn(_ image: Int, after key: Case, _ outcome: PointOutcome?) throws {
    guard outcome != nil || begun[image]?.stage == .coarse, var state = begun.removeValue(forKey: image)
    else { return }
    if state.stage == .coarse, outcome != nil, !grid.contains(key.quality) { measuredEarly.insert(key) }
    let point = outcome.map { FinishedPoint($0, metric: plan.strategyMetric) } ?? FinishedPoint()
    guard state.enter(key, point) else {
      begun[image] = state
      return
    }
    let points = try nextPoints(of: &state, image, key.variant)
    if !points.isEmpty || state.stage == .search && !state.searched.isEmpty { begun[image] = state }
    handOut(points, of: image)
    guard points.isEmpty, state.stage == .coarse else { return }
    guesses[state.round].learn(state.scorePlaces)
    // Its turn for fine measurement may have come in the meantime.
    if awaited.remove(image) != nil { _ = try beginFinely(image) }
  }

  /// The next points once all earlier ones have outcomes; in a search, those of `variant`.
  private func nextPoints(
    of state: inout ImageState, _ image: Int, _ variant: CodecVariant? = nil
  ) throws -> [Case] {
    switch state.stage {
    case .coarse:
      let points = state.nextStep(guesses[state.round])
      counters.extend(by: points.filter { !grid.contains($0.quality) }, of: image)
      return counters.left.cheapestFirst(points)
    case .fine:
      let points = try state.nextRound { key, point in
        // Skips the record if the point is already marked, as it is in every later run.
        if !point.origins.contains(.refined) { try sink.append(.reuse(key, .refined)) }
        // The lookup takes longer than everything else here.
        guard measuredEarly.isEmpty || measuredEarly.remove(key) == nil else { return }
        counters.reuse(key, of: image)
      }
      counters.extend(by: points.filter { !lost.contains($0) }, of: image)
      counters.left.begin(points, of: image)
      return counters.left.cheapestFirst(points)
    case .search:
      let points = state.nextRound(of: variant) { key, _ in counters.left.ask(key.variant, of: image) }
      counters.extend(by: points, of: image)
      if points.isEmpty, let variant { counters.endSearch(variant, of: image, isDone: true) }
      return points
    }
  }

  /// Returns false if none of the points is to be done now.
  @discardableResult private func handOut(_ points: [Case], of image: Int) -> Bool {
    let points = lost.isEmpty ? points : points.filter { !lost.contains($0) }
    if !points.isEmpty { waiting[image, default: []] += points }
    return !points.isEmpty
  }

  // MARK: - Trying again

  private func nextRetry() -> Int? {
    guard let image = retryOrder.popFirst() else { return nil }
    waiting[image] = retries.removeValue(forKey: image)?[...]
    return image
  }

  private func retry(_ points: [Case], of image: Int) {
    counters.summary.retried += points.count
    lost.formUnion(points)
    retries[image, default: []] += points
  }

  private func retryImage(_ image: Int, _ points: [Case]) throws {
    guard let state = begun[image], state.stage == .coarse else { return retry(points, of: image) }
    let entry = plan.entries[image]
    var fine = ImageState(.fine, plan: plan, entry: entry, finished: try known(entry))
    _ = fine.begin()
    begun[image] = fine
    retry(remaining(points, of: state), of: image)
  }

  /// The grid's points without an outcome, except those that other sessions are measuring, followed by the others in
  /// `points`.
  private func remaining(_ points: [Case], of state: ImageState) -> [Case] {
    let lost = Set(points)
    let missing = state.missing.filter { lost.contains($0) || !state.isOpen($0) }
    return missing + points.filter { !missing.contains($0) }
  }

  private func giveUp(_ points: [Case], of image: Int) {
    // Two workers may have opened the image at the same time.
    let isFirst = unusable.insert(image).inserted
    let state = begun.removeValue(forKey: image)
    let isCoarse = state?.stage == .coarse
    for variant in state?.stage == .search ? state?.searched ?? [] : [] {
      counters.endSearch(variant, of: image, isDone: false)
    }
    counters.giveUp(
      isCoarse ? state.map { remaining(points, of: $0).count } ?? 0 : points.count, of: image,
      isNewImage: isFirst)
  }
}
