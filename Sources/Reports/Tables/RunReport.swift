package import Analysis
import Metrics
package import Model
package import Store

package struct RowSource {
  /// The run; nil if only rows are known.
  package private(set) var manifest: RunManifest?
  package let metrics: [MetricTraits]
  /// The variants of the run; the first is the reference.
  package private(set) var variants: [CodecVariant]
  package let progress: () throws -> RunProgress?
  /// The cost of the run's points; nil if only rows are known.
  let cost: () throws -> RunCost?
  /// The processors that timed the points; empty if only rows are known.
  let processors: () throws -> Set<String>
  package var features: () throws -> [FeatureReport]
  /// Passes all rows to `body` in plan order, one at a time.
  package let forEachRow: (_ body: (ResultRow) throws -> Void) throws -> Void

  package init(
    _ store: ResultStore, run: StoredRun, features: @escaping () throws -> [FeatureReport]
  ) {
    self.init(
      manifest: run.manifest, metrics: run.manifest.metrics, variants: run.manifest.shownVariants,
      progress: { try store.progress(of: run.id) }, cost: { try store.cost(of: run.id) },
      processors: { try store.processors(of: run.id) }, features: features
    ) { try store.forEachRow(of: run.id, $0) }
  }

  package init(
    manifest: RunManifest? = nil, metrics: [MetricTraits], variants: [CodecVariant] = [],
    progress: @escaping () throws -> RunProgress? = { nil },
    cost: @escaping () throws -> RunCost? = { nil },
    processors: @escaping () throws -> Set<String> = { [] },
    features: @escaping () throws -> [FeatureReport] = { [] },
    forEachRow: @escaping (_ body: (ResultRow) throws -> Void) throws -> Void
  ) {
    (self.manifest, self.metrics, self.variants) = (manifest, metrics, variants)
    (self.progress, self.cost, self.processors) = (progress, cost, processors)
    (self.features, self.forEachRow) = (features, forEachRow)
  }

  /// True for an HDR run, whatever metrics it has, and for the file of an HDR run.
  package var isHDR: Bool {
    manifest?.preparation.light != nil || metrics.contains(where: \.isHDR)
  }

  /// The columns of the run's measurements.csv.
  var columns: [Column<ResultRow>] { MeasurementColumns.all(metrics: metrics, isHDR: isHDR) }

  /// Passes on all rows for figures that combine an image's times: without times if these come from different
  /// processors.
  package func forEachPooledRow(_ body: (ResultRow) throws -> Void) throws {
    let areUnlike = try processors().count > 1
    try forEachRow { try body(areUnlike ? $0.withoutTimes : $0) }
  }

  /// The source with another variant first, as the reference of all comparisons; nil if no variant has that name.
  package func comparing(with name: String) -> RowSource? {
    guard let reference = variants.first(where: { $0.name == name }) else { return nil }
    var source = self
    source.variants = [reference] + variants.filter { $0 != reference }
    return source
  }

  func titled(_ title: String?) -> RowSource {
    var source = self
    source.manifest?.title = title ?? manifest?.title
    return source
  }
}

package struct RunReport: Sendable {
  package let manifest: RunManifest?
  package let analysis: Analysis
  package let digest: RunDigest
  package var features: [FeatureReport] = []
}

extension RunReport {
  /// Reads all rows once and keeps none; `body` gets each row, and `figures` the rows of each image.
  package init(
    reading source: RowSource, options: AnalysisOptions = .standard,
    figures: ((ImageFigures) throws -> Void)? = nil, body: (ResultRow) throws -> Void = { _ in }
  ) throws {
    let (analysis, digest) = try Self.read(source, options: options, figures: figures, body: body)
    self.init(manifest: source.manifest, analysis: analysis, digest: digest)
    // Read last, after the analysis has released its memory for single images.
    features = try source.features()
  }

  private static func read(
    _ source: RowSource, options: AnalysisOptions, figures: ((ImageFigures) throws -> Void)?,
    body: (ResultRow) throws -> Void
  ) throws -> (Analysis, RunDigest) {
    var builder = builder(of: source, options, keepsFigures: figures != nil)
    var options = options
    options.givesTimeIntervals = true
    let areUnlike = try source.processors().count > 1
    var builders: [String: AnalysisBuilder] = [:]
    var digest = RunDigest()
    var directions = DirectionCheck(metrics: source.metrics)
    try source.forEachRow { row in
      try builder.add(areUnlike ? row.withoutTimes : row)
      if areUnlike, let processor = row.timesOrigin?.processor {
        try builders[processor, default: Self.builder(of: source, options)].add(row)
      }
      directions.add(row)
      digest.add(row, isCopy: builder.isInCopy)
      try body(row)
      if let figures { try figures(builder.takeFigures()) }
    }
    if let figures { try figures(builder.takeFigures(rowsEnded: true)) }
    try directions.refuseReversed([options.headlineMetric])
    var analysis = builder.finish(progress: try source.progress())
    for (processor, own) in builders.sorted(by: { $0.key < $1.key }) {
      analysis.add(own.finish(), of: processor)
    }
    if let manifest = source.manifest, let sample = manifest.sample, let cost = try source.cost() {
      analysis.sample = SampleOutlook(
        sample, cost: cost, cores: manifest.machine.cores,
        isFinished: analysis.progress?.isFinished != false && manifest.missingShards == nil)
    }
    return (analysis, digest)
  }

  private static func builder(
    of source: RowSource, _ options: AnalysisOptions, keepsFigures: Bool = false
  ) -> AnalysisBuilder {
    AnalysisBuilder(
      variants: source.variants, imported: (source.manifest?.shownImports ?? []).map(\.variant),
      metrics: source.metrics, options: options, defaults: source.manifest?.defaults ?? [:],
      sourcesAreShrunk: source.manifest.map { $0.preparation.downscale > 1 } ?? false,
      keepsFigures: keepsFigures)
  }
}
