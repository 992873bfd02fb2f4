import Reports
import Store

/// The failures of the latest run in a results folder, with commands that reproduce them.
package struct FailureListing: Sendable {
  private typealias Row = (failure: StoredFailure, command: String)

  private let rows: [Row]

  package init(results: String = "results") throws {
    rows = try HeicBenchError.mapping {
      let store = try ResultStore(reading: results)
      let run = try ResultsInput.latestRun(of: store)
      return try store.failures(of: run.id).map { failure in
        let command =
          if let (series, file) = failure.imported {
            ReproduceCommand.line(
              image: failure.image.name, series: series, file: file, manifest: run.manifest)
          } else {
            ReproduceCommand.line(
              image: failure.image.name, variant: failure.key?.variant, quality: failure.key?.quality,
              variants: run.manifest.variants.map(\.variant), manifest: run.manifest)
          }
        return (failure, command)
      }
    }
  }

  package var text: String {
    rows.isEmpty ? "Nothing failed.\n" : rows.map(Self.text).joined()
  }

  package var csv: String { RowWriter(csv: Self.columns).text(rows) }

  package var json: String { RowWriter(json: Self.columns).text(rows) + "\n" }

  private static func text(_ row: Row) -> String {
    let failure = row.failure
    let point =
      failure.key.map { " \($0.variant.name) at \($0.quality)" }
      ?? failure.imported.map { " \($0.series) “\($0.file)”" } ?? ""
    return """
      \(failure.image.name)\(point): \(failure.failure.message) (\(failure.failure.kind.rawValue))
        \(row.command)

      """
  }

  private static let columns: [Column<Row>] = [
    .text("image", "image") { $0.failure.image.name },
    .text("codec", "codec") { $0.failure.key?.variant.codecAndBuild ?? $0.failure.imported?.series },
    .text("settings", "settings") { $0.failure.key?.variant.canonicalSettings },
    .text("quality", "quality") { $0.failure.key?.quality.description },
    .text("imported_file", "imported_file") { $0.failure.imported?.file },
    .text("kind", "kind") { $0.failure.failure.kind.rawValue },
    .text("error", "error") { $0.failure.failure.message }, .text("command", "command") { $0.command },
  ]
}
