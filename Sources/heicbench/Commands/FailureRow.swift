import BenchModel
import Foundation
import Reports
import Results

/// A failure with the command that reproduces it.
struct FailureRow {
  let failure: StoredFailure
  let command: String

  init(_ failure: StoredFailure, manifest: RunManifest) {
    self.failure = failure
    var words = ["heicbench", Self.path(of: failure.image.name, roots: manifest.roots)]
    if let key = failure.key {
      words += ["--codec", key.variant.name, "--qualities", key.quality.description]
    }
    let metrics = manifest.metrics.map(\.id).joined(separator: ",")
    words += ["--metrics", metrics.isEmpty ? "none" : metrics]
    if manifest.preparation.downscale > 1 { words += ["--downscale", "\(manifest.preparation.downscale)"] }
    words += Self.limits(in: manifest.command) + ["--fresh", "--output", "reproduced"]
    command = words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// Options of the run without which a point may not fail again: a hang that was cut short takes as long as it
  /// likes without them, and what is over a limit is so no more.
  private static let limits: Set<String> = [
    "--timeout", "--memory-per-job", "--max-pixels", "--background", "--repeat",
  ]

  /// Those options with their values, as they were given: `--timeout 5` or `--timeout=5`.
  static func limits(in command: [String]) -> [String] {
    var words: [String] = []
    for (index, word) in command.enumerated() {
      let name = word.split(separator: "=", maxSplits: 1).first.map(String.init) ?? word
      guard limits.contains(name) else { continue }
      words.append(word)
      if name == word, index + 1 < command.count { words.append(command[index + 1]) }
    }
    return words
  }

  /// The image's file as far as it can be found from its name and the run's roots.
  private static func path(of name: String, roots: [String]) -> String {
    let parts = name.split(separator: "/")
    // A root is a file itself, holds the name, or holds what follows the root's own name in it.
    let candidates = roots.flatMap { root in
      [root] + (0..<parts.count).map { root + "/" + parts[$0...].joined(separator: "/") }
    }
    let found = candidates.first { candidate in
      var isFolder: ObjCBool = false
      return candidate.hasSuffix(parts.last.map(String.init) ?? name)
        && FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder) && !isFolder.boolValue
    }
    return found ?? name
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
