import ArgumentParser
import HeicBenchKit
import TestSupport
import Testing

@testable import Commands

/// Options from the environment and from `.heicbench.yml`, which those of the command line override.
struct DefaultOptionsTests {
  private func added(
    _ arguments: [String], _ environment: [String: String] = [:], _ file: [String: [String]] = [:]
  ) throws -> [String] {
    try DefaultOptions.adding(to: arguments, environment: environment) { file }
  }

  @Test func theCommandLineComesFirstThenTheEnvironmentThenTheFile() throws {
    let file = ["jobs": ["2"], "qualities": ["0.3", "0.6"]]
    let environment = ["HEICBENCH_JOBS": "3", "HOME": "/", "HEICBENCH_UNDER_TEST": "x"]
    #expect(try added(["a"], environment, file) == ["--qualities", "0.3,0.6", "--jobs", "3", "a"])
    #expect(try added(["sweep", "a", "--jobs", "1", "--qualities=0.5"], environment, file).count == 5)
    #expect(try added(["a", "-j1", "--qualities=0.5"], environment, file).count == 3)
    #expect(try added(["a", "--", "--jobs"], environment) == ["--jobs", "3", "a", "--", "--jobs"])
  }

  @Test func onlyWhatACommandTakesIsAdded() throws {
    let environment = ["HEICBENCH_JOBS": "3", "HEICBENCH_QUIET": "true", "HEICBENCH_CODEC": "heic"]
    #expect(try added(["codecs"], environment) == ["codecs"])
    #expect(
      try added(["tiles", "export", "a.png", "web"], ["HEICBENCH_JOBS": "3"]).prefix(4) == [
        "tiles", "export", "--jobs", "3",
      ])
    #expect(try added(["merge", "a", "b"], environment) == ["merge", "--quiet", "a", "b"])
    #expect(
      try added(["a"], [:], ["codec": ["jpeg", "heic"]]) == ["--codec", "jpeg", "--codec", "heic", "a"])
    #expect(
      try added(["import", "a=b"], [:], ["reference": ["c", "d"]]) == [
        "import", "--reference", "c", "--reference", "d", "a=b",
      ])
    #expect(try added(["--help"], environment) == ["--help"])
    #expect(try added(["worker", "3"], environment) == ["worker", "3"])
    let gate = ["HEICBENCH_BASELINE": "a.csv", "HEICBENCH_JUNIT": "x.xml", "HEICBENCH_FORCE": "true"]
    #expect(try added(["check", "--write", "b.csv"], gate) == ["check", "--force", "--write", "b.csv"])
    #expect(try added(["check"], gate) == ["check", "--junit", "x.xml", "--baseline", "a.csv"])
    // Folders with such names count as folders.
    #expect(
      try added(["sweep", "worker", "help"], ["HEICBENCH_JOBS": "3"]) == [
        "sweep", "--jobs", "3", "worker", "help",
      ])
  }

  @Test(arguments: [
    (["a", "--target", "bytes=20kB"], ["QUALITIES": "0.5", "TIME": "true"], []),
    (["a", "--qualities", "0.5"], ["TARGET": "bytes=20kB", "JUNIT": "x.xml", "RATCHET": "true"], []),
    (["a", "--baseline", "b.csv"], ["JUNIT": "x.xml"], ["--junit", "x.xml"]),
    (["a"], ["BASELINE": "b.csv", "JUNIT": "x.xml"], ["--baseline", "b.csv", "--junit", "x.xml"]),
    (["check", "--write", "b.csv"], ["FORMAT": "json", "SCORE": "80"], []),
    (["report", "a", "--failures"], ["FORMAT": "csv", "TITLE": "All", "SCORE": "80"], ["--format", "csv"]),
    (["report", "a", "b"], ["TITLE": "All", "REQUIRE_SANDBOX": "true", "SCORE": "80"], ["--score", "80"]),
    (["report", "a"], ["TITLE": "All", "SCORE": "80"], ["--title", "All", "--score", "80"]),
    (["decode", "a"], ["QUALITIES": "0.5", "CELL": "99"], []),
    (["decode", "a"], ["GALLERY": "true", "CELL": "99"], ["--gallery", "--cell", "99"]),
    (["decode", "a", "--codec", "heic"], ["GALLERY": "true", "CELL": "99"], []),
    (["decode", "a", "--codec", "heic"], ["QUALITIES": "0.5"], ["--qualities", "0.5"]),
    (["decode", "a", "--gallery"], ["QUALITIES": "0.5", "CODEC": "heic", "CELL": "99"], ["--cell", "99"]),
    (["generations", "a", "--score", "80"], ["QUALITIES": "0.5"], []),
    (["generations", "a", "--qualities", "0.5"], ["SCORE": "80"], []),
    (["report", "a", "b"], ["FORMAT": "csv"], []),
    (["report", "a", "b"], ["FORMAT": "json"], ["--format", "json"]),
    (["report", "a", "--failures"], ["FORMAT": "markdown"], []),
    (["report", "a"], ["FORMAT": "text"], []),
    (["check", "--baseline", "b.csv"], ["FORMAT": "csv"], []),
    (["thumbnails", "a", "b"], ["FORMAT": "json"], []),
    (["view", "a"], ["OUTPUT": "results"], []),
    (["view", "a", "--blind"], ["OUTPUT": "results"], ["--output", "results"]),
  ])
  func whatDoesNotApplyIsLeftOut(line: [String], environment: [String: String], added expected: [String])
    throws
  {
    let own = Dictionary(uniqueKeysWithValues: environment.map { ("HEICBENCH_\($0)", $1) })
    let all = try added(line, own)
    #expect(Set(all).subtracting(line) == Set(expected) && all.count == line.count + expected.count)
    #expect(throws: Never.self) { try RootCommand.parseAsRoot(all) }
  }

  @Test("an option with two long names, such as the results folder")
  func twoNames() throws {
    let environment = ["HEICBENCH_OUTPUT": "kept"]
    #expect(try added(["a"], environment) == ["--output", "kept", "a"])
    #expect(try added(["decode", "a"], [:], ["out": ["kept"]]) == ["decode", "--output", "kept", "a"])
    for given in [["a", "--out", "b"], ["a", "--out=b"], ["a", "-o", "b"], ["a", "--output=b"]] {
      #expect(try added(given, environment) == given)
    }
    // These have no results folder.
    #expect(try added(["view", "a"], environment) == ["view", "a"])
    #expect(try added(["view", "a", "--blind"], environment).contains("--output"))
    #expect(try added(["baseline"], environment) == ["baseline"])
  }

  @Test("what reads results and does not name their folder reads those of the default output")
  func resultsToRead() throws {
    let environment = ["HEICBENCH_OUTPUT": "kept"]
    for line in [["report", "--failures"], ["recommend", "--score", "80"]] {
      #expect(try added(line, environment) == line + ["kept"])
      #expect(try added(line + ["a"], environment) == line + ["a"])
    }
    #expect(try added(["report"], [:], ["out": ["kept"]]) == ["report", "kept"])
    let check = ["check", "--baseline", "b.csv"]
    #expect(try added(check, environment) == ["check", "--current", "kept", "--baseline", "b.csv"])
    #expect(try added(check + ["--current", "a"], environment) == check + ["--current", "a"])
  }

  @Test("a flag that can be turned off, by either name")
  func inverseFlags() throws {
    #expect(try added(["a"], ["HEICBENCH_NO_EMBED": "true"]) == ["--no-embed", "a"])
    #expect(try added(["a"], [:], ["embed": ["false"]]) == ["--no-embed", "a"])
    #expect(try added(["a"], ["HEICBENCH_EMBED": "true"], ["no-embed": ["true"]]) == ["--embed", "a"])
    #expect(try added(["a", "--no-embed"], [:], ["embed": ["true"]]) == ["a", "--no-embed"])
    #expect(try added(["codecs"], [:], ["no-embed": ["true"]]) == ["codecs"])
    // Other flags have no name for off.
    #expect(try added(["a"], ["HEICBENCH_QUIET": "false"]) == ["a"])
  }

  @Test("the sample of shards is measured like its parts")
  func shards() throws {
    let environment = ["HEICBENCH_CODEC": "avif", "HEICBENCH_SHARD": "1/2", "HEICBENCH_SEED": "3"]
    let words = try added(["shards", "photos", "--minutes", "5"], environment)
    #expect(words == ["shards", "--seed", "3", "--codec", "avif", "photos", "--minutes", "5"])
    let command = try ShardsCommand.parse(Array(words.dropFirst()))
    #expect(command.sweep == ["--codec", "avif", "photos"] && command.drawn.seed == 3)
    #expect(try added(["shards", "photos", "--codec", "heic"], environment).count == 6)
  }

  @Test func anUnknownOptionInTheFileIsAnError() throws {
    let error = #expect(throws: HeicBenchError.self) { try added(["a"], [:], ["jbos": ["2"]]) }
    #expect(error?.description.contains("did you mean “jobs”") == true)
  }

  @Test func theProgramReadsBoth() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("images/a.ppm")
    try desk.write(
      "options:\n  qualities: [0.3, 0.6]\n  metrics: none\n  images: none\n", to: ".heicbench.yml")
    let words = ["images", "--codec", "jpeg"]
    let file = try desk.run(words)
    #expect(file.status == 0 && file.errors.contains("2 encodes in"), "\(file.errors)")
    let environment = try desk.run(words, environment: ["HEICBENCH_QUALITIES": "0.3,0.6,0.9"])
    #expect(environment.errors.contains("1 encode in"), "\(environment.errors)")
    try desk.write("options:\n  qualites: 0.3\n", to: ".heicbench.yml")
    let wrong = try desk.run(words)
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean “qualities”"), "\(wrong.errors)")
  }
}
