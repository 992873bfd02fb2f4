import Analysis
import Model
import Store
import Workers

extension SweepRun {
  private struct TimedPoint: Hashable {
    let image: String
    let variant: CodecVariant?
    let quality: Quality?
  }

  /// Times the plan's points at the chosen qualities, or all points that the reports show, unless they are already timed.
  func time(_ run: RunID) throws -> TimingSummary {
    let summary = try pass(over: run)
    events(.detail { "\(summary)" })
    guard let drift = summary.driftPercent else { return summary }
    try store.note(drift: drift, of: run)
    if abs(drift) > TimesSummary.driftLimit {
      events(
        .notice(
          "the machine's speed changed by \((drift * 10).rounded() / 10) % during timing: close other programs "
            + "and time again with --fresh"))
    }
    return summary
  }

  private func pass(over run: RunID) throws -> TimingSummary {
    let qualities = try request.timedQualities()
    var plan = plan
    plan.qualities = qualities ?? plan.qualities
    let points = try timedPoints(of: run, plan, othersToo: qualities == nil)
    guard plan.entries.contains(where: { $0.problem == nil && !points($0).isEmpty }) else {
      return TimingSummary()
    }
    let pass = TimingPass(
      plan: plan, configuration: configuration, points: points, sink: store, end: end,
      progress: { [events] in events(.timing($0)) })
    cancellation.perform { pass.cancel() }
    defer { events(.stepEnded) }
    return try pass.run()
  }

  /// The points of an image to time: those of the grid and, if requested, refined ones and those of earlier grids,
  /// except those that are already timed or cannot be measured.
  private func timedPoints(
    of run: RunID, _ plan: SweepPlan, othersToo: Bool
  ) throws -> @Sendable (CorpusEntry) -> [Case] {
    let (isFresh, grid) = (request.reuse == .nothing, Set(plan.qualities))
    var settled: Set<TimedPoint> = []
    var others: [String: [(variant: CodecVariant, quality: Quality)]] = [:]
    try store.forEachRow(of: run) { row in
      let isTimed = row.conditions == .exclusive && !isFresh
      if isTimed || row.status != .measured {
        settled.insert(TimedPoint(image: row.image, variant: row.variant, quality: row.quality))
      } else if othersToo, let variant = row.variant, let quality = row.quality, !grid.contains(quality) {
        others[row.image, default: []].append((variant, quality))
      }
    }
    return { [settled, others] entry in
      // The row of an image that cannot be used has neither variant nor quality.
      guard !settled.contains(TimedPoint(image: entry.identity.name, variant: nil, quality: nil)) else {
        return []
      }
      let beside = (others[entry.identity.name] ?? []).compactMap { point in
        plan.variants.first { $0.variant == point.variant }.map {
          plan.point(of: entry, $0, quality: point.quality)
        }
      }
      return (plan.points(of: entry) + beside).filter {
        !settled.contains(TimedPoint(image: $0.image.name, variant: $0.variant, quality: $0.quality))
      }
    }
  }
}
