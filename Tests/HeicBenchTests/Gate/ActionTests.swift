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

  /// Runs the step with a heicbench that ends with `status`, in a results folder with an earlier run's summary.
  private func run(
    output: String, status: Int32 = 3
  ) throws -> (status: Int32, outputs: String, summary: String) {
    let folder = try TemporaryFolder()
    let results = folder.url.appending(path: "earlier")
    try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
    try Data("a summary\n".utf8).write(to: results.appending(path: "summary.md"))
    let scripts = folder.url.appending(path: "scripts")
    try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
    let program = scripts.appending(path: "heicbench")
    try Data("#!/bin/sh\nexit \(status)\n".utf8).write(to: program)
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
    let summary = FileManager.default.contents(atPath: folder.path + "/summary") ?? Data()
    return (
      run.status, try String(contentsOf: outputs, encoding: .utf8), String(decoding: summary, as: UTF8.self)
    )
  }

  @Test("outputs the results folder and the exit code", .enabled(if: isThere, "SKIPPED: there is no bash"))
  func outputs() throws {
    let step = try run(output: "results of today")
    #expect(step.status == 3)
    #expect(step.outputs == "results=results of today\nexit-code=3\n")
  }

  @Test(
    "adds the summary to the job's, but not an earlier one after an error",
    .enabled(if: isThere, "SKIPPED: there is no bash"),
    arguments: [(0, "a summary\n"), (3, "a summary\n"), (4, "a summary\n"), (1, ""), (66, ""), (130, "")]
      as [(Int32, String)])
  func summary(status: Int32, text: String) throws {
    let step = try run(output: "earlier", status: status)
    #expect(step.status == status && step.summary == text)
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
