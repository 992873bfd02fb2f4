package import Analysis
package import Model
package import Store

/// Everything that reports say of a run, from one pass over its rows.
package struct RunReport: Sendable {
  /// The run; nil where only rows are known.
  package let manifest: RunManifest?
  /// What the rows say of the variants.
  package let analysis: Analysis
  /// The corpus and what went wrong.
  package let digest: RunDigest
  /// What reading files costs; nil where nothing was read.
  package let reads: DecodeReport?

  /// Reads all rows once; `body` sees each of them on the way, and `figures` those of every image. None is kept.
  /// - Throws: What the source or `body` throws, `AnalysisError`, and `DirectionError` for a headline metric whose
  ///   better scores nobody knows.
  package init(
    reading source: RowSource, options: AnalysisOptions = .init(),
    figures: ((ImageFigures) throws -> Void)? = nil, body: (ResultRow) throws -> Void = { _ in }
  ) throws {
    manifest = source.manifest
    (analysis, digest) = try Self.read(source, options: options, figures: figures, body: body)
    // What the analysis took of each image is gone by now.
    reads = try source.reads()
  }

  private static func read(
    _ source: RowSource, options: AnalysisOptions, figures: ((ImageFigures) throws -> Void)?,
    body: (ResultRow) throws -> Void
  ) throws -> (Analysis, RunDigest) {
    var builder = AnalysisBuilder(
      variants: source.variants, metrics: source.metrics, options: options,
      defaults: source.manifest?.defaults ?? [:],
      sourcesAreShrunk: source.manifest.map { $0.preparation.downscale > 1 } ?? false,
      keepsFigures: figures != nil)
    var digest = RunDigest()
    var directions = DirectionCheck(metrics: source.metrics)
    try source.forEachRow { row in
      try builder.add(row)
      directions.add(row)
      digest.add(row)
      try body(row)
      if let figures { try figures(builder.takeFigures()) }
    }
    if let figures { try figures(builder.takeFigures(rowsEnded: true)) }
    try directions.refuseReversed([options.headlineMetric])
    return (builder.finish(progress: try source.progress()), digest)
  }

  /// The summary in Markdown; with `charts` it shows the drawings that stand beside it.
  package func summary(charts: [ChartKind: String] = [:]) -> String {
    SummaryReport(manifest: manifest, analysis: analysis, digest: digest, charts: charts, reads: reads)
      .markdown
  }
}
