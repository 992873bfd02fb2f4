import Foundation

/// The Python that the project's scripts are written in. Only some tests need it.
package enum Python {
  /// Whether it is there with its standard library; Debian's python3-minimal has none.
  package static let isPresent: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", "import json, sqlite3, zlib"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
