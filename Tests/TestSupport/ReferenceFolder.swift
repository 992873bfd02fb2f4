import Foundation

/// Scores and curves that other programs computed, with the pictures that they are for.
package enum ReferenceFolder {
  /// The generated pictures of this project, `Tests/Reference`, which every clone has.
  package static let committed = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Reference").path()

  /// The committed folder, and that of photographs if it exists.
  package static let all = [committed] + (SharedFolder.isPresent ? [SharedFolder.path + "/vectors"] : [])

  /// A table as records by column. A record has no empty fields.
  package static func records(_ file: String) throws -> [[String: String]] {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { line in
      Dictionary(zip(lines[0], line), uniquingKeysWith: { $1 }).filter { !$1.isEmpty }
    }
  }
}
