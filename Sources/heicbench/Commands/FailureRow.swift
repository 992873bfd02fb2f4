import Analysis
import Model
import Reports
import Store

/// A failure with the command that reproduces it.
struct FailureRow {
  let failure: StoredFailure
  let command: String

  init(_ failure: StoredFailure, manifest: RunManifest) {
    self.failure = failure
    command = ReproduceCommand.line(
      image: failure.image.name, variant: failure.key?.variant, quality: failure.key?.quality,
      variants: manifest.variants.map(\.variant), manifest: manifest)
  }

  /// A few lines for people.
  var text: String {
    let point = failure.key.map { " \($0.variant.name) at \($0.quality)" } ?? ""
    return """
      \(failure.image.name)\(point): \(failure.failure.message) (\(failure.failure.kind.rawValue))
        \(command)

      """
  }

  static let columns: [Column<FailureRow>] = [
    Column("image", title: "image") { Cell(text: $0.failure.image.name) },
    Column("codec", title: "codec") { Cell(text: $0.failure.key?.variant.codec) },
    Column("settings", title: "settings") { Cell(text: $0.failure.key?.variant.canonicalSettings) },
    Column("quality", title: "quality") { Cell(text: $0.failure.key?.quality.description) },
    Column("kind", title: "kind") { Cell(text: $0.failure.failure.kind.rawValue) },
    Column("error", title: "error") { Cell(text: $0.failure.failure.message) },
    Column("command", title: "command") { Cell(text: $0.command) },
  ]
}
