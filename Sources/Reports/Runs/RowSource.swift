public import BenchModel
public import Results

/// Where the rows of a report come from, and what is known of the run that made them.
public struct RowSource {
  /// The run; nil where only rows are known.
  public let manifest: RunManifest?
  /// The metrics of the run, in the order of its tables.
  public let metrics: [MetricTraits]
  /// The variants of the run; the first is what the others are compared with.
  public let variants: [CodecVariant]
  /// Tells how far the run came; nil where that is not known.
  public let progress: () throws -> RunProgress?
  /// Hands out all rows in plan order, one at a time.
  public let forEachRow: (_ body: (ResultRow) throws -> Void) throws -> Void

  /// A run of a store.
  public init(_ store: ResultStore, run: StoredRun) {
    manifest = run.manifest
    metrics = run.manifest.metrics
    variants = run.manifest.variants.map(\.variant)
    progress = { try store.progress(of: run.id) }
    forEachRow = { body in try store.forEachRow(of: run.id, body) }
  }

  /// Rows from anywhere else.
  public init(
    manifest: RunManifest? = nil, metrics: [MetricTraits], variants: [CodecVariant] = [],
    progress: @escaping () throws -> RunProgress? = { nil },
    forEachRow: @escaping (_ body: (ResultRow) throws -> Void) throws -> Void
  ) {
    self.manifest = manifest
    self.metrics = metrics
    self.variants = variants
    self.progress = progress
    self.forEachRow = forEachRow
  }
}
