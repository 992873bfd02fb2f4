import Model
import Store
import Workers

extension SweepRun {
  private struct TimedPoint: Hashable {
    let image: String
    let variant: CodecVariant?
    let quality: Quality?
  }

  /// Times the plan's points at the chosen qualities, or at all, including refined ones, unless already timed.
  func time(_ run: RunID) throws -> TimingSummary {
    let summary = try pass(over: run)
    events(.detail { "\(summary)" })
    guard let drift = summary.driftPercent else { return summary }
    try store.note(drift: drift, of: run)
    if summary.isDrifting {
      events(
        .notice(
          "the machine drifted by \((drift * 10).rounded() / 10) % while points were timed: close what else runs "
            + "and time again with --fresh"))
    }
    return summary
  }

  private func pass(over run: RunID) throws -> TimingSummary {
    let qualities = try request.timedQualities()
    var plan = plan
    plan.qualities = qualities ?? plan.qualities
    let (settled, refined) = try timedPoints(of: run, refinedToo: qualities == nil)
    let isSettled = { @Sendable (key: Case) in
      settled.contains(TimedPoint(image: key.image.name, variant: key.variant, quality: key.quality))
    }
    let usable = plan.entries.lazy.filter { $0.problem == nil }
    guard !refined.isEmpty || usable.contains(where: { !plan.points(of: $0).allSatisfy(isSettled) }) else {
      return TimingSummary()
    }
    let pass = TimingPass(
      plan: plan, configuration: configuration, refined: refined, sink: store, isTimed: isSettled, end: end,
      progress: { [events] in events(.timing($0)) })
    cancellation.perform { pass.cancel() }
    defer { events(.stepEnded) }
    return try pass.run()
  }

  /// Points that are already timed or not measurable at all, and the refined points left, by image.
  private func timedPoints(
    of run: RunID, refinedToo: Bool
  ) throws -> (Set<TimedPoint>, [String: [TimingPass.RefinedPoint]]) {
    let isFresh = request.reuse == .nothing
    var settled: Set<TimedPoint> = []
    var refined: [String: [TimingPass.RefinedPoint]] = [:]
    try store.forEachRow(of: run) { row in
      let isTimed = row.conditions == .exclusive && !isFresh
      if isTimed || row.status != .measured {
        settled.insert(TimedPoint(image: row.image, variant: row.variant, quality: row.quality))
      } else if refinedToo, row.origin == .refined, let variant = row.variant, let quality = row.quality {
        refined[row.image, default: []].append(.init(variant: variant, quality: quality))
      }
    }
    return (settled, refined)
  }
}
