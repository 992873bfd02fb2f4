import Model
import Store

/// Differences between two runs, collected image by image.
struct GateComparison: Sendable {
  /// Counts and the inventory so far.
  private(set) var report: GateReport
  let metrics: [MetricTraits]
  let options: AnalysisOptions
  let comparesTimes: Bool
  private let headline: Int?

  private var matchedImages = 0
  private(set) var columns: [Int: GatedVariant] = [:]
  private var worse = WorstFindings(limit: GateReport.named, by: GateComparison.severity)
  private var better = WorstFindings(limit: GateReport.named) { -GateComparison.severity($0) }
  private var worst = WorstFindings(limit: 10, by: GateComparison.severity)
  private var worstImages = WorstFindings(limit: 10) { $0.worsening }
  private var failures = WorstFindings(limit: GateReport.named) { _ in 0 }
  private(set) var hasTimes = false
  /// True per side if any memory was measured.
  private var isWeighed = (before: false, after: false)

  init(report: GateReport, metrics: [MetricTraits], options: AnalysisOptions, comparesTimes: Bool) {
    self.report = report
    self.metrics = metrics
    self.options = options
    self.comparesTimes = comparesTimes
    headline = metrics.firstIndex { $0.id == options.headlineMetric }
  }

  /// Returns a finding's worsening as a multiple of its threshold.
  static func severity(_ finding: GateFinding) -> Double {
    finding.worsening / max(finding.threshold ?? 1, 1e-9)
  }

  func isPaired(_ variant: Int) -> Bool { columns[variant].map { $0.partner != variant } ?? false }

  mutating func compare(
    _ name: String, before: GateImage?, after: GateImage, variants: [CodecVariant], partners: [Int: Int]
  ) {
    report.inventory.see(before, after)
    guard isComparable(name, before, after) else { return }
    if before == nil { report.inventory.newImages.add(name) }
    matchedImages += 1
    let comparedBefore = report.comparedPoints
    var left = Dictionary(
      before?.points.map { (PointName(variant: $0.variant, place: $0.place), $0) } ?? [],
      uniquingKeysWith: { $1 })
    for (variant, points) in Dictionary(grouping: after.points, by: \.variant).sorted(by: { $0.key < $1.key })
    {
      let partner = partners[variant] ?? variant
      let pairs = pair(points, with: &left, partner: partner, image: name, title: variants[variant])
      let old = before?.points.filter { $0.variant == partner && $0.status == .measured } ?? []
      guard !old.isEmpty else { continue }
      // Taken out so that its growing columns are not copied for every image.
      var column =
        columns.removeValue(forKey: variant)
        ?? GatedVariant(
          variant: variants[variant], partner: partner, headline: headline, metrics: metrics, options: options
        )
      compare(pairs, in: &column, image: name, title: variants[variant])
      if report.subject == .points {
        column.compareCurves(
          old, points.filter { $0.status == .measured }, image: name,
          isSameVariant: partner == variant)
      }
      columns[variant] = column
    }
    if report.comparedPoints > comparedBefore { report.comparedImages += 1 }
    for point in left.values where point.status == .measured && !point.isRefined {
      report.inventory.lose(point, of: name)
    }
  }

  /// Returns false for an image that is unusable, or another one than the baseline's, and notes it.
  private mutating func isComparable(_ name: String, _ before: GateImage?, _ after: GateImage) -> Bool {
    if let problem = after.problem {
      report.inventory.unusableImages.add(name)
      // Its points did not vanish by themselves.
      if before?.problem != nil {
        report.inventory.stillUnusable.add(name)
      } else {
        failures.offer(
          GateFinding(quantity: .failure, image: name, worsening: 1, detail: .unusable(problem)))
      }
      return false
    }
    guard before?.problem == nil else {
      report.inventory.mendedImages.add(name)
      return true
    }
    // A truncated file is a failure, not another picture.
    let isReadable = report.subject == .points || after.points.contains { $0.status != .failed }
    guard isReadable, let change = before?.replacement(by: after, named: name) else { return true }
    report.inventory.replaceImage(name, change)
    return false
  }

  /// Returns the points measured on both sides; removes the run's points from the baseline's.
  private mutating func pair(
    _ points: [GatePoint], with left: inout [PointName: GatePoint], partner: Int, image: String,
    title: CodecVariant
  ) -> [(before: GatePoint, after: GatePoint)] {
    var pairs: [(before: GatePoint, after: GatePoint)] = []
    for point in points {
      let earlier = left.removeValue(forKey: PointName(variant: partner, place: point.place))
      guard point.status == .measured else {
        noteFailure(image, earlier, point, title)
        continue
      }
      guard let earlier else {
        if !point.isRefined { report.inventory.appeared += 1 }
        continue
      }
      if earlier.status == .measured { pairs.append((earlier, point)) } else { report.inventory.mended += 1 }
    }
    return pairs
  }

  /// Adds a baseline image missing from the run.
  /// - Parameter maybeElsewhere: True if it may be in a shard that the run lacks.
  mutating func vanish(_ image: GateImage, name: String, maybeElsewhere: Bool) {
    guard !maybeElsewhere else { return report.inventory.imagesElsewhere.add(name) }
    report.inventory.see(image, nil)
    report.inventory.loseImage(name, image.points.filter { $0.status == .measured && !$0.isRefined })
  }

  mutating func rename(_ old: String, _ new: String) { report.inventory.renamedImages.add("\(old) → \(new)") }

  private mutating func noteFailure(
    _ name: String, _ before: GatePoint?, _ after: GatePoint, _ variant: CodecVariant
  ) {
    // An unsupported point is news only if it worked before.
    let isNews = after.status == .failed ? before?.status != .failed : before?.status == .measured
    guard isNews else { return }
    failures.offer(
      GateFinding(
        quantity: .failure, subject: report.subject, image: name, variant: variant, quality: after.quality,
        name: after.place.name,
        worsening: 1,
        detail: after.status == .failed ? .fails(after.error) : .unsupported(after.error)))
  }

  private mutating func compare(
    _ pairs: [(before: GatePoint, after: GatePoint)], in column: inout GatedVariant, image: String,
    title: CodecVariant
  ) {
    for (before, after) in pairs {
      report.comparedPoints += 1
      column.add(before, after)
      if before.times[.encode] != nil, after.times[.encode] != nil { hasTimes = true }
      noteValues(before, after, image: image, in: &column)
      let thresholds = report.tolerances.thresholds(differentVersions: column.differs(before, after))
      let findings = thresholds.findings(before, after, image: image, variant: title, metrics: metrics)
      for finding in findings { sort(finding) }
    }
    if report.subject == .points { noteGrowth(of: pairs, image, title) }
  }

  /// Offers the bytes of an image and variant over the points on both sides if they grew.
  private mutating func noteGrowth(
    of pairs: [(before: GatePoint, after: GatePoint)], _ image: String, _ variant: CodecVariant
  ) {
    let before = pairs.reduce(0.0) { $0 + Double($1.before.bytes) }
    let after = pairs.reduce(0.0) { $0 + Double($1.after.bytes) }
    guard after > before, before > 0 else { return }
    worstImages.offer(
      GateFinding(
        quantity: .totalBytes, image: image, variant: variant, before: before, after: after,
        worsening: GateQuantity.worsening(before, after), count: pairs.count))
  }

  /// Notes values that cannot pass: missing from the run, or not finite on one side alone.
  private mutating func noteValues(
    _ before: GatePoint, _ after: GatePoint, image: String, in column: inout GatedVariant
  ) {
    for (index, scores) in zip(before.scores, after.scores).enumerated() {
      guard let old = scores.0 else { continue }
      if let new = scores.1, old == new || old.isFinite && new.isFinite {
        column.noteScore(index)
      } else {
        report.inventory.miss(.score(metrics[index].id), image: image)
      }
    }
    isWeighed.after = isWeighed.after || after.memory != nil
    guard let memory = before.memory else { return }
    isWeighed.before = true
    // A small read may find room in the heap and grow by no page.
    if after.memory == nil, memory >= GateQuantity.memory.traits.noise {
      report.inventory.miss(.memory, image: image)
    }
  }

  private mutating func sort(_ finding: GateFinding) {
    let threshold = finding.threshold ?? .infinity
    if finding.exceeds(report.subject.slack) {
      if finding.worsening > 0 { worse.offer(finding) } else { better.offer(finding) }
    }
    // A twentieth of a threshold allows for rounding in a baseline file.
    if finding.worsening > (threshold.isFinite ? threshold / 20 : 0) { worst.offer(finding) }
  }
}

// Results of the collection.
extension GateComparison {
  /// Returns the report, without changes and command. `order` has the run's variants.
  func finished(variants: [CodecVariant], order: [Int]) -> GateReport {
    var report = self.report
    report.worsePoints = worse.count
    report.betterPoints = better.count
    report.newFailures = failures.count
    report.worstPoints = worst.findings
    report.worstImages = worstImages.findings
    for variant in order {
      guard let column = columns[variant] else { continue }
      add(column, variants, to: &report)
    }
    if report.comparedPoints > 0 {
      report.held.formUnion([GateQuantity.failure, .vanished, .changed, .pointBytes].map(\.key))
      if isWeighed.before { report.held.insert(GateQuantity.memory.key) }
    }
    addFailures(to: &report)
    report.addAbsences(metrics: metrics, variants: variants, run: order)
    // The smallest reads may grow by no page if the peak cannot be reset, but not all of them.
    if isWeighed.before, !isWeighed.after, report.inventory.missing[.memory] == nil {
      report.regressions.append(
        GateFinding(quantity: .missing(GateQuantity.memory.key), worsening: 1, threshold: 0))
    }
    report.regressions += worse.findings
    report.improvements += better.findings
    return report
  }

  /// Adds what was compared of a variant: its figures over the corpus, or the times of each way to read it.
  private func add(_ column: GatedVariant, _ variants: [CodecVariant], to report: inout GateReport) {
    var summary = column.summary(
      variants: variants, outOf: matchedImages, comparesTimes: comparesTimes, options: options)
    summary.comparedScores = Set(column.comparedMetrics.map { metrics[$0].id })
    report.usesWiderTolerance = report.usesWiderTolerance || summary.hasOtherLibraries
    let thresholds = report.tolerances.thresholds(differentVersions: summary.hasOtherLibraries)
    guard report.subject == .points else {
      report.held.formUnion(summary.comparedScores)
      for (way, operation, times) in column.timedWays {
        report.held.insert(GateQuantity.time(operation).key)
        report.add(times, of: operation, summary.variant, way: way, thresholds)
      }
      return
    }
    report.held.formUnion(summary.held)
    report.variants.append(summary)
    for finding in thresholds.findings(summary, metric: headline.map { metrics[$0] }) { report.add(finding) }
    for operation in TimedOperation.allCases {
      if let times = summary.times[operation] {
        report.add(times, of: operation, summary.variant, thresholds)
      }
    }
  }

  /// True if some way has times on both sides that cannot be compared.
  var hasUntimedWays: Bool { columns.values.contains { $0.hasUntimedWays } }

  /// Returns the thresholds set by name without figures for the run, or for a variant without the scores.
  func unguarded(_ required: Set<String>, in report: GateReport) -> [(key: String, variant: CodecVariant?)] {
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

  private func addFailures(to report: inout GateReport) {
    let threshold = report.tolerances.thresholds(differentVersions: report.usesWiderTolerance).allowed(
      .failure)
    guard Double(failures.count) > threshold else { return }
    report.regressions += failures.findings.map { finding in
      var finding = finding
      finding.threshold = threshold
      return finding
    }
  }

  /// True if the library versions are known on both sides of some point.
  var knowsLibraries: Bool { columns.values.contains { !$0.libraryPairs.isEmpty } }
}

// Circumstances of the two runs as told by their points.
extension GateComparison {
  /// Returns the variants compared with the same codec under other settings.
  func settingsChanges(variants: [CodecVariant]) -> [RunChange] {
    columns.sorted { $0.key < $1.key }.filter { $0.value.partner != $0.key }.map { variant, column in
      RunChange(
        .settings(codec: variants[variant].codec), before: variants[column.partner].name,
        after: variants[variant].name)
    }
  }

  func libraryChanges(libraries: [String], variants: [CodecVariant]) -> [RunChange] {
    columns.sorted { $0.key < $1.key }.flatMap { variant, column in
      column.libraryPairs.filter { $0.before != $0.after }.sorted().map { pair in
        RunChange(
          .libraries(variants[variant]), before: libraries[pair.before],
          after: libraries[pair.after])
      }
    }
  }
}
