import Foundation
import Model
import TestSupport
import Testing

/// The gate and merging, as users run them.
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

  /// A committed baseline from a run, with every size changed by a factor: more than 1 is an earlier run that
  /// was worse.
  private func writeBaseline(sizesTimes factor: Double) throws {
    #expect(try desk.run(["baseline", "--output", "same.csv"]).status == 0)
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
    #expect(try sweep("--fresh").status == 0)
    let same = try desk.run(["check", "--baseline", "baseline.csv"], environment: ["GITHUB_ACTIONS": ""])
    #expect(same.status == 0, "\(same.output)")
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
      end.contains("Cause: the encoder or the scores: images, settings and recorded library versions are"))
    #expect(end.contains("heicbench baseline results --output baseline.csv"))
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

  @Test("improvements pass, fail where asked to, and a ratchet takes them over")
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

  @Test("a gate passes nothing that it could not look at")
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

    let header = try desk.text("same.csv").split(separator: "\n")[0]
    try desk.write("\(header)\n", to: "empty.csv")
    for arguments in [["check", "--baseline", "empty.csv"], ["images", "--baseline", "empty.csv"]] {
      let empty = try desk.run(arguments)
      #expect(empty.status == 74)
      #expect(empty.errors.contains("has no measured point"))
    }
    try desk.write(try desk.text("same.csv").replacing("a.ppm", with: "z.ppm"), to: "renamed.csv")
    let partial = try desk.run(["check", "--baseline", "renamed.csv"])
    #expect(partial.status == 1)
    #expect(partial.output.contains("images that are gone: z.ppm"))
  }

  @Test("a threshold of 0 and a baseline that spells defaults out pass a run against itself")
  func exactness() throws {
    #expect(try sweep().status == 0)
    #expect(try desk.run(["baseline", "--output", "same.csv"]).status == 0)
    let zero = ["total-bytes", "point-bytes", "psnr-y"].flatMap { ["--threshold", "\($0)=0"] }
    let exact = try desk.run(["check", "--baseline", "same.csv", "--fail-on", "improvement"] + zero)
    #expect(exact.status == 0, "\(exact.output)")
    let lines = try desk.text("same.csv").replacing(",jpeg,,", with: ",jpeg,chroma=420,")
    try desk.write(lines, to: "spelt.csv")
    #expect(lines.contains("chroma=420"))
    let spelt = try desk.run(["check", "--baseline", "spelt.csv"])
    #expect(spelt.status == 0, "\(spelt.output)")
  }

  @Test("a replaced image is another image, and a downscaled run says so")
  func replacedImages() throws {
    #expect(try sweep().status == 0)
    #expect(try desk.run(["baseline", "--output", "same.csv"]).status == 0)
    try desk.writeImage("images/b.ppm", seed: 77)
    let changed = try sweep("--baseline", "same.csv")
    #expect(changed.status == 1)
    let check = try desk.run(["check", "--baseline", "same.csv"])
    #expect(check.output.contains("1 image differs from the baseline's: b.ppm; the other 2: no change"))
    #expect(!check.output.contains("At SSIMULACRA2"))
    #expect(try sweep("--downscale", "2", "--output", "half").status == 0)
    let half = try desk.run(["check", "--baseline", "results/measurements.csv", "--current", "half"])
    #expect(half.status == 1)
    #expect(half.output.contains("32 × 24") && half.output.contains("16 × 12"))
    #expect(half.output.contains("prepared to another size"))
  }

  @Test("wrong usage of the gate is 64, a missing baseline 74")
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

  @Test("runs stand side by side")
  func compare() throws {
    #expect(try sweep().status == 0)
    #expect(try sweep("--codec", "jpeg:optimise", "--output", "other").status == 0)
    let result = try desk.run(["compare", "results", "other"])
    #expect(result.status == 0)
    #expect(result.output.contains("`other` against `results`"))
    let json = try desk.run(["compare", "results", "other", "--format", "json"])
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
  }
}
