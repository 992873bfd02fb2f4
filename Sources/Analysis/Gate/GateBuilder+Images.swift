import Model
import Store

extension GateBuilder {
  mutating func compare(_ name: String, _ before: GateImage?, _ after: GateImage) {
    report.inventory.see(before, after)
    guard isComparable(name, before, after) else { return }
    if before == nil { report.inventory.newImages.add(name) }
    matchedImages += 1
    let comparedBefore = report.comparedPoints
    let (variants, partners) = (variants.values, partners())
    var left = Dictionary(grouping: before?.points ?? [], by: \.variant).mapValues { points in
      Dictionary(points.map { ($0.place, $0) }, uniquingKeysWith: { $1 })
    }
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
          variants[variant], against: variants[partner], partner: partner, headline: headline,
          metrics: metrics, options: options)
      for (before, after) in pairs { compare(before, after, in: &column, image: name, variants[variant]) }
      if report.subject == .points {
        noteGrowth(of: pairs, name, variants[variant])
        column.compareCurves(
          old, points.filter { $0.status == .measured }, image: name,
          isSameVariant: partner == variant)
      }
      columns[variant] = column
    }
    if report.comparedPoints > comparedBefore { report.comparedImages += 1 }
    for point in left.values.flatMap(\.values) where point.status == .measured && !point.isRefined {
      report.inventory.lose(point, of: name)
    }
  }

  /// Returns false for an image that is unusable or not the same as the baseline's, and notes it.
  private mutating func isComparable(_ name: String, _ before: GateImage?, _ after: GateImage) -> Bool {
    if let problem = after.problem {
      report.inventory.unusableImages.add(name)
      // Its points are missing because the image is unusable, not on their own.
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
    report.inventory.replace(change)
    return false
  }

  /// Returns the points measured on both sides; removes the run's points from the baseline's.
  private mutating func pair(
    _ points: [GatePoint], with left: inout [Int: [PointPlace: GatePoint]], partner: Int, image: String,
    title: CodecVariant
  ) -> [(before: GatePoint, after: GatePoint)] {
    var pairs: [(before: GatePoint, after: GatePoint)] = []
    for point in points {
      let earlier = left[partner]?.removeValue(forKey: point.place)
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

  private mutating func noteFailure(
    _ name: String, _ before: GatePoint?, _ after: GatePoint, _ variant: CodecVariant
  ) {
    // An unsupported point is news only if it worked before.
    let isNews = after.status == .failed ? before?.status != .failed : before?.status == .measured
    guard isNews else { return }
    var finding = newFinding(.failure, name, variant, at: after)
    finding.subject = report.subject
    finding.detail = after.status == .failed ? .fails(after.error) : .unsupported(after.error)
    failures.offer(finding)
  }

  private func newFinding(
    _ quantity: GateQuantity, _ image: String, _ variant: CodecVariant, at point: GatePoint
  ) -> GateFinding {
    GateFinding(
      quantity: quantity, image: image, variant: variant, quality: point.place.quality,
      name: point.place.name, worsening: 1)
  }

  private mutating func compare(
    _ before: GatePoint, _ after: GatePoint, in column: inout GatedVariant, image: String,
    _ variant: CodecVariant
  ) {
    report.comparedPoints += 1
    let thresholds = report.tolerances.thresholds(differentVersions: column.add(before, after))
    if before.times[.encode] != nil, after.times[.encode] != nil { hasTimes = true }
    noteValues(before, after, image: image, in: &column)
    func add(_ quantity: GateQuantity, _ old: Double?, _ new: Double?, _ metric: MetricTraits? = nil) {
      guard let old, let new, old != new, old.isFinite, new.isFinite, let threshold = thresholds[quantity]
      else { return }
      var finding = newFinding(quantity, image, variant, at: after)
      (finding.before, finding.after, finding.metric) = (old, new, metric)
      finding.worsening = GateQuantity.worsening(old, new, metric: metric)
      finding.threshold = threshold
      if finding.exceeds(report.subject.slack) {
        if finding.worsening > 0 { worse.offer(finding) } else { better.offer(finding) }
      }
      // The slack of a twentieth of a threshold allows for rounding in a baseline file.
      if finding.worsening > (threshold.isFinite ? threshold / 20 : 0) { worst.offer(finding) }
    }
    // Zero bytes on either side means that they are unknown.
    if before.bytes > 0, after.bytes > 0 { add(.pointBytes, Double(before.bytes), Double(after.bytes)) }
    if abs((after.memory ?? 0) - (before.memory ?? 0)) >= GateQuantity.memory.traits.noise {
      add(.memory, before.memory, after.memory)
    }
    for (index, metric) in metrics.enumerated() {
      add(.score(metric.id), before.score(index), after.score(index), metric)
    }
  }

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

  /// Notes values that cannot pass: missing from the run, or not finite on only one side.
  private mutating func noteValues(
    _ before: GatePoint, _ after: GatePoint, image: String, in column: inout GatedVariant
  ) {
    for (index, metric) in metrics.enumerated() {
      guard let old = before.score(index) else { continue }
      if let new = after.score(index), old == new || old.isFinite && new.isFinite {
        column.comparedMetrics.insert(index)
      } else {
        report.inventory.miss(.score(metric.id), image: image)
      }
    }
    isWeighed.after = isWeighed.after || after.memory != nil
    guard let memory = before.memory else { return }
    isWeighed.before = true
    // A small read may fit into free heap space and not grow memory by a single page.
    if after.memory == nil, memory >= GateQuantity.memory.traits.noise {
      report.inventory.miss(.memory, image: image)
    }
  }
}
