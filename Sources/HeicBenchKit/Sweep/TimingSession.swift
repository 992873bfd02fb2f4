import Analysis
import Model
import Store
import Workers

/// The exclusive timing pass of a sweep.
struct TimingSession {
  private struct Point: Hashable {
    let image: String
    let variant: CodecVariant?
    let quality: Quality?
  }

  let setup: SweepSetup
  let run: RunID
  /// True if points that were timed before are timed again.
  let isFresh: Bool
  /// Deadline on `MonotonicClock`; nil for none.
  let end: Int64?

  /// Times the plan's points at the chosen qualities, or at all, including refined ones, unless already timed.
  func time(
    _ cancellation: Cancellation, events: @escaping @Sendable (SweepEvent) -> Void
  ) throws -> TimingSummary {
    var plan = setup.plan
    plan.qualities = setup.timedQualities ?? plan.qualities
    let (settled, refined) = try points(refinedToo: setup.timedQualities == nil)
    let isSettled = { @Sendable (key: Case) in
      settled.contains(Point(image: key.image.name, variant: key.variant, quality: key.quality))
    }
    let usable = plan.entries.lazy.filter { $0.problem == nil }
    guard !refined.isEmpty || usable.contains(where: { !plan.points(of: $0).allSatisfy(isSettled) }) else {
      return TimingSummary()
    }
    let pass = TimingPass(
      plan: plan, configuration: setup.configuration, refined: refined, sink: setup.store,
      isTimed: isSettled, end: end, progress: { events(.timing($0)) })
    cancellation.perform { pass.cancel() }
    defer { events(.stepEnded) }
    return try pass.run()
  }

  /// Points that are already timed or not measurable at all, and the refined points left, by image.
  private func points(refinedToo: Bool) throws -> (Set<Point>, [String: [TimingPass.RefinedPoint]]) {
    var settled: Set<Point> = []
    var refined: [String: [TimingPass.RefinedPoint]] = [:]
    try setup.store.forEachRow(of: run) { row in
      let isTimed = row.conditions == .exclusive && !isFresh
      if isTimed || row.status != .measured {
        settled.insert(Point(image: row.image, variant: row.variant, quality: row.quality))
      } else if refinedToo, row.origin == .refined, let variant = row.variant, let quality = row.quality {
        refined[row.image, default: []].append(.init(variant: variant, quality: quality))
      }
    }
    return (settled, refined)
  }
}
