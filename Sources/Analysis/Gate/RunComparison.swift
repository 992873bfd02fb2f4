package import Model
package import Store

/// Two or more runs side by side, for `heicbench compare`: the tables of a gate without its verdict.
package struct RunComparison: Sendable, Hashable {
  package struct Run: Sendable, Hashable {
    /// The path given by the user.
    package var label: String
    /// Nil for a plain measurements.csv.
    package var manifest: RunManifest?

    package init(label: String, manifest: RunManifest? = nil) {
      self.label = label
      self.manifest = manifest
    }
  }

  /// In the order given; all others are compared with the first.
  package var runs: [Run]
  /// One report per run but the first, against the first; differences beyond the default thresholds, no verdict.
  package var differences: [GateReport]

  /// Passes a run's rows in plan order to `body`.
  package typealias Rows = (_ body: (ResultRow) throws -> Void) throws -> Void

  /// Compares runs. The first is read again for each other one, so that only one pair is in memory at a time.
  ///
  /// - Parameters:
  ///   - metrics: Metrics whose scores are compared.
  ///   - options: Headline metric, targets, band and bootstrap of the figures at equal score.
  /// - Throws: `AnalysisError`, or an error of reading rows.
  package init(
    _ runs: [(run: Run, rows: Rows)], metrics: [MetricTraits], options: AnalysisOptions = .init()
  ) throws {
    self.runs = runs.map(\.run)
    differences = []
    guard let first = runs.first else { return }
    for other in runs.dropFirst() {
      var builder = GateBuilder(
        metrics: metrics, options: options, baselineManifest: first.run.manifest,
        manifest: other.run.manifest, pairsCodecs: true)
      try first.rows { builder.addBaseline($0) }
      try other.rows { try builder.add($0) }
      differences.append(builder.finish())
    }
  }
}
