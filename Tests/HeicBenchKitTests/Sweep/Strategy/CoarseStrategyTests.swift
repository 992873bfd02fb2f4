import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Workers

/// The coarse stage with codecs that are formulas, so that a whole sweep's measurements are known.
@Suite struct CoarseStrategyTests {
  private static let variants = ["jpeg", "heic"].map { CodecVariant(codec: $0) }
  private static let metric = MetricTraits(
    id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2)

  /// A picture: how easily it is compressed, and where its scores end.
  private struct Picture {
    var ease: Double
    /// Whether scores drop at some qualities, as for gradients.
    var isRagged = false

    func point(_ variant: CodecVariant, _ quality: Quality) -> FinishedPoint {
      let q = quality.value
      let bump = isRagged && (0.25...0.35).contains(q) ? 25.0 : 0
      if variant == CoarseStrategyTests.variants[0] {
        return FinishedPoint(
          bytes: Int(20_000 * exp(2 * q + 1.2 * pow(q, 18))),
          score: 100 - ease * pow(1 - q, 0.8) - 7 * q + bump)
      }
      return FinishedPoint(bytes: Int(5_000 * exp(5 * q)), score: 95 - 1.4 * ease * pow(1 - q, 2.2) + bump)
    }
  }

  private static func plan(
    _ grid: [Quality], scores: [Double] = [70], isRefined: Bool = true
  ) throws -> SweepPlan {
    let refinement = RefinementStrategy(
      goal: Refinement(metric: metric.id, targets: [50, 70, 80, 90], band: 50...90), metric: metric,
      grid: grid,
      scales: [
        variants[0]: .init(native: 0...100, closeness: .fine),
        variants[1]: .init(native: 0...100, closeness: .trusted),
      ])
    let used = isRefined ? refinement : nil
    return SweepPlan(
      entries: [
        CorpusEntry(identity: ImageIdentity(name: "a", contentHash: ""), path: [], fileBytes: 0, header: nil)
      ],
      variants: variants.map { VariantDescription(variant: $0, libraries: [], threads: 1) }, qualities: grid,
      refinement: used,
      coarse: CoarseStrategy(metric: metric, scores: scores, grid: grid, refinement: used),
      preparation: Preparation(), metrics: [metric.id])
  }

  private static func outcome(_ point: FinishedPoint) -> PointOutcome {
    let timing = TimingSeries(conditions: .single, encode: [], decode: [])
    return .measured(
      Figures(
        nativeQuality: 0, encodedBytes: point.bytes ?? 0, encodedHash: "", timing: timing,
        scores: [metric.id: point.score ?? 0]))
  }

  private typealias Points = [Case: FinishedPoint]

  /// The finished points of a plan's only image.
  private static func finishedImage(_ plan: SweepPlan, _ points: Points) -> FinishedImage {
    FinishedImage(
      image: plan.entries[0].identity, preparation: plan.preparation.canonicalSpelling, among: points)
  }

  /// Measures up to `most` points of an image in the coarse stage, and returns what was measured.
  private static func coarse(
    _ picture: Picture, _ plan: SweepPlan, round: Int = 0, from finished: Points = [:],
    guesses: CoarseGuesses = .init(), most: Int = .max
  ) throws -> Points {
    var state = ImageState(
      .coarse, round: round, plan: plan, entry: plan.entries[0], finished: Self.finishedImage(plan, finished))
    var measured = finished
    while case let points = state.nextStep(guesses), !points.isEmpty {
      for key in points {
        #expect(measured[key] == nil, "a point is measured once")
        guard measured.count < most else { return measured }
        var point = picture.point(key.variant, key.quality)
        if !plan.qualities.contains(key.quality) { point.origins = [.refined] }
        measured[key] = point
        _ = state.enter(key, point)
      }
    }
    return measured
  }

  /// Measures an image completely, and returns all of its points.
  private static func fine(
    _ picture: Picture, _ plan: SweepPlan, from finished: Points = [:], stopAfter most: Int = .max
  ) -> Points {
    var state = ImageState(
      .fine, plan: plan, entry: plan.entries[0], finished: Self.finishedImage(plan, finished))
    var measured = finished
    var points = state.begin()
    if points.isEmpty { points = state.nextRound { _, _ in } }
    while !points.isEmpty {
      for key in points {
        #expect(measured[key] == nil, "a point is measured once")
        guard measured.count < most else { return measured }
        measured[key] = picture.point(key.variant, key.quality)
        _ = state.enter(
          key, FinishedPoint(outcome(picture.point(key.variant, key.quality)), metric: plan.strategyMetric))
      }
      points = state.nextRound { _, _ in }
    }
    return measured
  }

  private static func curve(_ points: Points, _ variant: CodecVariant) throws -> RateQualityCurve {
    try RateQualityCurve(
      points.filter { $0.key.variant == variant }.values.compactMap { point in
        point.bytes.flatMap { bytes in point.score.map { .init(score: $0, bytes: bytes) } }
      })
  }

  static let grids: [[Int]] = [
    Array(stride(from: 10, through: 100, by: 10)), Array(stride(from: 5, through: 100, by: 5)),
    [30, 50, 70, 90],
    Array(1...100),
  ]

  @Test(
    "Whatever is measured first, the final points are the same", arguments: grids, [30.0, 60, 90, 120])
  func theSamePoints(natives: [Int], ease: Double) throws {
    let plan = try Self.plan(natives.compactMap { Quality(native: $0) })
    let picture = Picture(ease: ease)
    let whole = Self.fine(picture, plan)
    for place in [0, natives.count / 2, natives.count - 1] {
      var guesses = CoarseGuesses()
      guesses.learn(Dictionary(uniqueKeysWithValues: Self.variants.map { ($0, place) }))
      let first = try Self.coarse(picture, plan, guesses: guesses)
      #expect(Set(first.keys).isSubset(of: whole.keys))
      #expect(first.count <= whole.count)
      #expect(Set(Self.fine(picture, plan, from: first).keys) == Set(whole.keys))
    }
  }

  @Test(
    "Further rounds give figures at other scores, and an image ends up with the same points",
    arguments: grids,
    [60.0, 80, 100])
  func rounds(natives: [Int], ease: Double) throws {
    let plan = try Self.plan(natives.compactMap { Quality(native: $0) }, scores: [70, 80, 90, 50])
    let picture = Picture(ease: ease)
    let whole = Self.fine(picture, plan)
    var known: Points = [:]
    for (round, score) in [70.0, 80, 90, 50].enumerated() {
      known = try Self.coarse(picture, plan, round: round, from: known)
      #expect(Set(known.keys).isSubset(of: whole.keys), "\(score)")
      // Near the end of a scale, only further rounds of the refinement may give a figure.
      guard score < 90 else { continue }
      let grid = whole.filter { plan.qualities.contains($0.key.quality) }
      for variant in Self.variants where try Self.curve(grid, variant).scores.contains(score) {
        #expect(try Self.curve(known, variant).bytes(at: score) != nil, "\(variant) \(score)")
      }
    }
    #expect(Set(Self.fine(picture, plan, from: known).keys) == Set(whole.keys))
  }

  @Test(
    "Wherever a run stops, the next one ends up with the same points", arguments: [1, 3, 7, 14, 21, 26, 30])
  func resumed(cut: Int) throws {
    let plan = try Self.plan(Self.grids[0].compactMap { Quality(native: $0) })
    let picture = Picture(ease: 80)
    let whole = Self.fine(picture, plan)
    let first = try Self.coarse(picture, plan, most: cut)
    let second = Self.fine(picture, plan, from: first, stopAfter: max(cut, first.count))
    let third = try Self.coarse(picture, plan, from: second)
    #expect(Set(Self.fine(picture, plan, from: third).keys) == Set(whole.keys))
  }

  @Test("A few points give the same figure as all of them", arguments: [40.0, 60, 80, 100])
  func theFigureIsThere(ease: Double) throws {
    let plan = try Self.plan(Self.grids[0].compactMap { Quality(native: $0) })
    let picture = Picture(ease: ease)
    let (first, whole) = (try Self.coarse(picture, plan), Self.fine(picture, plan))
    #expect(first.count * 2 < whole.count)
    for variant in Self.variants {
      let early = try #require(try Self.curve(first, variant).bytes(at: 70))
      let late = try #require(try Self.curve(whole, variant).bytes(at: 70))
      #expect(abs(log(early / late)) < 0.02, "\(variant)")
    }
  }

  @Test(
    "Few qualities also give a figure, in more rounds",
    arguments: [[30, 60, 90], [30, 50, 70, 90]])
  func fewQualities(natives: [Int]) throws {
    let plan = try Self.plan(natives.compactMap { Quality(native: $0) })
    for ease in [60.0, 80, 100] {
      let picture = Picture(ease: ease)
      let first = try Self.coarse(picture, plan)
      for variant in Self.variants {
        #expect(try Self.curve(first, variant).bytes(at: 70) != nil, "\(variant) \(ease)")
      }
      #expect(Set(first.keys).isSubset(of: Self.fine(picture, plan).keys))
    }
  }

  /// Says what is finished, and counts the requests.
  private final class Ledger: FinishedPoints {
    let points: Mutex<Points>
    let questions = Mutex(0)

    init(_ points: Points) { self.points = Mutex(points) }

    func finished(
      _ image: ImageIdentity, preparation: String, metric: String?
    ) -> FinishedImage {
      questions.withLock { $0 += 1 }
      return points.withLock { FinishedImage(image: image, preparation: preparation, among: $0) }
    }
  }

  @Test("An image with all its points is checked once, in either stage", arguments: grids)
  func nothingIsLeft(natives: [Int]) throws {
    let plan = try Self.plan(natives.compactMap { Quality(native: $0) })
    let finished = Ledger(Self.fine(Picture(ease: 80), plan))
    let state = SweepState(
      plan: plan, jobs: 1, budget: MemoryBudget(total: 1 << 40), sink: RecordingSink(), finished: finished)
    #expect(try state.nextImage() == nil)
    #expect(finished.questions.withLock { $0 } == plan.entries.count)
    let progress = state.progress()
    let count = finished.points.withLock { $0.count }
    #expect(progress.done == count && progress.total == count)
  }

  /// The next point for a session; nil if there is none now.
  private static func next(_ state: SweepState, for session: Int) throws -> Case? {
    var key: Case?
    let dummy: @Sendable (WorkerSlot) throws -> PointReport = { _ in throw CancellationError() }
    _ = try state.next(for: session) { point, _ in
      key = point
      return dummy
    }
    return key
  }

  @Test("an image that two sessions lose at once is retried with each point once")
  func lostByTwo() throws {
    let plan = try Self.plan(Self.grids[0].compactMap { Quality(native: $0) })
    let finished = Ledger([:])
    let state = SweepState(
      plan: plan, jobs: 2, budget: MemoryBudget(total: 1 << 40), sink: RecordingSink(), finished: finished)
    let lost = ImageRecord(
      identity: plan.entries[0].identity, preparation: "", fileBytes: 1, header: nil,
      problem: Failure(kind: .crash, message: "lost"))
    let tried = try (0...1).map { try #require(try Self.next(state, for: $0)) }
    for (session, key) in tried.enumerated() {
      try state.absorb(
        PointReport(key: key, image: 0, response: .unusable(lost), seconds: 1), session: session)
    }
    #expect(try Self.next(state, for: 0) == nil)
    state.beginRetries(sessions: 2)
    let picture = Picture(ease: 80)
    var done: Set<Case> = []
    while let key = try Self.next(state, for: 0) {
      #expect(done.insert(key).inserted, "a point is measured once")
      let point = picture.point(key.variant, key.quality)
      var report = PointReport(
        key: key, image: 0, response: .failed(Failure(kind: .crash, message: "unused")), seconds: 1)
      report.recorded = Self.outcome(point)
      finished.points.withLock { $0[key] = point }
      try state.absorb(report, session: 0)
    }
    #expect(done.isSuperset(of: plan.points(of: plan.entries[0])))
    let progress = state.progress()
    #expect(progress.done == progress.total)
  }

  @Test(
    "a point that lost its worker delays no round, and its image's other points are not retried")
  func lostPoint() throws {
    let plan = try Self.plan(Self.grids[0].compactMap { Quality(native: $0) }, scores: [70, 80, 90])
    let finished = Ledger([:])
    let state = SweepState(
      plan: plan, jobs: 1, budget: MemoryBudget(total: 1 << 40), sink: RecordingSink(), finished: finished)
    var lost: Case?
    let picture = Picture(ease: 80)
    func pass(isLast: Bool) throws -> Set<Case> {
      var done: Set<Case> = []
      while true {
        guard let key = try Self.next(state, for: 0) else { return done }
        let point = picture.point(key.variant, key.quality)
        var report = PointReport(
          key: key, image: 0, response: .failed(Failure(kind: .crash, message: "lost")), seconds: 1)
        if lost == nil || lost == key, !isLast {
          lost = key
        } else {
          #expect(done.insert(key).inserted, "a point is measured once")
          report.recorded = Self.outcome(point)
          finished.points.withLock { $0[key] = point }
        }
        try state.absorb(report, session: 0)
      }
    }
    let first = try pass(isLast: false)
    let grid = Set(plan.points(of: plan.entries[0]))
    #expect(grid.subtracting(first) == [try #require(lost)])
    state.beginRetries(sessions: 1)
    #expect(try pass(isLast: true).contains(try #require(lost)))
    let progress = state.progress()
    #expect(progress.done == progress.total)
  }

  @Test func whereOthersHaveTheScoreItIsFoundSooner() throws {
    let plan = try Self.plan((1...100).compactMap { Quality(native: $0) })
    let picture = Picture(ease: 40)
    let first = try Self.coarse(picture, plan)
    var state = ImageState(
      .coarse, plan: plan, entry: plan.entries[0], finished: Self.finishedImage(plan, first))
    #expect(state.nextStep(.init()).isEmpty)
    var guesses = CoarseGuesses()
    guesses.learn(state.scorePlaces)
    #expect(Set(state.scorePlaces.keys) == Set(Self.variants))
    #expect(try Self.coarse(picture, plan, guesses: guesses).count < first.count)
  }

  @Test("A score beyond all qualities, and scores that fall, end the search", arguments: [5.0, 99.9])
  func beyond(score: Double) throws {
    let grid = Self.grids[0].compactMap { Quality(native: $0) }
    let plan = try Self.plan(grid, scores: [score])
    for picture in [Picture(ease: 60), Picture(ease: 90, isRagged: true)] {
      let first = try Self.coarse(picture, plan)
      #expect(first.count <= 2 * grid.count)
      #expect(first.keys.allSatisfy { grid.contains($0.quality) })
    }
  }

  @Test func withoutRefinementItKeepsToTheGrid() throws {
    let grid = Self.grids[0].compactMap { Quality(native: $0) }
    let plan = try Self.plan(grid, isRefined: false)
    let first = try Self.coarse(Picture(ease: 80), plan)
    #expect(first.keys.allSatisfy { grid.contains($0.quality) })
  }

  @Test func whatCannotBeMeasuredIsNoLoop() throws {
    let plan = try Self.plan(Self.grids[0].compactMap { Quality(native: $0) })
    var state = ImageState(
      .coarse, plan: plan, entry: plan.entries[0], finished: Self.finishedImage(plan, [:]))
    var steps = 0
    while case let points = state.nextStep(.init()), !points.isEmpty, steps < 50 {
      steps += 1
      for key in points { _ = state.enter(key, FinishedPoint()) }
    }
    #expect(steps < 50)
  }
}
