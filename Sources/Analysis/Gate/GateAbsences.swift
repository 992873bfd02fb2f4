import Model
import Store

/// Findings about missing entries: a gate that guards nothing must not pass.
struct GateAbsences {
  let inventory: GateInventory
  let metrics: [MetricTraits]
  let variants: [CodecVariant]
  /// The run's variants, in their order.
  let run: [Int]

  /// Adds a finding for everything missing from the run, beyond its threshold.
  func add(to report: inout GateReport) {
    let thresholds = report.tolerances.thresholds(differentVersions: report.usesWiderTolerance)
    report.lostPoints = inventory.lostPoints
    report.missingScores = inventory.missingScores.values.reduce(0) { $0 + $1.points }
    report.changedImages = inventory.changedImages
    (report.goneImages, report.goneImagePoints) = (inventory.goneImages, inventory.goneImagePoints)
    report.unusableImages = inventory.unusableImages
    report.newlyUnusable = inventory.unusableImages.count - inventory.stillUnusable.count
    let changed = Double(report.changedImages.count)
    if changed > thresholds.changedImages {
      report.regressions.insert(
        GateFinding(
          quantity: .changed, worsening: changed, threshold: thresholds.changedImages,
          detail: .changed(report.changedImages)), at: 0)
    }
    if Double(report.lostPoints) > thresholds.vanishedPoints {
      report.regressions += losses(threshold: thresholds.vanishedPoints)
    }
    report.regressions += missing(threshold: thresholds.vanishedPoints)
    if report.comparedPoints == 0 {
      report.regressions.append(
        GateFinding(quantity: .uncompared, worsening: 1, threshold: 0))
    }
  }

  /// Returns a finding for a threshold without figures, of a variant or of the run.
  static func unguarded(_ key: String, _ variant: CodecVariant?, headline: String) -> GateFinding {
    GateFinding(
      quantity: .missing(key), variant: variant, worsening: 1, threshold: 0,
      detail: .unguarded(headline: headline))
  }

  private func missing(threshold: Double) -> [GateFinding] {
    inventory.missingScores.sorted { $0.key < $1.key }.compactMap { metric, missing in
      guard Double(missing.points) > threshold else { return nil }
      return GateFinding(
        quantity: .missing(metrics[metric].id), worsening: Double(missing.points), threshold: threshold,
        metric: metrics[metric], detail: .unscored(first: missing.image))
    }
  }

  private func losses(threshold: Double) -> [GateFinding] {
    inventory.losses.sorted { $0.key < $1.key }.map { variant, loss in
      // Distinguishes a missing variant from missing images or qualities.
      let absence: GateFinding.Absence =
        run.contains(variant)
        ? .parts(images: inventory.goneImages, qualities: inventory.goneQualities)
        : .variant(run: run.map { variants[$0] })
      return GateFinding(
        quantity: .vanished, variant: variants[variant], worsening: Double(loss.points), threshold: threshold,
        detail: .vanished(first: loss.image, absence))
    }
  }
}
