public import BenchModel

/// Compares two runs as their rows stream by: first all rows of the baseline, which stay in memory in compact
/// form, then those of the run, image by image.
public struct GateBuilder: Sendable {
  let tolerances: GateTolerances
  let metrics: [MetricTraits]
  let options: AnalysisOptions
  let manifests: (before: RunManifest?, after: RunManifest?)
  let pairsCodecs: Bool

  var baseline: [String: GateImage] = [:]
  /// Names of the baseline's images in its order.
  var baselineOrder: [String] = []
  /// Baseline and run share the numbers of variants and libraries.
  var variants = ValueTable<CodecVariant>()
  var libraries = ValueTable<String>()
  /// The variants of the baseline, and of the run in its order.
  var baselineVariants: Set<Int> = []
  var runVariants: [Int] = []

  private var current: (name: String, image: GateImage)?
  private var finished: Set<String> = []
  var comparison: GateComparison

  /// Starts a comparison.
  ///
  /// - Parameters:
  ///   - tolerances: The thresholds.
  ///   - metrics: The metrics whose scores are compared.
  ///   - options: Headline metric, targets, band and bootstrap of the figures at equal score.
  ///   - baselineManifest: The baseline's manifest; nil for a plain measurements.csv. Without both manifests
  ///     times are not compared.
  ///   - manifest: The run's manifest.
  ///   - pairsCodecs: Compare a codec with itself under other settings where each run has one variant of it
  ///     that the other has not, as in a comparison of two presets.
  public init(
    tolerances: GateTolerances = .init(), metrics: [MetricTraits], options: AnalysisOptions = .init(),
    baselineManifest: RunManifest? = nil, manifest: RunManifest? = nil, pairsCodecs: Bool = false
  ) {
    self.tolerances = tolerances
    self.metrics = metrics
    self.options = options
    manifests = (baselineManifest, manifest)
    self.pairsCodecs = pairsCodecs
    comparison = GateComparison(
      tolerances: tolerances, metrics: metrics, options: options,
      comparesTimes: RunChange.timesAreComparable(baselineManifest, manifest))
  }

  /// Takes the next row of the baseline. All of them come before the first of the run.
  public mutating func addBaseline(_ row: ResultRow) {
    if baseline[row.image] == nil {
      baselineOrder.append(row.image)
      baseline[row.image] = GateImage(hash: row.imageHash)
    }
    guard let variant = row.variant else {
      baseline[row.image]?.problem = row.error ?? "it cannot be read"
      return
    }
    let number = variants.number(variant)
    baselineVariants.insert(number)
    if let point = point(row, variant: number) { baseline[row.image]?.points.append(point) }
  }

  /// Takes the next row of the run. Rows of one image have to stand together.
  public mutating func add(_ row: ResultRow) throws(AnalysisError) {
    if current?.name != row.image {
      compareImage()
      guard !finished.contains(row.image) else { throw .scatteredImage(row.image) }
      current = (row.image, GateImage(hash: row.imageHash))
    }
    guard let variant = row.variant else {
      current?.image.problem = row.error ?? "it cannot be read"
      return
    }
    let number = variants.number(variant)
    if !runVariants.contains(number) { runVariants.append(number) }
    if let point = point(row, variant: number) { current?.image.points.append(point) }
  }

  /// The comparison of all rows.
  public consuming func finish() -> GateReport {
    compareImage()
    for name in baselineOrder {
      guard let image = baseline[name] else { continue }
      comparison.vanish(image, name: name, variants: variants.values)
    }
    var report = comparison.report(variants: variants.values, order: runVariants)
    report.changes = changes()
    report.remarks = remarks() + report.remarks
    if report.isRegression {
      report.reproduce = command(for: report)
    }
    return report
  }

  private mutating func point(_ row: ResultRow, variant: Int) -> GatePoint? {
    let number = row.libraries.flatMap { $0.isEmpty ? nil : libraries.number($0) }
    return GatePoint(row, variant: variant, libraries: number, metrics: metrics)
  }

  private mutating func compareImage() {
    guard let (name, image) = current else { return }
    current = nil
    finished.insert(name)
    let before = baseline.removeValue(forKey: name)
    comparison.compare(
      name, before: before, after: image, variants: variants.values, partners: partners())
  }

  /// The baseline's variant for each variant of the run that goes by another one there.
  private func partners() -> [Int: Int] {
    guard pairsCodecs else { return [:] }
    // The whole run's variants, where the manifest tells them: rows bring them one by one.
    let known = manifests.after?.variants.compactMap { variants.known($0.variant) } ?? runVariants
    let run = Set(known).union(runVariants)
    let (added, gone) = (run.subtracting(baselineVariants), baselineVariants.subtracting(run))
    var partners: [Int: Int] = [:]
    for variant in added {
      let codec = variants.values[variant].codec
      let candidates = gone.filter { variants.values[$0].codec == codec }
      let rivals = added.filter { variants.values[$0].codec == codec }
      if candidates.count == 1, rivals.count == 1, let partner = candidates.first {
        partners[variant] = partner
      }
    }
    return partners
  }
}

// What surrounds the figures.
extension GateBuilder {
  /// The command that measures the worst point again; nil where no point is named.
  private func command(for report: GateReport) -> String? {
    let points = report.regressions.filter { $0.quality != nil } + report.worstPoints
    guard let worst = points.first, let image = worst.image else { return nil }
    let manifest = manifests.after ?? manifests.before
    return ReproduceCommand.line(
      image: image, variant: worst.variant, quality: worst.quality,
      variants: manifest?.variants.map(\.variant) ?? report.variants.map(\.variant), manifest: manifest)
  }

  private func changes() -> [RunChange] {
    comparison.settingsChanges(variants: variants.values)
      + comparison.libraryChanges(libraries: libraries.values, variants: variants.values)
      + RunChange.between(manifests.before, manifests.after) + comparison.sourceChanges
  }

  private func remarks() -> [String] {
    var remarks: [String] = []
    let titles = { (numbers: [Int]) in numbers.map { variants.values[$0].name }.joined(separator: ", ") }
    let added = runVariants.filter { !baselineVariants.contains($0) && !comparison.isPaired($0) }
    if !added.isEmpty { remarks.append("New variants without a baseline: \(titles(added)).") }
    if comparison.hasTimes, let reason = RunChange.timeObstacle(manifests.before, manifests.after) {
      remarks.append("Times are not compared: \(reason).")
    }
    return remarks
  }
}
