import Foundation
import TestSupport
import Testing

/// `heicbench generations` as its users run it.
struct GenerationsCommandTests {
  @Test func theFirstGenerationIsWhatASweepMeasures() throws {
    let desk = try ProgramDesk()
    for seed in 1...2 { try desk.writeImage("photos/\(seed).ppm", width: 96, height: 64, seed: UInt64(seed)) }
    let codecs = ["--codec", "jpeg", "--codec", "heic:preset=ultrafast", "--codec", "webp:lossless=true"]
    let qualities = ["--qualities", "0.4,0.8"]
    let result = try desk.run(
      ["generations", "photos", "--generations", "4", "--output", "chains"] + codecs + qualities)
    #expect(result.status == 0, "\(result.errors)")
    let sweep = try desk.run(
      ["photos", "--refine", "off", "--images", "none", "--output", "swept", "--quiet"] + codecs + qualities)
    #expect(sweep.status == 0, "\(sweep.errors)")
    let chains = try desk.rows(of: "chains/generations.csv")
    #expect(chains.count == 2 * 3 * 2 * 4)
    let key = { (row: [String: String]) in
      ["image", "codec", "settings", "quality"].map { row[$0] ?? "" }.joined(separator: " ")
    }
    let swept = Dictionary(
      try desk.rows(of: "swept/measurements.csv").map { (key($0), $0) },
      uniquingKeysWith: { first, _ in first })
    for row in chains where row["generation"] == "1" {
      let point = try #require(swept[key(row)])
      for column in ["encoded_bytes", "ssimulacra2", "psnr_y_db", "psnr_rgb_db", "ssim"] {
        #expect(row[column] == point[column], "\(key(row)) \(column)")
      }
    }
    // A lossless codec returns the same picture.
    let lossless = chains.filter { $0["codec"] == "webp" }
    #expect(Set(lossless.map { "\($0["image"] ?? "") \($0["sha256"] ?? "")" }).count == 2)
    #expect(result.output.contains("JPEG at quality 0.4 goes from SSIMULACRA2"), "\(result.output)")
    #expect(try desk.text("chains/generations.svg").contains("SSIMULACRA2 from generation to generation"))
    #expect(try desk.text("chains/generations.md").contains("![SSIMULACRA2 from generation"))
    // For a folder without a sweep, `report` makes the page again from the store.
    func files() throws -> [String] {
      try ["html", "md", "csv", "json", "svg"].map { try desk.text("chains/generations.\($0)") }
    }
    let before = try files()
    let report = try desk.run(["report", "chains"])
    #expect(report.status == 0 && report.errors.contains("chains/generations.html"), "\(report.errors)")
    #expect(try files() == before)
  }

  @Test func aSecondRunMeasuresNothing() throws {
    let desk = try ProgramDesk()
    for seed in 1...2 { try desk.writeImage("photos/\(seed).ppm", width: 96, height: 64, seed: UInt64(seed)) }
    let command = [
      "generations", "photos", "--codec", "jpeg", "--generations", "3", "--metrics", "ssimulacra2",
    ]
    for start in [["--qualities", "0.4,0.8"], ["--at", "70"]] {
      let first = try desk.run(command + start)
      #expect(first.status == 0, "\(first.errors)")
      #expect(!first.errors.contains("already there"))
      let rows = try desk.text("results/generations.csv")
      let second = try desk.run(command + start)
      let count = start[0] == "--at" ? 2 : 4
      #expect(
        second.status == 0 && second.errors.contains("\(count) of \(count) chains already there"),
        "\(second.errors)")
      #expect(try desk.text("results/generations.csv") == rows)
    }
    // Another metric and another quality are still to be measured.
    let more = try desk.run([
      "generations", "photos", "--codec", "jpeg", "--generations", "3", "--metrics", "ssimulacra2,psnr-y",
      "--qualities", "0.4,0.8",
    ])
    #expect(more.status == 0 && !more.errors.contains("already there"), "\(more.errors)")
    let wider = try desk.run(command + ["--qualities", "0.4,0.8,0.9"])
    #expect(wider.errors.contains("4 of 6 chains already there"), "\(wider.errors)")
    #expect(try desk.rows(of: "results/generations.csv").count == 2 * 3 * 3)
  }

  private static let chains = [
    "generations", "photos", "--codec", "jpeg", "--qualities", "0.4,0.8", "--generations", "3",
  ]

  /// Writes a copy of a generations.csv, or of a baseline made from one, with another value in a column of some rows.
  private func rewrite(
    _ desk: ProgramDesk, _ file: String, to copy: String, _ column: String, of generation: String,
    _ change: (Double) -> String
  ) throws {
    let lines = try desk.text(file).split(separator: "\n").map(String.init)
    let names = lines[0].split(separator: ",").map(String.init)
    let index = try #require(names.firstIndex(of: column))
    let number = try #require(names.firstIndex(of: "generation"))
    let changed = try lines.dropFirst().map { line in
      var cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard cells[number] == generation else { return line }
      cells[index] = change(try #require(Double(cells[index])))
      return cells.joined(separator: ",")
    }
    try desk.write(([lines[0]] + changed).joined(separator: "\n") + "\n", to: copy)
  }

  @Test func chainsAreHeldAgainstABaseline() throws {
    let desk = try ProgramDesk()
    for seed in 1...2 { try desk.writeImage("photos/\(seed).ppm", width: 96, height: 64, seed: UInt64(seed)) }
    #expect(try desk.run(Self.chains).status == 0)
    let written = try desk.run(["check", "--generations", "--write", "chains.csv"])
    #expect(
      written.status == 0 && written.errors.contains("2 images, 12 generations"), "\(written.errors)")
    for baseline in ["chains.csv", "results/generations.csv", "results"] {
      for current in ["results", "results/generations.csv"] {
        let passed = try desk.run(["check", "--baseline", baseline, "--current", current])
        #expect(
          passed.status == 0 && passed.output.contains("gate for generations passed")
            && passed.output.contains("12 generations compared"), "\(passed.output)\(passed.errors)")
      }
    }
    // Baselines of better chains: smaller files, and a higher score by one metric in one generation.
    try rewrite(desk, "chains.csv", to: "smaller.csv", "encoded_bytes", of: "3") { String(Int($0 * 0.9)) }
    try rewrite(desk, "results/generations.csv", to: "closer.csv", "psnr_y_db", of: "2") { String($0 + 0.3) }
    for (baseline, quantity) in [("smaller.csv", "bytes"), ("closer.csv", "psnr-y")] {
      let check = ["check", "--baseline", baseline, "--junit", "gate.xml", "--format", "json"]
      let failed = try desk.run(check, environment: ["GITHUB_ACTIONS": "true"])
      #expect(failed.status == 1, "\(baseline): \(failed.output)\(failed.errors)")
      let report = try JSONSerialization.jsonObject(with: Data(failed.output.utf8)) as? [String: Any]
      let part = report?["generations"] as? [String: Any]
      let findings = try #require(part?["regressions"] as? [[String: Any]])
      #expect(findings.count == 4 && findings.allSatisfy { $0["quantity"] as? String == quantity })
      #expect(
        failed.errors.contains("::error title=heicbench generations%3A \(quantity)::"), "\(failed.errors)")
      #expect(try desk.text("gate.xml").contains("<testsuite name=\"generations\" tests=\""))
    }
    let tolerated = ["check", "--baseline", "smaller.csv", "--threshold", "point-bytes=15"]
    #expect(try desk.run(tolerated).status == 0)
    let other = try desk.run(["check", "--baseline", "chains.csv", "--threshold", "decode-memory=1"])
    #expect(other.status == 1, "\(other.output)")
  }

  @Test func noChainHasPassedThatIsNotThere() throws {
    let desk = try ProgramDesk()
    for seed in 1...2 { try desk.writeImage("photos/\(seed).ppm", width: 96, height: 64, seed: UInt64(seed)) }
    #expect(try desk.run(Self.chains).status == 0)
    #expect(try desk.run(["check", "--generations", "--write", "chains.csv"]).status == 0)
    // The store keeps all chains, but only those of the latest call count.
    #expect(try desk.run(Self.chains + ["--qualities", "0.4"]).status == 0)
    let fewer = try desk.run(["check", "--baseline", "chains.csv"])
    #expect(fewer.status == 1 && fewer.output.contains("The run lacks 6 generations"), "\(fewer.output)")
    #expect(try desk.run(Self.chains + ["--qualities", "0.5"]).status == 0)
    let others = try desk.run(["check", "--baseline", "chains.csv"])
    #expect(others.status == 1 && others.output.contains("Nothing compared"), "\(others.output)")
    #expect(
      try desk.run(["photos", "--qualities", "0.4", "--images", "none", "--output", "swept"]).status == 0)
    let swept = try desk.run(["check", "--baseline", "chains.csv", "--current", "swept"])
    #expect(swept.status == 1 && swept.output.contains("Nothing compared"), "\(swept.output)")
    // A picture that can no longer be read is a failure.
    try desk.write("no image", to: "photos/2.ppm")
    #expect(try desk.run(Self.chains).status == 3)
    let broken = try desk.run(["check", "--baseline", "chains.csv"])
    #expect(broken.status == 1 && broken.output.contains("Fails now: "), "\(broken.output)")
    // Generations are not points of a sweep.
    for sides in [
      ["chains.csv", "--current", "swept/measurements.csv"], ["swept", "--current", "chains.csv"],
    ] {
      #expect(try desk.run(["check", "--baseline"] + sides).status == 74)
    }
    let sweep = try desk.run(["photos", "--qualities", "0.4", "--baseline", "chains.csv", "--output", "next"])
    #expect(sweep.status == 74 && sweep.errors.contains("no encodes from a sweep"), "\(sweep.errors)")
    #expect(try desk.run(["check", "--current", "swept", "--generations", "--write", "-"]).status == 74)
  }

  @Test func chainsOfAScoreBeginAtIt() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 96, height: 64)
    let result = try desk.run([
      "generations", "a.ppm", "--at", "70", "--generations", "3", "--metrics", "ssimulacra2",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let first = try desk.rows(of: "results/generations.csv").filter { $0["generation"] == "1" }
    #expect(first.count == 2)
    #expect(first.allSatisfy { ($0["ssimulacra2"].flatMap(Double.init) ?? 0) >= 70 })
    #expect(result.output.contains("JPEG from SSIMULACRA2 70 goes from SSIMULACRA2 7"), "\(result.output)")
    let search = try desk.run([
      "a.ppm", "--target", "ssimulacra2=70", "--output", "searched", "--images", "none",
    ])
    #expect(search.status == 0)
    let found = try desk.rows(of: "searched/targets.csv").compactMap { $0["encoded_bytes"] }
    #expect(first.compactMap { $0["encoded_bytes"] } == found)
  }

  @Test func whatCannotBeEncodedIsNamed() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 40, height: 40)
    try desk.write("no image", to: "photos/b.png")
    let result = try desk.run([
      "generations", "photos", "--codec", "jpeg", "--codec", "webp", "--generations", "2", "--qualities",
      "0.3,0.5,0.7",
    ])
    #expect(result.status == 3, "\(result.errors)")
    #expect(result.errors.contains("6 of 12 chains failed; generations.csv says why"), "\(result.errors)")
    #expect(
      try desk.rows(of: "results/generations.csv").contains { $0["image"] == "b.png" && $0["error"] != "" })
  }

  @Test(arguments: [
    (["--generations", "1"], "--generations"), (["--at", "70", "--qualities", "0.5"], "--qualities"),
    (["--at", "120"], "at most 100"), (["--codec", "jxl:recompress=true"], "is lossless"),
    (["--codec", "heic@new"], "system’s libraries"),
  ])
  func wrongUsageIsRefused(arguments: [String], message: String) throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm")
    let result = try desk.run(["generations", "a.ppm"] + arguments)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
