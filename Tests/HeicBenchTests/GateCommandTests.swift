import Foundation
import Model
import TestSupport
import Testing

/// The gate and its baselines, as users run them.
@Suite("check and compare, run as a program")
struct GateCommandTests {
  let desk: ProgramDesk

  init() throws {
    desk = try ProgramDesk()
    for (index, name) in ["a", "b", "c"].enumerated() {
      try desk.writeImage("images/\(name).ppm", seed: UInt64(index + 1))
    }
  }

  private func sweep(_ more: String...) throws -> BuiltProgram.Result {
    try desk.run(
      ["images", "--codec", "jpeg", "--qualities", "0.2...0.9", "--metrics", "psnr-y", "--quiet"] + more)
  }

  /// Writes a baseline from a run, with every size multiplied by a factor. More than 1 stands for an earlier run that
  /// was worse.
  private func writeBaseline(sizesTimes factor: Double) throws {
    #expect(try desk.run(["check", "--write", "same.csv"]).status == 0)
    let lines = try desk.text("same.csv").split(separator: "\n").enumerated().map { index, line in
      var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if index > 0 { fields[7] = String(Int((Double(fields[7]) ?? 0) * factor)) }
      return fields.joined(separator: ",")
    }
    try desk.write(lines.joined(separator: "\n") + "\n", to: "baseline.csv")
  }

  @Test("an unchanged rerun passes, and a codec that is 3 % worse is caught")
  func gate() throws {
    #expect(try sweep().status == 0)
    try writeBaseline(sizesTimes: 1)
    // The order of rows does not matter.
    let lines = try desk.text("same.csv").split(separator: "\n")
    let backwards = lines.prefix(1) + lines.dropFirst().reversed()
    try desk.write(backwards.joined(separator: "\n") + "\n", to: "backwards.csv")
    let same = try desk.run(["check", "--current", "backwards.csv", "--write", "-"])
    let kept = try desk.text("same.csv")
    #expect(same.output == kept)
    #expect(try sweep("--fresh").status == 0)
    let passed = try desk.run(["check", "--baseline", "baseline.csv"], environment: ["GITHUB_ACTIONS": ""])
    #expect(passed.status == 0, "\(passed.output)")
    try writeBaseline(sizesTimes: 1 / 1.03)
    let worse = try desk.run(
      ["check", "--baseline", "baseline.csv", "--junit", "gate.xml"],
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": desk.folder.path + "/step.md",
      ])
    #expect(worse.status == 1)
    #expect(worse.output.contains("gate failed"))
    #expect(worse.errors.contains("::error"))
    #expect(try desk.text("step.md").contains("gate failed"))
    #expect(try desk.text("gate.xml").contains("<failure"))
    let allowed = ["total-bytes", "point-bytes"].flatMap { ["--threshold", "\($0)=9%"] }
    #expect(try desk.run(["check", "--baseline", "baseline.csv"] + allowed).status == 0)
    let end = worse.output.split(separator: "\n").suffix(6).joined(separator: "\n")
    #expect(end.contains("The gate failed. Regression: "))
    #expect(
      end.contains(
        "Cause: the encoder or the scores: images, settings and recorded library versions have not changed"))
    #expect(end.contains("heicbench check --current results --write baseline.csv"))
  }

  @Test("a sweep can end with the gate")
  func sweepAndGate() throws {
    #expect(try sweep().status == 0)
    try writeBaseline(sizesTimes: 1 / 1.03)
    #expect(try sweep("--baseline", "baseline.csv").status == 1)
    #expect(try sweep("--baseline", "same.csv").status == 0)
    try desk.write("neither,columns\nnor,rows\n", to: "other.csv")
    for baseline in ["none.csv", "other.csv"] {
      #expect(try sweep("--baseline", baseline, "--output", "other").status == 74)
    }
    #expect(!FileManager.default.fileExists(atPath: desk.folder.path + "/other"))
  }

  @Test("improvements pass, fail on request, and a ratchet adopts them")
  func improvement() throws {
    #expect(try sweep().status == 0)
    try writeBaseline(sizesTimes: 1.05)
    let command = ["check", "--baseline", "baseline.csv"]
    #expect(try desk.run(command).status == 0)
    #expect(try desk.run(command + ["--fail-on", "improvement"]).status == 1)
    #expect(try desk.run(command + ["--ratchet"]).status == 0)
    #expect(try desk.text("baseline.csv") == desk.text("same.csv"))
    #expect(try desk.run(command + ["--fail-on", "improvement"]).status == 0)
  }

  @Test("a gate fails if it cannot compare")
  func nothingFailsOpen() throws {
    #expect(try sweep().status == 0)
    try writeBaseline(sizesTimes: 1)
    let unscored = try desk.run(
      [
        "images", "--codec", "jpeg", "--qualities", "0.2...0.9", "--metrics", "ssim", "--quiet", "--output",
        "other",
      ])
    #expect(unscored.status == 0)
    let command = ["check", "--current", "other", "--baseline"]
    let missing = try desk.run(command + ["same.csv", "--ratchet"])
    #expect(missing.status == 1)
    #expect(missing.output.contains("PSNR-Y is missing"))
    #expect(try desk.text("same.csv").contains("psnr_y_db"))
    let unguarded = try desk.run(["check", "--baseline", "same.csv", "--threshold", "ssimulacra2=0.1"])
    #expect(unguarded.status == 1)
    #expect(unguarded.output.contains("A threshold is set for ssimulacra2"))

    for key in ["encode-time", "decode-time", "decode-memory"] {
      let idle = try desk.run(["check", "--baseline", "same.csv", "--threshold", "\(key)=5"])
      #expect(
        idle.status == 1 && idle.output.contains("A threshold is set for \(key), but"), "\(idle.output)")
      try desk.write("thresholds:\n  \(key): 5\n", to: "committed.yml")
      let tolerated = try desk.run(["check", "--baseline", "same.csv", "--config", "committed.yml"])
      #expect(
        tolerated.status == 0
          && tolerated.output.contains("These configured thresholds matched nothing: \(key) ("),
        "\(tolerated.output)")
    }
    for key in ["total-bytes", "point-bytes", "failures", "vanished", "changed"] {
      #expect(try desk.run(["check", "--baseline", "same.csv", "--threshold", "\(key)=5"]).status == 0)
    }
    let rows = try desk.text("results/measurements.csv")
    try desk.write(rows.replacing(",status,", with: ",state,"), to: "stateless.csv")
    let stateless = try desk.run(["check", "--baseline", "same.csv", "--current", "stateless.csv"])
    #expect(stateless.status == 74 && stateless.errors.contains("no column “status”"), "\(stateless.errors)")

    let header = try desk.text("same.csv").split(separator: "\n")[0]
    try desk.write("\(header)\n", to: "empty.csv")
    for arguments in [["check", "--baseline", "empty.csv"], ["images", "--baseline", "empty.csv"]] {
      let empty = try desk.run(arguments)
      #expect(empty.status == 74)
      #expect(empty.errors.contains("has no measured encode"))
    }
    try desk.write(try desk.text("same.csv").replacing("a.ppm", with: "z.ppm"), to: "renamed.csv")
    let renamed = try desk.run(["check", "--baseline", "renamed.csv"])
    #expect(renamed.status == 0)
    #expect(renamed.output.contains("Compared although renamed (same content): z.ppm → a.ppm"))
  }

  @Test("a run passes against itself with a threshold of 0 and with defaults spelled out")
  func exactness() throws {
    #expect(try sweep().status == 0)
    #expect(try desk.run(["check", "--write", "same.csv"]).status == 0)
    let zero = ["total-bytes", "point-bytes", "psnr-y"].flatMap { ["--threshold", "\($0)=0"] }
    let exact = try desk.run(["check", "--baseline", "same.csv", "--fail-on", "improvement"] + zero)
    #expect(exact.status == 0, "\(exact.output)")
    let lines = try desk.text("same.csv").replacing(",jpeg,,", with: ",jpeg,chroma=420,")
    try desk.write(lines, to: "spelt.csv")
    #expect(lines.contains("chroma=420"))
    let spelt = try desk.run(["check", "--baseline", "spelt.csv"])
    #expect(spelt.status == 0, "\(spelt.output)")
  }

  @Test("a replaced image counts as another image, and a downscaled run says so")
  func replacedImages() throws {
    #expect(try sweep().status == 0)
    #expect(try desk.run(["check", "--write", "same.csv"]).status == 0)
    try desk.writeImage("images/b.ppm", seed: 77)
    let changed = try sweep("--baseline", "same.csv")
    #expect(changed.status == 1)
    let check = try desk.run(["check", "--baseline", "same.csv"])
    #expect(check.output.contains("1 image differs from the baseline: b.ppm; the other 2: no change"))
    #expect(!check.output.contains("At SSIMULACRA2"))
    #expect(try sweep("--downscale", "2", "--output", "half").status == 0)
    let half = try desk.run(["check", "--baseline", "results/measurements.csv", "--current", "half"])
    #expect(half.status == 1)
    #expect(half.output.contains("32 × 24") && half.output.contains("16 × 12"))
    #expect(half.output.contains("the images differ in size from the baseline's"))
  }

  @Test("a shard is neither a baseline nor a whole run")
  func shards() throws {
    #expect(try sweep().status == 0)
    #expect(try desk.run(["check", "--write", "whole.csv"]).status == 0)
    for shard in 1...2 {
      #expect(try sweep("--shard", "\(shard)/2", "--output", "part\(shard)").status == 0)
    }
    let gate = try desk.run(["check", "--baseline", "whole.csv", "--current", "part1"])
    #expect(gate.status == 1 && gate.output.contains("Not passed: shard 2/2 is missing"))
    #expect(!gate.output.contains("update the baseline") && !gate.output.contains("missing images"))
    let refused = try desk.run(["check", "--current", "part1", "--write", "part.csv"])
    #expect(refused.status == 74 && refused.errors.contains("shard 2/2 is missing"), "\(refused.errors)")
    #expect(try desk.run(["check", "--current", "part1", "--force", "--write", "part.csv"]).status == 0)
    #expect(try desk.run(["merge", "merged", "part1", "part2"]).status == 0)
    #expect(try desk.run(["check", "--current", "merged", "--write", "merged.csv"]).status == 0)
    #expect(try desk.text("merged.csv") == desk.text("whole.csv"))
  }

  @Test("a changed setting fails, and the gate says what it costs")
  func otherSettings() throws {
    #expect(try sweep().status == 0)
    #expect(try desk.run(["check", "--write", "same.csv"]).status == 0)
    let other = try desk.run([
      "images", "--codec", "jpeg:optimise", "--qualities", "0.2...0.9", "--metrics", "psnr-y", "--quiet",
      "--baseline", "same.csv", "--junit", "gate.xml",
    ])
    #expect(other.status == 1)
    #expect(other.output.contains("### Other settings"), "\(other.output)")
    #expect(other.output.contains(" against jpeg: "))
    #expect(try desk.text("gate.xml").contains("name=\"total-bytes\">\n      <skipped"))
  }

  @Test("a new baseline says what it holds, what changes and what fails")
  func acceptance() throws {
    #expect(try sweep().status == 0)
    let first = try desk.run(["check", "--write", "same.csv"])
    #expect(first.errors.contains("“same.csv” has 3 images, "), "\(first.errors)")
    try desk.write("P6\n32 24\n255\n123", to: "images/c.ppm")
    #expect(try sweep().status == 3)
    let second = try desk.run(["check", "--write", "same.csv"])
    #expect(second.errors.contains("“same.csv” has 2 images, "), "\(second.errors)")
    #expect(second.errors.contains("not covered, because they fail: 1 image: c.ppm ("))
    #expect(second.errors.contains("earlier rows are gone"))
    let third = try desk.run(["check", "--write", "same.csv"])
    #expect(third.errors.contains("its rows have not changed"), "\(third.errors)")
    let passed = try sweep("--baseline", "same.csv")
    #expect(passed.status == 3)
    #expect(passed.errors.hasSuffix("1 image cannot be used: exit code 3\n"), "\(passed.errors)")
  }

  @Test("a gate that could not compare says so, even after one that did")
  func unlooked() throws {
    #expect(try sweep().status == 0)
    #expect(try desk.run(["check", "--write", "same.csv"]).status == 0)
    #expect(try sweep("--baseline", "same.csv", "--junit", "gate.xml").status == 0)
    #expect(try desk.text("gate.xml").contains("errors=\"0\""))
    let missing = try sweep("--baseline", "none.csv", "--junit", "gate.xml")
    #expect(missing.status == 74 && missing.errors.contains("the baseline “none.csv” does not exist"))
    #expect(try desk.text("gate.xml").contains("<error message=\"the gate could not compare: the baseline"))
    let spent = try sweep("--baseline", "same.csv", "--junit", "gate.xml", "--fresh", "--budget", "0.001")
    #expect(spent.status == 4, "\(spent.errors)")
    #expect(spent.errors.contains("the gate could not compare: the budget"), "\(spent.errors)")
    #expect(try desk.text("gate.xml").contains("<error message=\"the gate could not compare: the budget"))
    // An interrupted run ends with the command for the rest, not with one that would be refused.
    let check = try desk.run(["check", "--baseline", "same.csv"])
    #expect(check.status == 1 && check.output.contains("Measure the rest:"), "\(check.output)")
    #expect(!check.output.contains("update the baseline"))
  }

  @Test("wrong usage of the gate exits with 64, a missing baseline with 74")
  func errors() throws {
    #expect(try sweep().status == 0)
    try writeBaseline(sizesTimes: 1)
    let unknown = try desk.run(["check", "--baseline", "baseline.csv", "--threshold", "bytes=1"])
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("total-bytes"))
    #expect(try desk.run(["check", "--baseline", "none.csv"]).status == 74)
    try desk.write("treshold:\n", to: ".heicbench.yml")
    #expect(try desk.run(["check", "--baseline", "baseline.csv"]).status == 64)
    #expect(try desk.run(["compare", "baseline.csv"]).status == 64)
  }

  @Test("runs are compared side by side")
  func compare() throws {
    #expect(try sweep().status == 0)
    #expect(try sweep("--codec", "jpeg:optimise", "--output", "other").status == 0)
    let result = try desk.run(["report", "results", "other"])
    #expect(result.status == 0)
    #expect(result.output.contains("`other` against `results`"))
    let json = try desk.run(["report", "results", "other", "--format", "json"])
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
  }
}
