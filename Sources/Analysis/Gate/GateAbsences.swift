internal import Curves
internal import Model
import Store

/// Says what was not there to be compared: a gate that guards nothing must not pass.
struct GateAbsences {
  let inventory: GateInventory
  let metrics: [MetricTraits]
  let variants: [CodecVariant]
  /// The run's variants, in their order.
  let run: [Int]

  /// Adds a finding for everything that the baseline has and the run has not, beyond its threshold.
  func add(to report: inout GateReport) {
    let thresholds = report.tolerances.thresholds(differentVersions: report.usesWiderTolerance)
    report.lostPoints = inventory.lostPoints
    report.missingScores = inventory.missingScores.values.reduce(0) { $0 + $1.points }
    report.changedImages = inventory.changedImages.count
    report.changedNames = inventory.changedImages.first
    if report.changedImages > 0, Double(report.changedImages) > thresholds.changedImages {
      report.regressions.insert(changed(threshold: thresholds.changedImages), at: 0)
    }
    if Double(report.lostPoints) > thresholds.vanishedPoints {
      report.regressions += losses(threshold: thresholds.vanishedPoints)
    }
    report.regressions += missing(threshold: thresholds.vanishedPoints)
    if report.comparedPoints == 0 {
      report.regressions.append(
        GateFinding(
          quantity: .uncompared, worsening: 1, threshold: 0,
          sentence: "Baseline and run have no point in common: same image, codec, settings and quality."))
    }
  }

  /// What a threshold was set for and nothing was held against.
  static func unguarded(_ key: String, headline: String) -> GateFinding {
    let lack =
      switch key {
      case GateThresholds.savingKey, GateThresholds.bdRateKey:
        "no bytes could be compared at equal \(headline): that takes the score and "
          + "\(RateQualityCurve.minimumPoints) qualities on both sides"
      default: "baseline and run have no such score in common"
      }
    return GateFinding(
      quantity: .missing(key), worsening: 1, threshold: 0,
      sentence: "A threshold is set for \(key), but \(lack).")
  }

  private func changed(threshold: Double) -> GateFinding {
    let count = inventory.changedImages.count
    let isOne = count == 1
    return GateFinding(
      quantity: .changed, worsening: Double(count), threshold: threshold,
      sentence: "\(counted(count, "image")) \(isOne ? "is" : "are") not the baseline's any more under "
        + "\(isOne ? "its name" : "their names") and \(isOne ? "is" : "are") not compared: "
        + "\(inventory.changedImages.phrase).")
  }

  private func missing(threshold: Double) -> [GateFinding] {
    inventory.missingScores.sorted { $0.key < $1.key }.compactMap { metric, missing in
      guard Double(missing.points) > threshold else { return nil }
      let traits = metrics[metric]
      return GateFinding(
        quantity: .missing(traits.id), worsening: Double(missing.points), threshold: threshold,
        sentence: "\(traits.title) is missing, or no finite number, at "
          + "\(counted(missing.points, "point")) where the baseline has it, first of “\(missing.image)”.")
    }
  }

  private func losses(threshold: Double) -> [GateFinding] {
    inventory.losses.sorted { $0.key < $1.key }.map { variant, loss in
      GateFinding(
        quantity: .vanished, variant: variants[variant], worsening: Double(loss.points), threshold: threshold,
        sentence:
          "No longer there: \(counted(loss.points, "point")) of the baseline, first of “\(loss.image)”"
          + "\(reason(for: loss, of: variant)).")
    }
  }

  /// Whether it was the variant, the images or the qualities that went.
  private func reason(for loss: GateInventory.Loss, of variant: Int) -> String {
    if !run.contains(variant) {
      let others = run.map { variants[$0].name }.joined(separator: ", ")
      return "; the run has \(others.isEmpty ? "no codec" : others) and not \(variants[variant].name)"
    }
    var reasons: [String] = []
    if inventory.goneImages.count > 0 {
      reasons.append("images that are gone: \(inventory.goneImages.phrase)")
    }
    if !inventory.goneQualities.isEmpty {
      reasons.append("qualities that are gone: \(inventory.goneQualities)")
    }
    return reasons.isEmpty ? "" : "; " + reasons.joined(separator: "; ")
  }
}
