import Analysis
package import Model
package import Store

/// The source of a report's rows, with the facts known of the run that made them.
package struct RowSource {
  /// The run; nil if only rows are known.
  package private(set) var manifest: RunManifest?
  /// The metrics of the run in the order of its tables.
  package let metrics: [MetricTraits]
  /// The variants of the run; the first is the reference.
  package let variants: [CodecVariant]
  /// Returns the progress of the run; nil if it is unknown.
  package let progress: () throws -> RunProgress?
  /// Returns the reports on what else was measured in the folder.
  package var features: () throws -> [FeatureReport]
  /// Hands out all rows in plan order, one at a time.
  package let forEachRow: (_ body: (ResultRow) throws -> Void) throws -> Void

  package init(
    _ store: ResultStore, run: StoredRun, features: @escaping () throws -> [FeatureReport]
  ) {
    manifest = run.manifest
    metrics = run.manifest.metrics
    variants = run.manifest.shownVariants
    progress = { try store.progress(of: run.id) }
    self.features = features
    forEachRow = { body in try store.forEachRow(of: run.id, body) }
  }

  package init(
    manifest: RunManifest? = nil, metrics: [MetricTraits], variants: [CodecVariant] = [],
    progress: @escaping () throws -> RunProgress? = { nil },
    features: @escaping () throws -> [FeatureReport] = { [] },
    forEachRow: @escaping (_ body: (ResultRow) throws -> Void) throws -> Void
  ) {
    self.manifest = manifest
    self.metrics = metrics
    self.variants = variants
    self.progress = progress
    self.features = features
    self.forEachRow = forEachRow
  }

  /// The same rows under another title; nil keeps the run's own.
  func titled(_ title: String?) -> RowSource {
    guard let title else { return self }
    var source = self
    source.manifest?.title = title
    return source
  }
}
