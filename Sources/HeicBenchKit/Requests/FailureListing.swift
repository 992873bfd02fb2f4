import Reports
import Store

/// The failures of the latest run of a results folder, with commands that reproduce them.
package struct FailureListing: Sendable {
  private struct Row {
    let failure: StoredFailure
    let command: String
  }

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
        return Row(failure: failure, command: command)
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
    Column("image", title: "image") { Cell(text: $0.failure.image.name) },
    Column("codec", title: "codec") {
      Cell(text: $0.failure.key?.variant.codecAndBuild ?? $0.failure.imported?.series)
    },
    Column("settings", title: "settings") { Cell(text: $0.failure.key?.variant.canonicalSettings) },
    Column("quality", title: "quality") { Cell(text: $0.failure.key?.quality.description) },
    Column("imported_file", title: "imported_file") { Cell(text: $0.failure.imported?.file) },
    Column("kind", title: "kind") { Cell(text: $0.failure.failure.kind.rawValue) },
    Column("error", title: "error") { Cell(text: $0.failure.failure.message) },
    Column("command", title: "command") { Cell(text: $0.command) },
  ]
}
