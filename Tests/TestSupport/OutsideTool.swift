import Foundation

/// An encoder's own program, if it is installed. Our files must equal its files.
package struct OutsideTool: Sendable {
  package struct Refusal: Error { package let arguments: [String] }

  /// Its path; nil if it is not installed.
  package let path: String?

  /// Looks where packages install programs.
  package init(_ name: String) {
    path = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs it with its arguments on an input file. `{in}` and `{out}` stand for the two files.
  /// - Throws: `Refusal` if it fails.
  package func output(
    of input: [UInt8], named name: String, as output: String, _ arguments: [String]
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try Data(input).write(to: folder.url.appending(path: name))
    guard let path else { throw Refusal(arguments: arguments) }
    let files = ["{in}": folder.path + "/" + name, "{out}": folder.path + "/" + output]
    let process = Process()
    BuiltProgram.countStart()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments.map { files[$0] ?? $0 }
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Refusal(arguments: arguments) }
    return [UInt8](try Data(contentsOf: folder.url.appending(path: output)))
  }
}
