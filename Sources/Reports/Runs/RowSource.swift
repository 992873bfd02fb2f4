import Analysis
package import Model
package import Store

/// Where the rows of a report come from, and what is known of the run that made them.
package struct RowSource {
  /// The run; nil where only rows are known.
  package private(set) var manifest: RunManifest?
  /// The metrics of the run, in the order of its tables.
  package let metrics: [MetricTraits]
  /// The variants of the run; the first is what the others are compared with.
  package let variants: [CodecVariant]
  /// Tells how far the run came; nil where that is not known.
  package let progress: () throws -> RunProgress?
  /// What reading files costs; nil where nothing was read.
  package private(set) var reads: () throws -> DecodeReport?
  /// Hands out all rows in plan order, one at a time.
  package let forEachRow: (_ body: (ResultRow) throws -> Void) throws -> Void

  /// A run of a store.
  package init(_ store: ResultStore, run: StoredRun) {
    manifest = run.manifest
    metrics = run.manifest.metrics
    variants = run.manifest.shownVariants
    progress = { try store.progress(of: run.id) }
    reads = { try DecodeReport(of: store) }
    forEachRow = { body in try store.forEachRow(of: run.id, body) }
  }

  /// Rows from anywhere else.
  package init(
    manifest: RunManifest? = nil, metrics: [MetricTraits], variants: [CodecVariant] = [],
    progress: @escaping () throws -> RunProgress? = { nil },
    reads: @escaping () throws -> DecodeReport? = { nil },
    forEachRow: @escaping (_ body: (ResultRow) throws -> Void) throws -> Void
  ) {
    self.manifest = manifest
    self.metrics = metrics
    self.variants = variants
    self.progress = progress
    self.reads = reads
    self.forEachRow = forEachRow
  }

  /// The same with reads that are at hand already.
  package func showing(_ reads: DecodeReport?) -> RowSource {
    var source = self
    source.reads = { reads }
    return source
  }

  /// The same rows under another title; nil keeps the run's own.
  func titled(_ title: String?) -> RowSource {
    guard let title else { return self }
    var source = self
    source.manifest?.title = title
    return source
  }
}
