package import Foundation

/// A program that the package builds, run as users run it: as a separate process with files and exit codes.
package struct BuiltProgram: Sendable {
  /// The result of a finished run.
  package struct Result: Sendable {
    /// The exit code, or the number of the signal that ended the program.
    package let status: Int32
    /// Whether a signal ended it.
    package let wasKilled: Bool
    /// What it wrote to standard output.
    package let output: String
    /// What it wrote to standard error.
    package let errors: String
  }

  /// Where the program is.
  package let executable: URL

  /// Finds a program of the package beside the test bundle; nil if it was not built. `PROGRAM_UNDER_TEST` names another
  /// build of heicbench, such as the release that `scripts/test` uses. The variable must not begin with `HEICBENCH_`,
  /// or each program would look for it among its options.
  package init?(_ name: String) {
    if name == "heicbench", let other = ProcessInfo.processInfo.environment["PROGRAM_UNDER_TEST"] {
      executable = URL(filePath: other)
      return
    }
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") }.map { argument in
      // The bundle is a file on Linux, and a folder with the runner inside on macOS.
      URL(
        filePath: String(
          argument.prefix(upTo: argument.firstRange(of: ".xctest")?.upperBound ?? argument.endIndex)))
    }
    let folder = (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent()
    executable = folder.appending(path: name)
    guard FileManager.default.isExecutableFile(atPath: executable.path) else { return nil }
  }

  /// An existing program, such as a shell.
  package init(_ executable: URL) { self.executable = executable }

  /// A process with the program's arguments, ready to run, for tests that send signals.
  package func process(_ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:])
    -> Process
  {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    Self.countStart()
    return process
  }

  /// Adds a byte to the file in which `Tests/run.py` counts the programs that each test starts.
  package static func countStart() {
    guard let path = ProcessInfo.processInfo.environment["TEST_STARTS"],
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    file.seekToEndOfFile()
    file.write(Data([1]))
  }

  /// Runs the program to its end. Output goes to files, so that no pipe can fill up and block.
  package func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    let scratch = try TemporaryFolder()
    let (out, err) = (scratch.url.appending(path: "out"), scratch.url.appending(path: "err"))
    let process = process(arguments, in: folder, environment: environment)
    for (url, isOutput) in [(out, true), (err, false)] {
      _ = FileManager.default.createFile(atPath: url.path, contents: nil)
      let handle = try FileHandle(forWritingTo: url)
      if isOutput { process.standardOutput = handle } else { process.standardError = handle }
    }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: try Data(contentsOf: out), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: err), as: UTF8.self))
  }
}
