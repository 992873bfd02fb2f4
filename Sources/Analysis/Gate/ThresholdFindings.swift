import Model
import Store

/// Comparison of one point with the baseline's.
struct PointComparison {
  let metrics: [MetricTraits]
  let thresholds: GateThresholds

  /// Returns the differences of two measured points: bytes, memory, and each score with a threshold.
  func findings(
    _ before: GatePoint, _ after: GatePoint, image: String, variant: CodecVariant
  ) -> [GateFinding] {
    var findings: [GateFinding] = []
    func add(_ quantity: GateQuantity, _ old: Double?, _ new: Double?, _ metric: MetricTraits? = nil) {
      guard let old, let new, old != new, old.isFinite, new.isFinite, let threshold = thresholds[quantity]
      else { return }
      findings.append(
        GateFinding(
          quantity: quantity, image: image, variant: variant, quality: after.quality, name: after.place.name,
          before: old, after: new, worsening: GateQuantity.worsening(old, new, metric: metric),
          threshold: threshold, metric: metric))
    }
    // Without bytes on either side nothing is known of them.
    if before.bytes > 0, after.bytes > 0 {
      add(.pointBytes, Double(before.bytes), Double(after.bytes))
    }
    if abs((after.memory ?? 0) - (before.memory ?? 0)) >= GateQuantity.memory.traits.noise {
      add(.memory, before.memory, after.memory)
    }
    for (index, metric) in metrics.enumerated() where before.scores[index] != after.scores[index] {
      add(.score(metric.id), before.scores[index], after.scores[index], metric)
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
    for finding in deterministic(variant) where finding.exceeds(report.subject.slack) {
      report.add(finding)
    }
    for operation in TimedOperation.allCases {
      guard let times = variant.times[operation] else { continue }
      report.add(times, of: operation, variant.variant, threshold: thresholds[.time(operation)])
    }
  }

  /// Returns bytes in total, at equal score, and on average over the band.
  private func deterministic(_ variant: VariantComparison) -> [GateFinding] {
    var findings = [
      GateFinding(
        quantity: .totalBytes, variant: variant.variant, before: Double(variant.bytesBefore),
        after: Double(variant.bytesAfter), worsening: variant.bytesChangePercent,
        threshold: thresholds[.totalBytes])
    ]
    findings += variant.targets.map { change in
      GateFinding(
        quantity: .saving(change.target), variant: variant.variant, worsening: change.percent.mean,
        threshold: thresholds[.saving(change.target)], metric: metric, count: change.percent.images)
    }
    if let rate = variant.bdRate {
      findings.append(
        GateFinding(
          quantity: .bdRate, variant: variant.variant, worsening: rate.mean,
          threshold: thresholds[.bdRate], count: rate.images))
    }
    return findings
  }
}

extension GateReport {
  /// Adds a finding beyond its threshold.
  mutating func add(_ finding: GateFinding) {
    if finding.worsening > 0 { regressions.append(finding) } else { improvements.append(finding) }
  }

  /// Adds the change of summed times if it is beyond its threshold and more than noise.
  mutating func add(
    _ times: TimeComparison, of operation: TimedOperation, _ variant: CodecVariant, way: String? = nil,
    threshold: Double?
  ) {
    let quantity = GateQuantity.time(operation)
    var finding = GateFinding(
      quantity: quantity, variant: variant, name: way, before: times.before.median,
      after: times.after.median, worsening: times.percent, threshold: threshold)
    guard finding.exceeds(subject.slack),
      abs(times.after.median - times.before.median) >= quantity.traits.noise
    else { return }
    guard times.isSignificant else {
      finding.detail = .noise
      return inconclusive.append(finding)
    }
    add(finding)
  }
}
