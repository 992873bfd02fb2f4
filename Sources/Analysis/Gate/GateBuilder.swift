import Metrics
package import Model
package import Store

/// Comparison of two streamed runs: first all rows of the baseline, which stay in memory in compact form, then those of
/// the run, image by image.
package struct GateBuilder: Sendable {
  let manifests: (before: RunManifest?, after: RunManifest?)
  let pairsCodecs: Bool
  let required: Set<String>
  let progress: RunProgress?

  var baseline: [String: GateImage] = [:]
  /// Names of the baseline's images in its order.
  var baselineOrder: [String] = []
  /// Numbers of variants and libraries, shared by baseline and run.
  var variants = ValueTable<CodecVariant>()
  var libraries = ValueTable<String>()
  /// Numbers of the baseline's variants, and of the run's in its order.
  var baselineVariants: Set<Int> = []
  var runVariants: [Int] = []

  private var current: (name: String, image: GateImage)?
  private var finished: Set<String> = []
  /// Names of the baseline's images by their digests, filled when the run begins.
  private var namesByHash: [String: [String]]?
  /// Images with the content of a baseline image of another name; that name may yet come.
  private var strangers: [(name: String, image: GateImage)] = []
  var comparison: GateComparison

  /// Starts a comparison.
  ///
  /// - Parameters:
  ///   - options: Headline metric, targets, band and bootstrap of the figures at equal score.
  ///   - baselineManifest: Nil for a plain measurements.csv. Times are compared only with both manifests.
  ///   - required: Thresholds set by name; the gate fails if one of them has no figures.
  ///   - progress: Progress of the run; nil if unknown.
  ///   - pairsCodecs: Compares a codec with itself under other settings if each run has one variant of it that the
  ///     other lacks, as for two presets.
  package init(
    subject: GateSubject = .points, tolerances: GateTolerances = .init(), metrics: [MetricTraits],
    options: AnalysisOptions = .init(),
    baselineManifest: RunManifest? = nil, manifest: RunManifest? = nil, required: Set<String> = [],
    progress: RunProgress? = nil, pairsCodecs: Bool = false
  ) {
    manifests = (baselineManifest, manifest)
    self.required = required
    self.progress = progress
    self.pairsCodecs = pairsCodecs
    comparison = GateComparison(
      report: GateReport(subject: subject, tolerances: tolerances), metrics: metrics, options: options,
      comparesTimes: subject == .points && TimeObstacle.between(baselineManifest, manifest) == nil)
  }

  /// Adds the next row of the baseline; all of them precede the run's first.
  package mutating func addBaseline(_ row: ResultRow) { addBaseline(GatedRow(row)) }

  package mutating func addBaseline(_ gated: GatedRow) {
    let row = gated.row
    if baseline[row.image] == nil {
      if let last = baselineOrder.last { baseline[last]?.trim() }
      baselineOrder.append(row.image)
      baseline[row.image] = GateImage(row)
    } else {
      baseline[row.image]?.describe(row)
    }
    guard let variant = row.variant else { return }
    let number = variants.number(variant)
    baselineVariants.insert(number)
    if let point = point(gated, variant: number) { baseline[row.image]?.points.append(point) }
  }

  /// Adds the next row of the run. Rows of one image must be contiguous.
  package mutating func add(_ row: ResultRow) throws(AnalysisError) { try add(GatedRow(row)) }

  package mutating func add(_ gated: GatedRow) throws(AnalysisError) {
    let row = gated.row
    if namesByHash == nil {
      let hashes = baselineOrder.compactMap { name in baseline[name]?.hash.map { ($0, [name]) } }
      namesByHash = Dictionary(hashes, uniquingKeysWith: +)
    }
    if current?.name != row.image {
      compareImage()
      guard !finished.contains(row.image) else { throw .scatteredImage(row.image) }
      current = (row.image, GateImage(row))
    }
    current?.image.describe(row)
    guard let variant = row.variant else { return }
    let number = variants.number(variant)
    if !runVariants.contains(number) { runVariants.append(number) }
    if let point = point(gated, variant: number) { current?.image.points.append(point) }
  }

  package consuming func finish() -> GateReport {
    compareImage()
    compareStrangers()
    let missing = manifests.before?.shard == manifests.after?.shard ? nil : manifests.after?.missingShards
    for name in baselineOrder {
      guard let image = baseline[name] else { continue }
      comparison.vanish(image, name: name, maybeElsewhere: missing != nil)
    }
    var report = comparison.finished(variants: variants.values, order: runVariants)
    for (key, variant) in comparison.unguarded(required, in: report) {
      report.add(unguarded: key, variant, headline: comparison.options.headlineMetric)
    }
    if let progress, !progress.isFinished {
      report.unfinished = progress
      report.regressions.append(
        GateFinding(quantity: .unfinished, worsening: 1, threshold: 0, detail: .unfinished(progress)))
    }
    let elsewhere = report.inventory.imagesElsewhere
    if let missing, elsewhere.count > 0 {
      report.missingShards = missing
      report.regressions.append(
        GateFinding(quantity: .unfinished, worsening: 1, threshold: 0, detail: .shards(missing, elsewhere)))
    }
    report.changes = changes()
    report.remarks = remarks(report)
    report.isComparison = pairsCodecs
    report.manifest = manifests.after ?? manifests.before
    report.causes =
      GateCauses(
        report: report, gone: values(goneVariants),
        added: values(addedVariants), knowsLibraries: comparison.knowsLibraries, manifests: manifests
      ).all
    return report
  }

  private mutating func point(_ gated: GatedRow, variant: Int) -> GatePoint? {
    let text = gated.row.libraries.flatMap { $0.isEmpty ? nil : $0 }
    return GatePoint(
      gated, variant: variant, libraries: text.map { libraries.number($0) },
      versions: text.map { libraries.number(LibrarySpelling.withoutBuilds($0)) }, metrics: comparison.metrics)
  }

  private mutating func compareImage() {
    guard let (name, image) = current else { return }
    current = nil
    finished.insert(name)
    let before = baseline.removeValue(forKey: name)
    if before == nil, let hash = image.hash, namesByHash?[hash] != nil {
      return strangers.append((name, image))
    }
    comparison.compare(
      name, before: before, after: image, variants: variants.values, partners: partners())
  }

  /// Compares images with unmatched names with baseline images of the same bytes and an unmatched name.
  private mutating func compareStrangers() {
    for (name, image) in strangers {
      let old = image.hash.flatMap { namesByHash?[$0] }?.first { baseline[$0] != nil }
      let before = old.flatMap { baseline.removeValue(forKey: $0) }
      if let old { comparison.rename(old, name) }
      comparison.compare(
        name, before: before, after: image, variants: variants.values, partners: partners())
    }
    strangers = []
  }

  /// Returns the baseline's variant for each variant of the run with another name there.
  private func partners() -> [Int: Int] {
    guard pairsCodecs else { return [:] }
    // The manifest lists all of the run's variants; rows bring them one by one.
    let known = manifests.after?.variants.compactMap { variants.known($0.variant) } ?? runVariants
    let run = Set(known).union(runVariants)
    let (added, gone) = (run.subtracting(baselineVariants), baselineVariants.subtracting(run))
    var partners: [Int: Int] = [:]
    // Another library build with the same settings is a closer match than other settings.
    for isSame in [Self.isOtherBuild, { $0.codec == $1.codec }] {
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

  private static func isOtherBuild(_ a: CodecVariant, _ b: CodecVariant) -> Bool {
    a.codec == b.codec && a.settings == b.settings
  }
}

// Circumstances of the figures.
extension GateBuilder {
  /// Images first: figures of other images say nothing about an encoder.
  private func changes() -> [RunChange] {
    let isKnown = manifests.before != nil && manifests.after != nil
    let (gone, added) = (values(goneVariants), values(addedVariants))
    let variantChange = gone.isEmpty && added.isEmpty ? [] : [RunChange(.variants(gone: gone, added: added))]
    return comparison.report.inventory.changes(withQualities: !isKnown)
      + comparison.settingsChanges(variants: variants.values)
      + comparison.libraryChanges(libraries: libraries.values, variants: variants.values)
      + variantChange + RunChange.between(manifests.before, manifests.after)
  }

  /// Variants missing from the baseline.
  private var addedVariants: [Int] {
    runVariants.filter { !baselineVariants.contains($0) && !comparison.isPaired($0) }
  }

  /// Variants missing from the run.
  private var goneVariants: [Int] {
    let partners = Set(comparison.columns.values.map(\.partner))
    return baselineVariants.subtracting(runVariants).subtracting(partners).sorted()
  }

  private func values(_ numbers: [Int]) -> [CodecVariant] { numbers.map { variants.values[$0] } }

  private func remarks(_ report: GateReport) -> [GateRemark] {
    let inventory = report.inventory
    var remarks: [GateRemark] = []
    if !addedVariants.isEmpty { remarks.append(.newVariants(values(addedVariants))) }
    if comparison.hasUntimedWays {
      remarks.append(.timesNotCompared(.origins))
    } else if report.subject == .points, comparison.hasTimes,
      let obstacle = TimeObstacle.between(manifests.before, manifests.after)
    {
      remarks.append(.timesNotCompared(obstacle))
    }
    if inventory.appeared > 0 {
      remarks.append(
        .newPoints(inventory.appeared, images: inventory.newImages, qualities: inventory.newQualities))
    }
    if inventory.renamedImages.count > 0 { remarks.append(.renamedImages(inventory.renamedImages)) }
    if inventory.mendedImages.count > 0 { remarks.append(.mendedImages(inventory.mendedImages)) }
    if inventory.stillUnusable.count > 0 { remarks.append(.unusableImages(inventory.stillUnusable)) }
    if inventory.mended > 0 { remarks.append(.mended(points: inventory.mended)) }
    if report.comparedPoints > 0, !comparison.knowsLibraries { remarks.append(.unknownLibraries) }
    return remarks
  }
}

extension GateBuilder {
  /// Compares another way than points, whose rows come in any order.
  package static func compare(
    _ subject: GateSubject, _ before: [GatedRow], _ after: [GatedRow], _ tolerances: GateTolerances = .init()
  ) throws(AnalysisError) -> GateReport {
    var builder = GateBuilder(subject: subject, tolerances: tolerances, metrics: subject.metrics)
    for row in before { builder.addBaseline(row) }
    for row in after.sorted(by: { $0.row.image < $1.row.image }) { try builder.add(row) }
    return builder.finish()
  }
}
