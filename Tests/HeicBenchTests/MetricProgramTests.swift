import Foundation
import Model
import TestSupport
import Testing

/// Metrics that are programs, run by heicbench.
@Suite("metrics that are programs")
struct MetricProgramTests {
  let user: UserFolder

  init() throws {
    user = try UserFolder()
    try user.writeImage("images/a.ppm")
  }

  /// Makes an executable script.
  private func script(_ name: String, _ body: String) throws {
    try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(filePath: user.path(name)))
    chmod(user.path(name), 0o755)
  }

  private func sweep(_ metric: String, _ more: String...) throws -> BuiltProgram.Result {
    try user.program.run(
      [
        "images", "--codec", "jpeg", "--qualities", "0.3,0.6,0.9", "--metrics", "psnr-y", "--images", "none",
        "--format", "csv", "--metric-command", metric,
      ] + more, in: user.folder.url, environment: ["TMPDIR": user.folder.path])
  }

  @Test("a changed program or command is run again, an unchanged one is not", .timeLimit(.minutes(30)))
  func identity() throws {
    try script("score", "echo 7")
    let path = user.path("score")
    #expect(try sweep("mine=\(path) {reference} {distorted}").output.contains(",7.0"))
    let again = try sweep("mine=\(path) {reference} {distorted}")
    #expect(again.errors.contains("0 encodes in"), "\(again.errors)")
    // The direction only matters for the analysis.
    let declared = try sweep("mine:higher=\(path) {reference} {distorted}")
    #expect(declared.errors.contains("0 encodes in"), "\(declared.errors)")
    try script("score", "echo 9")
    let changed = try sweep("mine=\(path) {reference} {distorted}")
    #expect(changed.errors.contains("3 encodes in"), "\(changed.errors)")
    #expect(changed.output.contains(",9.0") && !changed.output.contains(",7.0"))
    let words = try sweep("mine=sh \(path) {reference} {distorted}")
    #expect(words.errors.contains("3 encodes in"), "\(words.errors)")
    try script("score", "echo 8")
    #expect(try sweep("mine=sh \(path) {reference} {distorted}").output.contains(",8.0"))
  }

  @Test("a program that fails is a failed score, exit code 3, and tried again", .timeLimit(.minutes(30)))
  func failure() throws {
    try script("score", "test -e \(user.path("ready")) && echo 5")
    let command = "mine=\(user.path("score")) {reference} {distorted}"
    let first = try sweep(command)
    #expect(first.status == 3, "\(first.errors)")
    #expect(first.errors.contains("3 encodes in") && first.errors.contains("3 scores failed"))
    #expect(first.output.contains("mine ended with status 1"))
    let failures = try user.run("report", "results", "--failures")
    #expect(failures.output.contains("jpeg at 0.3: mine ended with status 1 (metric)"), "\(failures.output)")
    #expect(failures.output.contains("--metric-command"))
    #expect(try sweep(command).status == 3)
    try Data().write(to: URL(filePath: user.path("ready")))
    #expect(try sweep(command).errors.contains("0 encodes in"))
    let retried = try sweep(command, "--retry-failed")
    #expect(retried.status == 0, "\(retried.errors)")
    #expect(retried.errors.contains("3 encodes in"))
    let typo = try sweep("other=/nonexistent/program {reference} {distorted}")
    #expect(typo.status == 3)
    #expect(typo.output.contains("other cannot be started: No such file or directory"))
  }

  @Test("a faulty program is reported before the sweep, from two identical images")
  func trial() throws {
    let command = "mine=\(user.path("score")) {reference} {distorted}"
    for (body, reason) in [
      ("exit 4", "it ended with status 4"), ("echo nan", "it printed nan, which is not a finite number"),
      ("cmp -s $1 $2 || echo 5", "it printed no number"),
    ] {
      try script("score", body)
      let errors = try sweep(command).errors
      let warning = try #require(
        errors.range(of: "“mine” does not score two identical images: \(reason)"), "\(errors)")
      #expect(errors[warning.upperBound...].contains("3 encodes in"), "\(errors)")
    }
    // Its answer is kept as long as the program does not change.
    try script("score", "cmp -s $1 $2 && test -e \(user.path("gone")) && exit 1; echo 5")
    #expect(try !sweep(command).errors.contains("identical"))
    try Data().write(to: URL(filePath: user.path("gone")))
    #expect(try !sweep(command).errors.contains("identical"))
    #expect(try sweep(command, "--fresh").errors.contains("identical"))
  }

  @Test("a score that does not change with quality is reported, with that of identical images")
  func standstill() throws {
    try script("score", "cmp -s $1 $2 && echo 0 || echo 372.7")
    let command = "mine:lower=\(user.path("score")) {reference} {distorted}"
    #expect(try sweep(command).status == 0)
    let report = try user.run("report", "results", "--format", "markdown")
    #expect(
      report.output.contains("a metric’s program gives every quality the same score"), "\(report.output)")
    #expect(report.output.contains("mine is 372.7000 at all 3 qualities, and 0.0000 for identical images"))
    try script("score", "wc -c < $2")
    #expect(try sweep(command).status == 0)
    #expect(!(try user.run("report", "results", "--format", "markdown").output.contains("same score")))
  }

  @Test("programs get ten bits as plain 16-bit PNG, which old libraries read correctly")
  func plainPNG() throws {
    let result = try user.program.run(
      [
        "images", "--codec", "heic:depth=10,preset=ultrafast", "--qualities", "0.9", "--metrics", "none",
        "--images", "none", "--format", "csv", "--metric-command",
        "mine=sh -c 'grep -q sBIT $1 && exit 1; od -An -tu1 -j24 -N1 $1' sh {distorted} {reference}",
      ], in: user.folder.url)
    #expect(result.status == 0 && result.output.contains(",16.0"), "\(result.output)\(result.errors)")
  }

  @Test(
    "the documented command of ColorVideoVDP scores by JOD", .timeLimit(.minutes(30)),
    .enabled(if: OutsideTool("cvvdp").path != nil, "cvvdp is not installed (pip install cvvdp)"))
  func colourVideo() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let text = try String(contentsOf: root.appending(path: "docs/metrics.md"), encoding: .utf8)
    let metric = try #require(text.firstMatch(of: #/--metric-command '(cvvdp:[^']+)'/#)?.output.1)
    let result = try sweep(String(metric), "--jobs", "1")
    #expect(result.status == 0 && !result.errors.contains("identical"), "\(result.errors)")
    let lines = result.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let column = try #require(lines.first?.firstIndex(of: "cvvdp"))
    let scores = try lines.dropFirst().map { try #require(Double($0[column])) }
    #expect(scores.count == 3 && scores.allSatisfy { (3..<10).contains($0) }, "\(scores)")
    let report = try user.run("report", "results", "--format", "markdown")
    #expect(!report.output.contains("same score"), "\(report.output)")
  }

  @Test func programsHaveAPlaceForTemporaryFiles() throws {
    // Python and other programs look for a temporary folder like this.
    let result = try sweep("mine=sh -c 'mktemp && echo 5' {reference} {distorted}")
    #expect(result.status == 0 && result.output.contains(",5.0"), "\(result.output)\(result.errors)")
  }

  @Test("a gate whose baseline has scores does not pass when the program fails", .timeLimit(.minutes(30)))
  func gate() throws {
    try script("score", "echo 5")
    let command = "mine=\(user.path("score")) {reference} {distorted}"
    #expect(try sweep(command).status == 0)
    #expect(try user.run("check", "--current", "results", "--write", "base.csv").status == 0)
    #expect(try user.run("check", "--baseline", "base.csv").status == 0)
    try script("score", "exit 1")
    #expect(try sweep(command).status == 3)
    let gate = try user.run("check", "--baseline", "base.csv")
    #expect(gate.status == 1, "\(gate.errors)")
    #expect(gate.output.contains("mine is missing"), "\(gate.output)")
  }

  @Test(
    "scores that fall as files grow are not used unless the direction is declared", .timeLimit(.minutes(30)))
  func direction() throws {
    // Low qualities wipe out faint noise, so the decoded PNG file is larger the more noise is left.
    var generator = SeededGenerator(seed: 5)
    let noise = (0..<96 * 96 * 3).map { _ in UInt8(110 + generator.unit() * 20) }
    try Data(Array("P6\n96 96\n255\n".utf8) + noise).write(to: URL(filePath: user.path("images/a.ppm")))
    try script("distance", "echo $((100000 - $(wc -c < $2)))")
    let command = "=\(user.path("distance")) {reference} {distorted}"
    let refused = try sweep("d" + command, "--headline", "d", "--at", "99000")
    #expect(refused.status == 64, "\(refused.errors)")
    #expect(refused.errors.contains("d:lower="))
    let declared = try sweep("d:lower" + command, "--headline", "d", "--at", "99000")
    #expect(declared.status == 0, "\(declared.errors)")
    // The first sweep lacks only the setting that reaches 99000 and a few below it.
    #expect(declared.errors.contains(#/heicbench: \d encodes? in/#), "\(declared.errors)")
    let searched = try user.program.run(
      [
        "images", "--codec", "jpeg", "--target", "d=99000", "--metrics", "none", "--images", "none",
        "--metric-command", "d" + command,
      ], in: user.folder.url)
    #expect(searched.status == 64, "\(searched.errors)")
    _ = try user.run("check", "--current", "results", "--force", "--write", "base.csv")
    _ = try sweep("d" + command)
    let gate = try user.run("check", "--baseline", "base.csv", "--threshold", "d=0.1")
    #expect(gate.status == 64, "\(gate.errors)")
  }

  @Test("a killed run leaves no program, and its scratch folder goes with the next", .timeLimit(.minutes(30)))
  func killed() throws {
    let time = "1000.\(UInt32.random(in: 1_000_000...9_999_999))"
    let process = user.program.process(
      [
        "images", "--codec", "jpeg", "--qualities", "0.5", "--quiet", "--images", "none", "--metric-command",
        "m=sh -c 'setsid sleep \(time) & sleep \(time)' {reference} {distorted}",
      ], in: user.folder.url, environment: ["TMPDIR": user.folder.path])
    try process.run()
    #expect(ProcessTable.wait { Self.sleepers(time) >= 2 })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(ProcessTable.wait { Self.sleepers(time) == 0 })
    #expect(try scratchFolders().count == 1)
    #expect(try sweep("m=sh -c 'echo 1' {reference} {distorted}").status == 0)
    #expect(try scratchFolders().isEmpty)
  }

  private func scratchFolders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: user.folder.path)
      .filter { $0.hasPrefix("heicbench-metric-") }
  }

  private static func sleepers(_ time: String) -> Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil }
    return (numbers ?? []).count { number in
      FileManager.default.contents(atPath: "/proc/\(number)/cmdline")?
        .starts(with: Data("sleep\0\(time)".utf8)) ?? false
    }
  }

  @Test("without a temporary folder there is a message and exit code 74")
  func noTemporaryFolder() throws {
    let sweep = try user.program.run(
      [
        "images", "--codec", "jpeg", "--qualities", "0.5", "--metric-command",
        "m=echo 1 {reference} {distorted}",
      ], in: user.folder.url, environment: ["TMPDIR": "/nonexistent/folder"])
    #expect(sweep.status == 74, "\(sweep.errors)")
    #expect(sweep.errors.contains("Set TMPDIR to a writable folder"))
  }
}
