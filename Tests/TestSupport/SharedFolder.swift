import Foundation

/// The folder of photographs, awkward inputs and reference scores beside the checkout, which is not part of the
/// project. Suites that need it carry `.enabled(if: SharedFolder.isPresent, …)`, so that a run without it says what it
/// skipped.
package enum SharedFolder {
  /// Where the folder is expected: `../shared` from the package's root.
  package static let path: String = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared").standardized.path()

  /// Whether the folder is there.
  package static var isPresent: Bool { FileManager.default.fileExists(atPath: path + "/vectors") }

  /// The reason that a skipped test prints.
  package static let reason = "SKIPPED: needs ../shared, which is not there"

  /// The bytes of one of its files.
  package static func bytes(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path).appending(path: file)))
  }
}
