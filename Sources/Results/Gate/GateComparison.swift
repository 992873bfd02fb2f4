internal import BenchModel

/// Collects what differs between two runs, image by image.
struct GateComparison: Sendable {
  let tolerances: GateTolerances
  let metrics: [MetricTraits]
  let options: AnalysisOptions
  let comparesTimes: Bool
  private let headline: Int?

  private var names: [String] = []
  /// By the run's variant.
  private(set) var columns: [Int: GateColumn] = [:]
  private var points = 0
  private var worse = WorstFindings(limit: GateReport.named, by: GateComparison.severity)
  private var better = WorstFindings(limit: GateReport.named) { -GateComparison.severity($0) }
  private var worst = WorstFindings(limit: 10, by: GateComparison.severity)
  private var worstImages = WorstFindings(limit: 10) { $0.worsening }
  private var failures = WorstFindings(limit: GateReport.named) { _ in 0 }
  private var losses: [Int: GateLoss] = [:]
  private var appeared = 0
  private var mended = 0
  private var missingScores: [Int: Int] = [:]
  private var changedSources: [RunChange] = []
  private var changedSourceCount = 0
  /// Whether both sides have times at all.
  private(set) var hasTimes = false

  init(
    tolerances: GateTolerances, metrics: [MetricTraits], options: AnalysisOptions, comparesTimes: Bool
  ) {
    self.tolerances = tolerances
    self.metrics = metrics
    self.options = options
    self.comparesTimes = comparesTimes
    headline = metrics.firstIndex { $0.id == options.headlineMetric }
  }

  /// How far a finding is beyond its threshold.
  static func severity(_ finding: GateFinding) -> Double {
    finding.worsening / max(finding.threshold ?? 1, 1e-9)
  }

  /// Whether a variant of the run is compared with another one of the baseline.
  func isPaired(_ variant: Int) -> Bool { columns[variant].map { $0.partner != variant } ?? false }

  /// Compares an image of the run with the same one of the baseline.
  mutating func compare(
    _ name: String, before: GateImage?, after: GateImage, variants: [CodecVariant], partners: [Int: Int]
  ) {
    names.append(name)
    noteSource(name, before?.hash, after.hash)
    if let problem = after.problem, before?.problem == nil {
      failures.offer(
        GateFinding(
          quantity: .failure, image: name, worsening: 1, sentence: "The image cannot be used: \(problem)"))
      // Its points did not vanish by themselves.
      return
    }
    var left = Dictionary(
      before?.points.map { (PointName($0.variant, $0.quality), $0) } ?? [], uniquingKeysWith: { $1 })
    for (variant, points) in Dictionary(grouping: after.points, by: \.variant).sorted(by: { $0.key < $1.key })
    {
      let partner = partners[variant] ?? variant
      let pairs = pair(points, with: &left, partner: partner, image: name, title: variants[variant])
      let old = before?.points.filter { $0.variant == partner && $0.status == .measured } ?? []
      guard !old.isEmpty else { continue }
      // Taken out meanwhile, so that its growing columns are not copied for every image.
      var column =
        columns.removeValue(forKey: variant)
        ?? GateColumn(
          variant: variants[variant], partner: partner, headline: headline, metrics: metrics, options: options
        )
      compare(pairs, in: &column, image: name, title: variants[variant])
      column.compareCurves(old, points.filter { $0.status == .measured }, image: names.count - 1)
      columns[variant] = column
    }
    for point in left.values where point.status == .measured { lose(point.variant, name) }
  }

  /// The points that both sides measured; takes those that the run has from the baseline's.
  private mutating func pair(
    _ points: [GatePoint], with left: inout [PointName: GatePoint], partner: Int, image: String,
    title: CodecVariant
  ) -> [(before: GatePoint, after: GatePoint)] {
    var pairs: [(before: GatePoint, after: GatePoint)] = []
    for point in points {
      let earlier = left.removeValue(forKey: PointName(partner, point.quality))
      guard point.status == .measured else {
        noteFailure(image, earlier, point, title)
        continue
      }
      guard let earlier else {
        appeared += 1
        continue
      }
      if earlier.status == .measured { pairs.append((earlier, point)) } else { mended += 1 }
    }
    return pairs
  }

  /// Takes an image of the baseline that the run does not have.
  mutating func vanish(_ image: GateImage, name: String, variants: [CodecVariant]) {
    for point in image.points where point.status == .measured { lose(point.variant, name) }
  }

  private mutating func lose(_ variant: Int, _ name: String) {
    losses[variant, default: GateLoss(image: name)].points += 1
  }

  private mutating func noteSource(_ name: String, _ before: String?, _ after: String?) {
    guard let before, let after, before != after else { return }
    changedSourceCount += 1
    guard changedSources.count < 3 else { return }
    changedSources.append(
      RunChange(
        what: "source bytes of \(name)", before: String(before.prefix(12)), after: String(after.prefix(12))))
  }

  private mutating func noteFailure(
    _ name: String, _ before: GatePoint?, _ after: GatePoint, _ variant: CodecVariant
  ) {
    // A point that the codec cannot do is news only where it could before.
    let isNews = after.status == .failed ? before?.status != .failed : before?.status == .measured
    guard isNews else { return }
    let verb = after.status == .failed ? "Fails now" : "No longer supported"
    failures.offer(
      GateFinding(
        quantity: .failure, image: name, variant: variant, quality: after.quality, worsening: 1,
        sentence: "\(verb): \(after.error ?? "no reason given")"))
  }

  private mutating func compare(
    _ pairs: [(before: GatePoint, after: GatePoint)], in column: inout GateColumn, image: String,
    title: CodecVariant
  ) {
    for (before, after) in pairs {
      points += 1
      column.add(before, after)
      if before.encode != nil, after.encode != nil { hasTimes = true }
      for (index, scores) in zip(before.scores, after.scores).enumerated()
      where scores.0 != nil && scores.1 == nil { missingScores[index, default: 0] += 1 }
      let comparison = PointComparison(
        metrics: metrics, thresholds: tolerances.thresholds(differentVersions: column.differs(before, after)))
      for finding in comparison.findings(before, after, image: image, variant: title) { sort(finding) }
    }
    worstImages.offerIfWorse(image, title, pairs)
  }

  private mutating func sort(_ finding: GateFinding) {
    let threshold = finding.threshold ?? .infinity
    if finding.worsening > threshold + 1e-9 { worse.offer(finding) }
    if finding.worsening < -threshold - 1e-9 { better.offer(finding) }
    // A twentieth of a threshold is what rounding in a baseline file may come to.
    if finding.worsening > (threshold.isFinite ? threshold / 20 : 0) { worst.offer(finding) }
  }
}

// What has been collected.
extension GateComparison {
  /// The report, with changes and command still to come. `order` has the run's variants.
  func report(variants: [CodecVariant], order: [Int]) -> GateReport {
    var report = GateReport(tolerances: tolerances)
    report.comparedPoints = points
    report.worsePoints = worse.count
    report.betterPoints = better.count
    report.newFailures = failures.count
    report.worstPoints = worst.findings
    report.worstImages = worstImages.findings
    for variant in order {
      guard let column = columns[variant] else { continue }
      let summary = column.summary(
        variants: variants, names: names, comparesTimes: comparesTimes, options: options)
      report.variants.append(summary)
      report.usesWiderTolerance = report.usesWiderTolerance || summary.hasOtherLibraries
      let thresholds = tolerances.thresholds(differentVersions: summary.hasOtherLibraries)
      VariantFindings(
        thresholds: thresholds, metric: headline.map { metrics[$0].title } ?? options.headlineMetric
      ).sort(summary, into: &report)
    }
    addFailures(to: &report)
    addLosses(to: &report, variants: variants)
    report.regressions += worse.findings
    report.improvements += better.findings
    report.remarks = remarks
    return report
  }

  private func addFailures(to report: inout GateReport) {
    let threshold = tolerances.thresholds(differentVersions: report.usesWiderTolerance).newFailures
    guard Double(failures.count) > threshold else { return }
    report.regressions += failures.findings.map { finding in
      var finding = finding
      finding.threshold = threshold
      return finding
    }
  }

  private func addLosses(to report: inout GateReport, variants: [CodecVariant]) {
    let threshold = tolerances.thresholds(differentVersions: report.usesWiderTolerance).vanishedPoints
    let total = losses.values.reduce(0) { $0 + $1.points }
    guard Double(total) > threshold else { return }
    for (variant, loss) in losses.sorted(by: { $0.key < $1.key }) {
      report.regressions.append(
        GateFinding(
          quantity: .vanished, variant: variants[variant], worsening: Double(loss.points),
          threshold: threshold,
          sentence:
            "No longer there: \(counted(loss.points, "point")) of the baseline, first of “\(loss.image)”."))
    }
  }

  private var remarks: [String] {
    var remarks: [String] = []
    if appeared > 0 { remarks.append("Without a baseline yet: \(counted(appeared, "point")).") }
    if mended > 0 { remarks.append("Measured now, but failed in the baseline: \(counted(mended, "point")).") }
    for (metric, count) in missingScores.sorted(by: { $0.key < $1.key }) {
      remarks.append(
        "\(metrics[metric].title) is missing for \(counted(count, "point")) that have it in the baseline.")
    }
    let known = columns.values.contains { !$0.libraryPairs.isEmpty }
    if !known, points > 0 {
      remarks.append("Library versions are not known on both sides; they are taken for equal.")
    }
    return remarks
  }

  /// The images whose source bytes differ.
  var sourceChanges: [RunChange] {
    let more = changedSourceCount - changedSources.count
    return changedSources
      + (more > 0
        ? [RunChange(what: "source bytes of \(counted(more, "further image"))", before: "–", after: "–")]
        : [])
  }
}
