internal import Model
import Store

/// Holds the figures of a variant over the corpus against the thresholds.
struct VariantFindings {
  let thresholds: GateThresholds
  /// The headline metric's name for people.
  let metric: String

  /// Adds what exceeds a threshold to the report, on the side where it belongs.
  func sort(_ variant: VariantComparison, into report: inout GateReport) {
    for finding in deterministic(variant) {
      let threshold = finding.threshold ?? .infinity
      if finding.worsening > threshold + 1e-9 { report.regressions.append(finding) }
      if finding.worsening < -threshold - 1e-9 { report.improvements.append(finding) }
    }
    let times: [(GateFinding.Quantity, String, VariantComparison.TimeChange?, Double)] = [
      (.encodeTime, "Encoding", variant.encodeTime, thresholds.encodeTimePercent),
      (.decodeTime, "Decoding", variant.decodeTime, thresholds.decodeTimePercent),
    ]
    for (quantity, verb, change, threshold) in times {
      guard let change, abs(change.percent) > threshold else { continue }
      let doubt = change.isSignificant ? "" : ", but the intervals of the repeats do not tell them apart"
      let finding = GateFinding(
        quantity: quantity, variant: variant.variant, before: change.before, after: change.after,
        worsening: change.percent, threshold: threshold,
        sentence: "\(verb) went from \(fixed(change.before, 1)) to \(fixed(change.after, 1)) ms "
          + "(\(signed(change.percent, 1)) %, allowed +\(decimal(threshold)) %)\(doubt).")
      if !change.isSignificant {
        report.inconclusive.append(finding)
      } else if change.percent > 0 {
        report.regressions.append(finding)
      } else {
        report.improvements.append(finding)
      }
    }
  }

  /// Bytes in total, at equal score, and on average over the band.
  private func deterministic(_ variant: VariantComparison) -> [GateFinding] {
    var findings = [
      GateFinding(
        quantity: .totalBytes, variant: variant.variant, before: Double(variant.bytesBefore),
        after: Double(variant.bytesAfter), worsening: variant.bytesChangePercent,
        threshold: thresholds.totalBytesPercent,
        sentence: "\(variant.bytesBefore) bytes in total became \(variant.bytesAfter) "
          + "(\(signed(variant.bytesChangePercent, 2)) %, allowed +\(decimal(thresholds.totalBytesPercent)) %)."
      )
    ]
    findings += variant.targets.map { change in
      GateFinding(
        quantity: .saving(change.target), variant: variant.variant, worsening: change.percent.mean,
        threshold: thresholds.savingPoints,
        sentence: "At \(metric) \(brief(change.target)) it takes "
          + "\(signed(change.percent.mean, 2)) % bytes (\(counted(change.percent.images, "image")), allowed "
          + "+\(decimal(thresholds.savingPoints)) points).")
    }
    if let rate = variant.bdRate {
      findings.append(
        GateFinding(
          quantity: .bdRate, variant: variant.variant, worsening: rate.mean,
          threshold: thresholds.bdRatePoints,
          sentence: "The BD-rate against the baseline is \(signed(rate.mean, 2)) % "
            + "(\(counted(rate.images, "image")), allowed +\(decimal(thresholds.bdRatePoints)) points)."))
    }
    return findings
  }
}
