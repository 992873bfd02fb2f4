import Model
import Store

/// Findings about missing entries: a gate that guards nothing must not pass.
struct GateAbsences {
  let subject: GateSubject
  let metrics: [MetricTraits]
  let variants: [CodecVariant]
  /// The run's variants, in their order.
  let run: [Int]

  /// Adds a finding for everything missing from the run, beyond its threshold.
  func add(to report: inout GateReport) {
    let thresholds = report.tolerances.thresholds(differentVersions: report.usesWiderTolerance)
    let inventory = report.inventory
    let changed = Double(inventory.changedImages.count)
    if changed > thresholds.allowed(.changed) {
      report.regressions.insert(
        GateFinding(
          quantity: .changed, worsening: changed, threshold: thresholds[.changed],
          detail: .changed(inventory.changedImages)), at: 0)
    }
    let allowed = thresholds.allowed(.vanished)
    if Double(inventory.lostPoints) > allowed {
      report.regressions += losses(inventory, threshold: allowed)
    }
    report.regressions += missing(inventory, threshold: allowed)
    if report.comparedPoints == 0 {
      report.regressions.append(GateFinding(quantity: .uncompared, worsening: 1, threshold: 0))
    }
  }

  private func missing(_ inventory: GateInventory, threshold: Double) -> [GateFinding] {
    let values = metrics.map { (GateQuantity.score($0.id), $0 as MetricTraits?) } + [(.memory, nil)]
    return values.compactMap { quantity, metric in
      guard let missing = inventory.missing[quantity], Double(missing.points) > threshold else { return nil }
      return GateFinding(
        quantity: .missing(quantity.key), subject: subject, worsening: Double(missing.points),
        threshold: threshold,
        metric: metric, detail: .unscored(first: missing.image))
    }
  }

  private func losses(_ inventory: GateInventory, threshold: Double) -> [GateFinding] {
    inventory.losses.sorted { $0.key < $1.key }.map { variant, loss in
      // Distinguishes a missing variant from missing images or qualities.
      let absence: GateFinding.Absence =
        run.contains(variant)
        ? .parts(images: inventory.goneImages, qualities: inventory.goneQualities)
        : .variant(run: run.map { variants[$0] })
      return GateFinding(
        quantity: .vanished, subject: subject, variant: variants[variant], worsening: Double(loss.points),
        threshold: threshold,
        detail: .vanished(first: loss.first, absence))
    }
  }
}
