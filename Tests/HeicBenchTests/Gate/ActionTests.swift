import Foundation
import TestSupport
import Testing

/// The script of `action.yml`, run as GitHub's runner does, with a heicbench that does not measure.
@Suite("the action's step")
struct ActionTests {
  private static let bash = "/bin/bash"
  private static let isThere = FileManager.default.isExecutableFile(atPath: bash)

  /// The lines below `run: |`, without their indentation.
  private static func script() throws -> String {
    let action = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../action.yml").standardized
    let lines = try String(contentsOf: action, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasSuffix("run: |") })
    let indent = lines[start].prefix { $0 == " " }.count + 2
    return lines[(start + 1)...].map { $0.dropFirst(indent) }.joined(separator: "\n")
  }

  private func run(output: String) throws -> (status: Int32, outputs: String) {
    let folder = try TemporaryFolder()
    let scripts = folder.url.appending(path: "scripts")
    try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
    let program = scripts.appending(path: "heicbench")
    try Data("#!/bin/sh\nexit 3\n".utf8).write(to: program)
    try #require(chmod(program.path, 0o755) == 0)
    let outputs = folder.url.appending(path: "outputs")
    try Data().write(to: outputs)
    let run = try BuiltProgram(URL(filePath: Self.bash)).run(
      ["-e", "-o", "pipefail", "-c", try Self.script()], in: folder.url,
      environment: [
        "HEICBENCH_CORPUS": "images", "HEICBENCH_QUALITIES": "0.5", "HEICBENCH_CODECS": "jpeg\nheic\n",
        "HEICBENCH_BASELINE": "", "HEICBENCH_OUTPUT": output, "GITHUB_ACTION_PATH": folder.path,
        "GITHUB_OUTPUT": outputs.path, "GITHUB_STEP_SUMMARY": folder.path + "/summary",
      ])
    return (run.status, try String(contentsOf: outputs, encoding: .utf8))
  }

  @Test("outputs the results folder and the exit code", .enabled(if: isThere, "SKIPPED: there is no bash"))
  func outputs() throws {
    let step = try run(output: "results of today")
    #expect(step.status == 3)
    #expect(step.outputs == "results=results of today\nexit-code=3\n")
  }

  @Test(
    "refuses a folder whose name would set other outputs", .enabled(if: isThere, "SKIPPED: there is no bash"),
    arguments: ["results\nexit-code=0", "results\r\nexit-code=0", "results\n"])
  func refusesInjection(_ output: String) throws {
    let step = try run(output: output)
    #expect(step.status == 64)
    #expect(step.outputs.isEmpty)
  }
}
