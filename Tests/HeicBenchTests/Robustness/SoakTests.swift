#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The short version of scripts/soak, which says what is promised.
  @Suite struct SoakTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../scripts/soak").standardized.path

    @Test(
      "killed at random moments and resumed, nothing is lost", .timeLimit(.minutes(30)),
      .enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"))
    func survivesTheSoak() throws {
      let user = try UserFolder()
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["python3", Self.script, "3", "4"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["HEICBENCH": user.program.executable.path, "TMPDIR": user.folder.path]
      ) { _, new in new }
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(said)")
      #expect(said.contains("nothing lost, nothing twice, nobody left"))
    }
  }
#endif
