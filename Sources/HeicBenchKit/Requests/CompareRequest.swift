import Analysis
import Reports

/// Compares runs with the first of them, without a verdict.
package struct CompareRequest: Sendable {
  /// Results folders or `measurements.csv` files, at least two.
  package var runs: [String]
  package var judgement = Judgement()

  package init(_ runs: [String]) { self.runs = runs }

  package func markdown() throws -> String { try comparison().markdown }

  package func text(width: Int = .max) throws -> String { try comparison().text(width: width) }

  package func json() throws -> String { GateJSON.text(try comparison()) }

  private func comparison() throws -> ComparisonSummary {
    try HeicBenchError.mapping {
      let sources = try runs.map { try ResultsInput.rows(at: $0) }
      for (path, other) in zip(runs, sources).dropFirst() where other.isHDR != sources[0].isHDR {
        throw HeicBenchError(
          .resultsUnusable,
          "“\(runs[0])” and “\(path)” are HDR and SDR runs, whose scores cannot be compared; compare "
            + "runs of the same kind")
      }
      // The metrics of all runs, without duplicates.
      var seen: Set<String> = []
      let metrics = sources.flatMap(\.metrics).filter { seen.insert($0.id).inserted }
      let options = try judgement.options(metrics: metrics)
      // Reads the first run again for each of the others, so that only one pair is in memory at a time.
      return ComparisonSummary(
        runs,
        try sources.dropFirst().map { other in
          // Without the thresholds of their metrics, losses of HDR scores would not be listed.
          var builder = GateBuilder(
            tolerances: GateTolerances(metrics: metrics.map(\.id)), metrics: metrics, options: options,
            baselineManifest: sources[0].manifest, manifest: other.manifest, pairsCodecs: true)
          try sources[0].forEachRow { builder.addBaseline($0) }
          try other.forEachRow { try builder.add($0) }
          return builder.finish()
        })
    }
  }
}
