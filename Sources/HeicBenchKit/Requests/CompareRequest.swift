import Analysis
import Model
import Reports
import Store

/// Runs side by side, without a verdict. All are compared with the first.
package struct CompareRequest: Sendable {
  /// Results folders or `measurements.csv` files, two at least.
  package var runs: [String]
  /// Where variants are compared.
  package var judgement = Judgement()

  /// Compares runs with the first of them.
  package init(_ runs: [String]) { self.runs = runs }

  /// The comparison as Markdown.
  /// - Throws: `HeicBenchError` where there are no results.
  package func markdown() throws -> String { ComparisonSummary(try comparison()).markdown }

  /// The comparison as JSON.
  /// - Throws: `HeicBenchError` where there are no results.
  package func json() throws -> String { GateJSON.text(try comparison()) }

  private func comparison() throws -> RunComparison {
    try HeicBenchError.mapping {
      let sources = try runs.map { (label: $0, source: try ResultsInput.rows(at: $0)) }
      // The metrics of all runs, each once.
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
