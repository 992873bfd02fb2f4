import Foundation

/// The Python in which the project's scripts are written. Only some tests need it.
package enum Python {
  /// Whether Python is installed with its standard library, which Debian's python3-minimal lacks.
  package static let isPresent = has("json, sqlite3, zlib")

  /// Whether modules can be imported, including those that `scripts/setup --tests` unpacks.
  package static func has(_ modules: String) -> Bool {
    (try? run("import \(modules)"))?.status == 0
  }

  /// Runs a program text, and returns its status and what it wrote to standard output and error.
  package static func run(_ text: String, _ arguments: String...) throws -> (status: Int32, text: String) {
    try run(text, arguments)
  }

  /// The same with a list of arguments.
  package static func run(_ text: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let unpacked = project.appending(path: ".build/readers").path
    let own = ProcessInfo.processInfo.environment["PYTHONPATH"].map { $0 + ":" } ?? ""
    return try run(["-c", text] + arguments, ["PYTHONPATH": own + unpacked])
  }

  /// Runs a script of the project, given by its path, with a built program and a temporary folder. Returns the same as
  /// `run`.
  package static func script(
    _ path: String, _ arguments: [String], program: BuiltProgram, in folder: String,
    environment: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    let own = ["HEICBENCH": program.executable.path, "TMPDIR": folder]
    return try run([project.appending(path: path).path] + arguments, own.merging(environment) { $1 })
  }

  private static let project = URL(filePath: #filePath).appending(path: "../../..").standardized

  private static func run(
    _ words: [String], _ environment: [String: String]
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    BuiltProgram.countStart()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
