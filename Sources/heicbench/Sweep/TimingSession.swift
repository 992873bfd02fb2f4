import Analysis
import Model
import Store
import Sweep

/// The exclusive timing pass of a sweep.
struct TimingSession {
  /// A point of the run, as rows name it.
  private struct Point: Hashable {
    let image: String
    let variant: CodecVariant?
    let quality: Quality?
  }

  let setup: SweepSetup
  let run: RunID
  /// Whether points that were timed before are timed again.
  let isFresh: Bool

  /// Times the plan's points at `qualities`, those left out that an earlier pass has timed.
  func time(
    at qualities: [Quality], interruption: Interruption, progress: ProgressReporter
  ) throws -> TimingSummary {
    var plan = setup.plan
    plan.qualities = qualities
    let settled = try settledPoints()
    let isSettled = { @Sendable (key: PointKey) in
      settled.contains(Point(image: key.image.name, variant: key.variant, quality: key.quality))
    }
    let usable = plan.entries.lazy.filter { $0.problem == nil }
    guard usable.contains(where: { !plan.points(of: $0).allSatisfy(isSettled) }) else {
      return TimingSummary()
    }
    let pass = TimingPass(
      plan: plan, configuration: setup.configuration, sink: setup.store,
      isTimed: isSettled, progress: progress.showTiming)
    interruption.perform { pass.cancel() }
    defer { progress.close() }
    return try pass.run()
  }

  /// Points that an earlier pass has timed, and those that cannot be measured at all.
  private func settledPoints() throws -> Set<Point> {
    var settled: Set<Point> = []
    try setup.store.forEachRow(of: run) { row in
      let isTimed = row.conditions == .exclusive && !isFresh
      guard isTimed || row.status != .measured else { return }
      settled.insert(Point(image: row.image, variant: row.variant, quality: row.quality))
    }
    return settled
  }
}
