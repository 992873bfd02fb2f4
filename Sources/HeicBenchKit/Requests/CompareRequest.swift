import Analysis
import Model
import Reports
import Store

/// A comparison of runs with the first of them, without a verdict.
package struct CompareRequest: Sendable {
  /// Results folders or `measurements.csv` files, at least two.
  package var runs: [String]
  package var judgement = Judgement()

  package init(_ runs: [String]) { self.runs = runs }

  package func markdown() throws -> String { ComparisonSummary(try comparison()).markdown }

  package func json() throws -> String { GateJSON.text(try comparison()) }

  private func comparison() throws -> RunComparison {
    try HeicBenchError.mapping {
      let sources = try runs.map { (label: $0, source: try ResultsInput.rows(at: $0)) }
      // The metrics of all runs, without duplicates.
      var seen: Set<String> = []
      let metrics = sources.flatMap(\.source.metrics).filter { seen.insert($0.id).inserted }
      return try RunComparison(
        sources.map {
          (RunComparison.Run(label: $0.label, manifest: $0.source.manifest), $0.source.forEachRow)
        },
        metrics: metrics, options: try judgement.options(metrics: metrics))
    }
  }
}
