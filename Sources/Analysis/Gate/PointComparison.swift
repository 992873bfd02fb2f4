internal import Model

/// Holds one point against the baseline's.
struct PointComparison {
  let metrics: [MetricTraits]
  let thresholds: GateThresholds

  /// What differs between two measured points: bytes, and each score that has a threshold.
  func findings(
    _ before: GatePoint, _ after: GatePoint, image: String, variant: CodecVariant
  ) -> [GateFinding] {
    var findings: [GateFinding] = []
    if before.bytes != after.bytes {
      let growth = (Double(after.bytes) / Double(before.bytes) - 1) * 100
      findings.append(
        GateFinding(
          quantity: .pointBytes, image: image, variant: variant, quality: after.quality,
          before: Double(before.bytes), after: Double(after.bytes), worsening: growth,
          threshold: thresholds.pointBytesPercent,
          sentence: "\(before.bytes) bytes became \(after.bytes) (\(signed(growth, 1)) %, allowed "
            + "+\(decimal(thresholds.pointBytesPercent)) %)."))
    }
    for (index, metric) in metrics.enumerated() {
      guard let threshold = thresholds.scores[metric.id], let old = before.scores[index],
        let new = after.scores[index], old != new, old.isFinite, new.isFinite
      else { continue }
      findings.append(
        GateFinding(
          quantity: .score(metric.id), image: image, variant: variant, quality: after.quality, before: old,
          after: new, worsening: metric.higherIsBetter ? old - new : new - old, threshold: threshold,
          scoreUnit: metric.unit,
          sentence: "\(metric.title) went from \(fixed(old, metric.decimals)) to "
            + "\(fixed(new, metric.decimals)) (\(signed(new - old, metric.decimals)), allowed "
            + "\(metric.higherIsBetter ? "−" : "+")\(decimal(threshold)))."))
    }
    return findings
  }
}

/// A change with its sign: `+3.0`, `−1.1`.
func signed(_ value: Double, _ decimals: Int) -> String {
  let text = fixed(value, decimals)
  return text.hasPrefix("−") || !text.contains(where: { ("1"..."9").contains($0) }) ? text : "+" + text
}

/// A threshold in as few digits as it needs, up to four decimals.
func decimal(_ value: Double) -> String {
  var text = fixed(value, 4)
  while text.hasSuffix("0") { text.removeLast() }
  return text.hasSuffix(".") ? String(text.dropLast()) : text
}
