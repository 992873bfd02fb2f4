import Model
import Store

extension GateThresholds {
  /// Returns the differences of two measured points: bytes, memory, and each score with a threshold.
  func findings(
    _ before: GatePoint, _ after: GatePoint, image: String, variant: CodecVariant, metrics: [MetricTraits]
  ) -> [GateFinding] {
    var findings: [GateFinding] = []
    func add(_ quantity: GateQuantity, _ old: Double?, _ new: Double?, _ metric: MetricTraits? = nil) {
      guard let old, let new, old != new, old.isFinite, new.isFinite, let threshold = self[quantity]
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

  /// Returns a variant's bytes in total, at equal score, and on average over the band. `metric` is the headline's.
  func findings(_ variant: VariantComparison, metric: MetricTraits?) -> [GateFinding] {
    var findings = [
      GateFinding(
        quantity: .totalBytes, variant: variant.variant, before: Double(variant.bytesBefore),
        after: Double(variant.bytesAfter), worsening: variant.bytesChangePercent,
        threshold: self[.totalBytes])
    ]
    findings += variant.targets.map { change in
      GateFinding(
        quantity: .saving(change.target), variant: variant.variant, worsening: change.percent.mean,
        threshold: self[.saving(change.target)], metric: metric, count: change.percent.images)
    }
    if let rate = variant.bdRate {
      findings.append(
        GateFinding(
          quantity: .bdRate, variant: variant.variant, worsening: rate.mean, threshold: self[.bdRate],
          count: rate.images))
    }
    return findings
  }
}

extension GateReport {
  mutating func add(_ finding: GateFinding) {
    guard finding.exceeds(subject.slack) else { return }
    if finding.worsening > 0 { regressions.append(finding) } else { improvements.append(finding) }
  }

  /// Adds the change of summed times if it is beyond its threshold and more than noise.
  mutating func add(
    _ times: TimeComparison, of operation: TimedOperation, _ variant: CodecVariant, way: String? = nil,
    _ thresholds: GateThresholds
  ) {
    let quantity = GateQuantity.time(operation)
    var finding = GateFinding(
      quantity: quantity, variant: variant, name: way, before: times.before.median,
      after: times.after.median, worsening: times.percent, threshold: thresholds[quantity])
    guard abs(times.after.median - times.before.median) >= quantity.traits.noise else { return }
    if times.isSignificant { return add(finding) }
    finding.detail = .noise
    if finding.exceeds(subject.slack) { inconclusive.append(finding) }
  }

  /// Adds a finding for everything missing from the run, beyond its threshold: a gate that guards nothing must not
  /// pass. `run` has the numbers of the run's variants in their order.
  mutating func addAbsences(metrics: [MetricTraits], variants: [CodecVariant], run: [Int]) {
    let thresholds = tolerances.thresholds(differentVersions: usesWiderTolerance)
    func isBeyond(_ count: Int, _ quantity: GateQuantity) -> Bool {
      Double(count) > thresholds.allowed(quantity)
    }
    func absence(
      _ quantity: GateQuantity, _ count: Int, of variant: CodecVariant? = nil, metric: MetricTraits? = nil,
      _ detail: GateFinding.Detail?
    ) -> GateFinding {
      GateFinding(
        quantity: quantity, subject: subject, variant: variant, worsening: Double(count),
        threshold: thresholds.allowed(quantity), metric: metric,
        detail: detail)
    }
    let changed = inventory.changedImages
    if isBeyond(changed.count, .changed) {
      regressions.insert(absence(.changed, changed.count, .changed(changed)), at: 0)
    }
    if isBeyond(inventory.lostPoints, .vanished) {
      regressions += inventory.losses.sorted { $0.key < $1.key }.map { variant, loss in
        // Distinguishes a missing variant from missing images or qualities.
        let kind: GateFinding.Absence =
          run.contains(variant)
          ? .parts(images: inventory.goneImages, qualities: inventory.goneQualities)
          : .variant(run: run.map { variants[$0] })
        return absence(.vanished, loss.points, of: variants[variant], .vanished(first: loss.first, kind))
      }
    }
    let values = metrics.map { (GateQuantity.score($0.id), $0 as MetricTraits?) } + [(.memory, nil)]
    for (quantity, metric) in values {
      guard let missing = inventory.missing[quantity], isBeyond(missing.points, .vanished) else { continue }
      regressions.append(
        absence(
          .missing(quantity.key), missing.points, metric: metric, .unscored(first: missing.image)))
    }
    if comparedPoints == 0 { regressions.append(absence(.uncompared, 1, nil)) }
  }
}
