package import Model
package import Store

/// Two or more runs side by side, for `heicbench compare`: the tables of a gate without its verdict.
package struct RunComparison: Sendable, Hashable {
  /// A run as it was given.
  package struct Run: Sendable, Hashable {
    /// What users call it: the path they gave.
    package var label: String
    /// Its manifest; nil for a plain measurements.csv.
    package var manifest: RunManifest?

    /// Names a run.
    package init(label: String, manifest: RunManifest? = nil) {
      self.label = label
      self.manifest = manifest
    }
  }

  /// The runs in the order given; all others are compared with the first.
  package var runs: [Run]
  /// How each run but the first differs from the first: changes, variants, worst points and images. Their
  /// regressions and improvements are differences beyond the default thresholds and no judgement.
  package var differences: [GateReport]

  /// Rows of a run, handed out in plan order to the function that is passed in.
  package typealias Rows = (_ body: (ResultRow) throws -> Void) throws -> Void

  /// Compares runs.
  ///
  /// The first run is read once for each other one, so that only one pair is in memory at a time.
  /// - Parameters:
  ///   - runs: The runs, each with its rows.
  ///   - metrics: The metrics whose scores are compared.
  ///   - options: Headline metric, targets, band and bootstrap of the figures at equal score.
  /// - Throws: `AnalysisError`, or what reading rows throws.
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
