import Model

extension GateBuilder {
  mutating func addFindings() {
    (report.worsePoints, report.betterPoints, report.newFailures) = (
      worse.count, better.count, failures.count
    )
    (report.worstPoints, report.worstImages) = (worst.findings, worstImages.findings)
    for variant in runVariants {
      if let column = columns[variant] { add(column) }
    }
    if report.comparedPoints > 0 {
      report.held.formUnion([GateQuantity.failure, .vanished, .changed, .pointBytes].map(\.key))
      if isWeighed.before { report.held.insert(GateQuantity.memory.key) }
    }
    let thresholds = report.tolerances.thresholds(differentVersions: report.usesWiderTolerance)
    if Double(failures.count) > thresholds.allowed(.failure) {
      report.regressions += failures.findings.map { finding in
        var finding = finding
        finding.threshold = thresholds.allowed(.failure)
        return finding
      }
    }
    addAbsences(thresholds)
    // If the peak cannot be reset, the smallest reads may show no growth of memory, but not all reads.
    if isWeighed.before, !isWeighed.after, report.inventory.missing[.memory] == nil {
      report.regressions.append(
        GateFinding(quantity: .missing(GateQuantity.memory.key), worsening: 1, threshold: 0))
    }
    report.regressions += worse.findings
    report.improvements += better.findings
  }

  private mutating func add(_ column: GatedVariant) {
    let isSweep = report.subject == .points
    var summary = column.summary(
      outOf: matchedImages, comparesTimes: isSweep && timeObstacle == nil)
    summary.comparedScores = Set(column.comparedMetrics.map { metrics[$0].id })
    report.usesWiderTolerance = report.usesWiderTolerance || summary.hasOtherLibraries
    let thresholds = report.tolerances.thresholds(differentVersions: summary.hasOtherLibraries)
    guard isSweep else {
      report.held.formUnion(summary.comparedScores)
      for (way, operation, times) in column.timedWays {
        report.held.insert(GateQuantity.time(operation).key)
        add(times, of: operation, summary.variant, way: way, thresholds)
      }
      return
    }
    report.held.formUnion(summary.held)
    report.variants.append(summary)
    addFigures(of: summary, thresholds)
    for operation in TimedOperation.allCases {
      if let times = summary.times[operation] { add(times, of: operation, summary.variant, thresholds) }
    }
  }

  private mutating func addFigures(of variant: VariantComparison, _ thresholds: GateThresholds) {
    func add(_ quantity: GateQuantity, _ worsening: Double, _ change: (inout GateFinding) -> Void) {
      var finding = GateFinding(
        quantity: quantity, variant: variant.variant, worsening: worsening, threshold: thresholds[quantity])
      change(&finding)
      report.add(finding)
    }
    add(.totalBytes, variant.bytesChangePercent) {
      ($0.before, $0.after) = (Double(variant.bytesBefore), Double(variant.bytesAfter))
    }
    for (target, percent) in variant.targets {
      add(.saving(target), percent.mean) {
        ($0.metric, $0.count) = (headline.map { metrics[$0] }, percent.images)
      }
    }
    if let rate = variant.bdRate { add(.bdRate, rate.mean) { $0.count = rate.images } }
  }

  /// Adds the change of summed times if it exceeds its threshold and is more than noise.
  private mutating func add(
    _ times: TimeComparison, of operation: TimedOperation, _ variant: CodecVariant, way: String? = nil,
    _ thresholds: GateThresholds
  ) {
    let quantity = GateQuantity.time(operation)
    var finding = GateFinding(
      quantity: quantity, variant: variant, name: way, before: times.before.median,
      after: times.after.median, worsening: times.percent, threshold: thresholds[quantity])
    guard abs(times.after.median - times.before.median) >= quantity.traits.noise else { return }
    if times.isSignificant { return report.add(finding) }
    finding.detail = .noise
    if finding.exceeds(report.subject.slack) { report.inconclusive.append(finding) }
  }

  /// Adds a finding for everything missing from the run beyond its threshold: a gate that covers nothing must not pass.
  private mutating func addAbsences(_ thresholds: GateThresholds) {
    let (inventory, subject) = (report.inventory, report.subject)
    func isBeyond(_ count: Int, _ quantity: GateQuantity) -> Bool {
      Double(count) > thresholds.allowed(quantity)
    }
    func absence(
      _ quantity: GateQuantity, _ count: Int, of variant: CodecVariant? = nil, metric: MetricTraits? = nil,
      _ detail: GateFinding.Detail?
    ) -> GateFinding {
      GateFinding(
        quantity: quantity, subject: subject, variant: variant, worsening: Double(count),
        threshold: thresholds.allowed(quantity), metric: metric, detail: detail)
    }
    let changed = inventory.changedImages
    if isBeyond(changed.count, .changed) {
      report.regressions.insert(absence(.changed, changed.count, .changed(changed)), at: 0)
    }
    if isBeyond(inventory.lostPoints, .vanished) {
      report.regressions += inventory.losses.sorted { $0.key < $1.key }.map { variant, loss in
        let run = runVariants.contains(variant) ? nil : runVariants.map { variants.values[$0] }
        return absence(
          .vanished, loss.points, of: variants.values[variant],
          .vanished(
            first: loss.first, run: run, images: inventory.goneImages, qualities: inventory.goneQualities))
      }
    }
    let values = metrics.map { (GateQuantity.score($0.id), $0 as MetricTraits?) } + [(.memory, nil)]
    for (quantity, metric) in values {
      guard let missing = inventory.missing[quantity], isBeyond(missing.points, .vanished) else { continue }
      report.regressions.append(
        absence(
          .missing(quantity.key), missing.points, metric: metric, .unscored(first: missing.image)))
    }
    if report.comparedPoints == 0 { report.regressions.append(absence(.uncompared, 1, nil)) }
  }

  /// Explicitly set thresholds without figures, for the whole run or for a variant without the scores.
  var unguarded: [(key: String, variant: CodecVariant?)] {
    guard report.comparedPoints > 0 else { return [] }
    return required.sorted().flatMap { key -> [(key: String, variant: CodecVariant?)] in
      let metric = GateThresholds.equalScoreKeys.contains(key) ? options.headlineMetric : key
      let isMissed = report.inventory.missing[.score(metric)] != nil
      let isKey = GateThresholds.keys.contains(key)
      guard report.held.contains(key) || !isKey && isMissed else { return [(key, nil)] }
      guard metrics.contains(where: { $0.id == metric }), !isMissed else { return [] }
      return report.variants.filter { $0.points > 0 && !$0.comparedScores.contains(metric) }
        .map { (key, $0.variant) }
    }
  }
}
