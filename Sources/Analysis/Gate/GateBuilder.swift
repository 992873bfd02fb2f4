import Metrics
package import Model
package import Store

/// Comparison of two streamed runs: first all rows of the baseline, which stay in memory in compact form, then the rows
/// of the run, image by image.
package struct GateBuilder: Sendable {
  let metrics: [MetricTraits]
  let options: AnalysisOptions
  let headline: Int?
  let manifests: (before: RunManifest?, after: RunManifest?)
  /// True to compare a codec with itself under other settings if each run has one variant of it that the other lacks,
  /// such as two presets.
  package var pairsCodecs: Bool
  let required: Set<String>
  let progress: RunProgress?

  var report = GateReport()
  var baseline: [String: GateImage] = [:]
  var baselineOrder: [String] = []
  /// Indices of variants and libraries, shared by baseline and run.
  var variants = ValueTable<CodecVariant>()
  var libraries = ValueTable<String>()
  var baselineVariants: Set<Int> = []
  var runVariants: [Int] = []

  private var current: (name: String, image: GateImage)?
  private var finished: Set<String> = []
  /// Names of the baseline's images by their digests, filled when the run begins.
  private var namesByHash: [String: [String]]?
  /// Images with the content of a baseline image that has another name; the run may still contain that name.
  private var strangers: [(name: String, image: GateImage)] = []

  var matchedImages = 0
  var columns: [Int: GatedVariant] = [:]
  var worse = WorstFindings { $0.severity }
  var better = WorstFindings { -$0.severity }
  var worst = WorstFindings(limit: 10) { $0.severity }
  var worstImages = WorstFindings(limit: 10) { $0.worsening }
  var failures = WorstFindings { _ in 0 }
  var hasTimes = false
  /// True per side if any memory was measured.
  var isWeighed = (before: false, after: false)

  /// - Parameters:
  ///   - baselineManifest: Nil for a plain measurements.csv. Times are compared only with both manifests.
  ///   - required: Thresholds set by name; the gate fails if one of them has no figures.
  package init(
    subject: GateSubject = .points, tolerances: GateTolerances = .init(), metrics: [MetricTraits],
    options: AnalysisOptions = .standard,
    baselineManifest: RunManifest? = nil, manifest: RunManifest? = nil, required: Set<String> = [],
    progress: RunProgress? = nil, pairsCodecs: Bool = false
  ) {
    (self.metrics, self.options) = (metrics, options)
    headline = metrics.firstIndex { $0.id == options.headlineMetric }
    manifests = (baselineManifest, manifest)
    (self.required, self.progress, self.pairsCodecs) = (required, progress, pairsCodecs)
    (report.subject, report.tolerances) = (subject, tolerances)
  }

  /// Adds the next row of the baseline; all baseline rows must come before the run's first.
  package mutating func addBaseline(_ row: ResultRow) {
    if baseline[row.image] == nil {
      // A growing array has room for twice its points, and a baseline has many arrays.
      if let last = baselineOrder.last { baseline[last]?.trim() }
      baselineOrder.append(row.image)
    }
    baseline[row.image, default: GateImage()].describe(row)
    guard let variant = row.variant else { return }
    let number = variants.number(variant)
    baselineVariants.insert(number)
    if let point = point(row, variant: number) { baseline[row.image]?.points.append(point) }
  }

  /// Adds the next row of the run. Rows of one image must be contiguous.
  package mutating func add(_ row: ResultRow) throws(AnalysisError) {
    if namesByHash == nil {
      let hashes = baselineOrder.compactMap { name in baseline[name]?.hash.map { ($0, [name]) } }
      namesByHash = Dictionary(hashes, uniquingKeysWith: +)
    }
    if current?.name != row.image {
      compareImage()
      guard !finished.contains(row.image) else { throw .scatteredImage(row.image) }
      current = (row.image, GateImage())
    }
    current?.image.describe(row)
    guard let variant = row.variant else { return }
    let number = variants.number(variant)
    if !runVariants.contains(number) { runVariants.append(number) }
    if let point = point(row, variant: number) { current?.image.points.append(point) }
  }

  package consuming func finish() -> GateReport {
    compareImage()
    compareStrangers()
    let missing = manifests.before?.shard == manifests.after?.shard ? nil : manifests.after?.missingShards
    for name in baselineOrder {
      guard let image = baseline[name] else { continue }
      if missing == nil {
        report.inventory.lose(image, named: name)
      } else {
        report.inventory.imagesElsewhere.add(name)
      }
    }
    addFindings()
    for (key, variant) in unguarded { report.add(unguarded: key, variant, headline: options.headlineMetric) }
    func addUnfinished(_ detail: GateFinding.Detail) {
      report.regressions.append(
        GateFinding(quantity: .unfinished, worsening: 1, threshold: 0, detail: detail))
    }
    if let progress, !progress.isFinished {
      report.unfinished = progress
      addUnfinished(.unfinished(progress))
    }
    let elsewhere = report.inventory.imagesElsewhere
    if let missing, elsewhere.count > 0 {
      report.missingShards = missing
      addUnfinished(.shards(missing, elsewhere))
    }
    report.circumstances = circumstances
    report.isComparison = pairsCodecs
    return report
  }

  private mutating func point(_ row: ResultRow, variant: Int) -> GatePoint? {
    let text = row.libraries.flatMap { $0.isEmpty ? nil : $0 }
    return GatePoint(
      row, of: report.subject, variant: variant, libraries: text.map { libraries.number($0) },
      versions: text.map { libraries.number(LibrarySpelling.withoutBuilds($0)) }, metrics: metrics)
  }

  private mutating func compareImage() {
    guard let (name, image) = current else { return }
    current = nil
    finished.insert(name)
    let before = baseline.removeValue(forKey: name)
    if before == nil, let hash = image.hash, namesByHash?[hash] != nil {
      return strangers.append((name, image))
    }
    compare(name, before, image)
  }

  private mutating func compareStrangers() {
    for (name, image) in strangers {
      let old = image.hash.flatMap { namesByHash?[$0] }?.first { baseline[$0] != nil }
      let before = old.flatMap { baseline.removeValue(forKey: $0) }
      if let old { report.inventory.renamedImages.add("\(old) → \(name)") }
      compare(name, before, image)
    }
    strangers = []
  }

  /// Compares ways other than points; their rows may come in any order.
  package static func compare(
    _ subject: GateSubject, _ before: [ResultRow], _ after: [ResultRow],
    _ tolerances: GateTolerances = .init()
  ) throws(AnalysisError) -> GateReport {
    var builder = GateBuilder(subject: subject, tolerances: tolerances, metrics: MetricTraits.standard)
    for row in before { builder.addBaseline(row) }
    for row in after.sorted(by: { $0.image < $1.image }) { try builder.add(row) }
    return builder.finish()
  }
}

extension GateBuilder {
  var timeObstacle: TimeObstacle? { TimeObstacle.between(manifests.before, manifests.after) }

  private var circumstances: GateCircumstances {
    let all = variants.values
    let pairs = columns.sorted { $0.key < $1.key }
    let partners = Set(columns.values.map(\.partner))
    var found = GateCircumstances(manifests: manifests)
    found.gone = baselineVariants.subtracting(runVariants).subtracting(partners).sorted().map { all[$0] }
    found.added = runVariants.filter { number in
      !baselineVariants.contains(number) && columns[number].map { $0.partner == number } ?? true
    }.map { all[$0] }
    found.settings = pairs.filter { $0.value.partner != $0.key }.map { (all[$1.partner], all[$0]) }
    found.libraries = pairs.flatMap { variant, column in
      column.libraryPairs.filter { $0.before != $0.after }
        .sorted { ($0.before, $0.after) < ($1.before, $1.after) }
        .map { (all[variant], libraries.values[$0.before], libraries.values[$0.after]) }
    }
    found.knowsLibraries = columns.values.contains { !$0.libraryPairs.isEmpty }
    if columns.values.contains(where: \.hasUntimedWays) {
      found.timeObstacle = .origins
    } else if report.subject == .points, hasTimes {
      found.timeObstacle = timeObstacle
    }
    return found
  }

  /// Returns the baseline's variant for each variant of the run that has another name in the baseline.
  func partners() -> [Int: Int] {
    guard pairsCodecs else { return [:] }
    // The manifest lists all of the run's variants at once; rows reveal them one by one.
    let known = manifests.after?.variants.compactMap { variants.known($0.variant) } ?? runVariants
    let run = Set(known).union(runVariants)
    let (added, gone) = (run.subtracting(baselineVariants), baselineVariants.subtracting(run))
    let isOtherBuild = { (a: CodecVariant, b: CodecVariant) in a.codec == b.codec && a.settings == b.settings
    }
    var partners: [Int: Int] = [:]
    // Another library build with the same settings is a closer match than other settings.
    for isSame in [isOtherBuild, { $0.codec == $1.codec }] {
      let (open, free) = (added.filter { partners[$0] == nil }, gone.subtracting(partners.values))
      for variant in open {
        let own = variants.values[variant]
        let candidates = free.filter { isSame(variants.values[$0], own) }
        let rivals = open.filter { isSame(variants.values[$0], own) }
        if candidates.count == 1, rivals.count == 1, let partner = candidates.first {
          partners[variant] = partner
        }
      }
    }
    return partners
  }
}
