import Foundation

/// The Python that the project's scripts are written in. Only some tests need it.
package enum Python {
  /// Whether it is there with its standard library; Debian's python3-minimal has none.
  package static let isPresent = has("json, sqlite3, zlib")

  /// True if modules can be imported, those that `scripts/setup --tests` unpacks included.
  package static func has(_ modules: String) -> Bool {
    (try? run("import \(modules)"))?.status == 0
  }

  /// Runs a script; returns its status and what it wrote to standard output and error.
  package static func run(_ script: String, _ arguments: String...) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    let unpacked = URL(filePath: #filePath).appending(path: "../../../.build/readers").standardized.path
    process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": unpacked]) { own, new in
      "\(own):\(new)"
    }
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
