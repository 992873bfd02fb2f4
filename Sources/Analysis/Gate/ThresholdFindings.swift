import Model
import Store

/// Comparison of one point with the baseline's.
struct PointComparison {
  let metrics: [MetricTraits]
  let thresholds: GateThresholds

  /// Returns the differences of two measured points: bytes, and each score with a threshold.
  func findings(
    _ before: GatePoint, _ after: GatePoint, image: String, variant: CodecVariant
  ) -> [GateFinding] {
    var findings: [GateFinding] = []
    if before.bytes != after.bytes {
      let growth = (Double(after.bytes) / Double(before.bytes) - 1) * 100
      findings.append(
        GateFinding(
          quantity: .pointBytes, image: image, variant: variant, quality: after.quality,
          file: after.place.file, before: Double(before.bytes), after: Double(after.bytes), worsening: growth,
          threshold: thresholds.pointBytesPercent))
    }
    for (index, metric) in metrics.enumerated() {
      guard let threshold = thresholds.scores[metric.id], let old = before.scores[index],
        let new = after.scores[index], old != new, old.isFinite, new.isFinite
      else { continue }
      findings.append(
        GateFinding(
          quantity: .score(metric.id), image: image, variant: variant, quality: after.quality,
          file: after.place.file, before: old,
          after: new, worsening: metric.higherIsBetter ? old - new : new - old, threshold: threshold,
          metric: metric))
    }
    return findings
  }
}

/// Comparison of a variant's corpus figures with the thresholds.
struct VariantFindings {
  let thresholds: GateThresholds
  /// Nil if the headline metric was not measured.
  let metric: MetricTraits?

  /// Adds findings beyond a threshold to the matching list of the report.
  func sort(_ variant: VariantComparison, into report: inout GateReport) {
    for finding in deterministic(variant) {
      let threshold = finding.threshold ?? .infinity
      if finding.worsening > threshold + 1e-9 { report.regressions.append(finding) }
      if finding.worsening < -threshold - 1e-9 { report.improvements.append(finding) }
    }
    for operation in TimedOperation.allCases {
      let threshold = thresholds[time: operation]
      guard let change = variant.times[operation], abs(change.percent) > threshold else { continue }
      let finding = GateFinding(
        quantity: .time(operation), variant: variant.variant, before: change.before, after: change.after,
        worsening: change.percent, threshold: threshold, detail: change.isSignificant ? nil : .noise)
      if !change.isSignificant {
        report.inconclusive.append(finding)
      } else if change.percent > 0 {
        report.regressions.append(finding)
      } else {
        report.improvements.append(finding)
      }
    }
  }

  /// Returns bytes in total, at equal score, and on average over the band.
  private func deterministic(_ variant: VariantComparison) -> [GateFinding] {
    var findings = [
      GateFinding(
        quantity: .totalBytes, variant: variant.variant, before: Double(variant.bytesBefore),
        after: Double(variant.bytesAfter), worsening: variant.bytesChangePercent,
        threshold: thresholds.totalBytesPercent)
    ]
    findings += variant.targets.map { change in
      GateFinding(
        quantity: .saving(change.target), variant: variant.variant, worsening: change.percent.mean,
        threshold: thresholds.savingPoints, metric: metric, count: change.percent.images)
    }
    if let rate = variant.bdRate {
      findings.append(
        GateFinding(
          quantity: .bdRate, variant: variant.variant, worsening: rate.mean,
          threshold: thresholds.bdRatePoints, count: rate.images))
    }
    return findings
  }
}
