#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The program on a kernel that seems to have no sandboxes, as old kernels and many containers do not.
  @Suite(
    "a missing sandbox, through the program",
    .enabled(if: KernelSandbox.isWhole, "\(KernelSandbox.isMissing)"))
  struct SandboxProgramTests {
    let desk: ProgramDesk
    let launcher: BuiltProgram

    init() throws {
      desk = try ProgramDesk()
      launcher = try #require(BuiltProgram("worker-fixture"))
      try desk.writeImage("a.ppm")
    }

    private func words(_ arguments: [String]) -> [String] {
      ["unsandboxed", desk.program.executable.path] + arguments
    }

    private static let notice = "workers run without Landlock and seccomp"
    private static let refusal = "workers would run without Landlock and seccomp"

    static let commands = [
      ["a.ppm", "--codec", "jpeg", "--qualities", "0.5,0.6", "--metrics", "none", "--jobs", "2"],
      ["decode", "a.ppm", "--codec", "jpeg", "--qualities", "0.5"],
      ["score", "a.ppm", "a.ppm", "--metrics", "psnr-y"],
      ["thumbnails", "a.ppm", "thumbnails"],
      ["tiles", "export", "a.ppm", "tiles"],
      ["convert-check", "a.ppm"],
      ["generations", "a.ppm", "--codec", "jpeg", "--qualities", "0.5", "--generations", "2"],
    ]

    @Test("a missing sandbox is reported once, and refused where one is required", arguments: commands)
    func isSaid(_ command: [String]) throws {
      let run = try launcher.run(words(command), in: desk.folder.url)
      #expect(run.errors.components(separatedBy: Self.notice).count == 2, "\(run.errors)")
      let refused = try launcher.run(words(command + ["--require-sandbox"]), in: desk.folder.url)
      #expect(refused.status == 74 && refused.errors.contains(Self.refusal), "\(refused.errors)")
      let held = try desk.run(command + ["--require-sandbox"])
      #expect(held.status == run.status && !held.errors.contains("Landlock"), "\(held.errors)")
    }

    @Test("commands that use builds and results refuse, too") func others() throws {
      #expect(try desk.run(Self.commands[0]).status == 0)
      try FileManager.default.createDirectory(
        at: desk.folder.url.appending(path: "build"), withIntermediateDirectories: true)
      try desk.writeImage("phone/a.ppm", seed: 2)
      let commands = [
        ["bisect", "a.ppm", "--build", "now=system", "--build", "new=build"], ["report", "results"],
        ["tiles", "measure", "a.ppm", "--codec", "jpeg"],
        ["tiles", "pack", "a.ppm", "a.ppm", "joined.heic", "--columns", "2"],
        ["import", "--reference", "a.ppm", "own=phone"],
      ]
      for command in commands {
        let run = try launcher.run(words(command + ["--require-sandbox"]), in: desk.folder.url)
        #expect(run.status == 74 && run.errors.contains(Self.refusal), "\(command): \(run.errors)")
      }
    }

    @Test("view reports it, and refuses where a sandbox is required") func view() throws {
      let refused = try launcher.run(words(["view", "a.ppm", "--require-sandbox"]), in: desk.folder.url)
      #expect(refused.status == 74 && refused.errors.contains(Self.refusal), "\(refused.errors)")
      let view = launcher.process(words(["view", "a.ppm"]), in: desk.folder.url)
      let log = desk.folder.url.appending(path: "log")
      try desk.write("", to: "log")
      (view.standardOutput, view.standardError) = (FileHandle.nullDevice, try FileHandle(forWritingTo: log))
      try view.run()
      #expect(try ProcessTable.wait { try desk.text("log").contains(Self.notice) })
      view.interrupt()
      view.waitUntilExit()
    }

    @Test("the results record the workers' sandbox") func manifest() throws {
      let command = Self.commands[0]
      #expect(try launcher.run(words(command), in: desk.folder.url).status == 0)
      #expect(try kept() == ["landlock": 0, "seccomp": 0])
      #expect(try desk.text("results/summary.md").contains("| Sandbox of the workers | none  "))
      #expect(try desk.run(command + ["--fresh"]).status == 0)
      #expect(try kept() == ["landlock": KernelSandbox.landlock, "seccomp": 1])
    }

    @Test(
      "root's workers read private files, but lack root's other privileges",
      .enabled(if: geteuid() == 0, "SKIPPED: files of others take root"))
    func readsFilesOfOthersThroughTheParent() throws {
      try desk.writeImage("closed/a.ppm")
      for (name, mode) in [("closed/a.ppm", 0o600), ("closed", 0o700)] {
        let path = desk.folder.path + "/" + name
        try #require(chmod(path, mode_t(mode)) == 0 && chown(path, 65_534, 65_534) == 0)
      }
      let run = try desk.run([
        "closed", "--codec", "jpeg", "--qualities", "0.5", "--keep-encoded", "closed/kept",
      ])
      #expect(run.status == 0, "\(run.errors)")
    }

    private func kept() throws -> [String: Int]? {
      let report = try desk.run(["report", "results", "--format", "json"])
      let json = try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
      return (json?["manifest"] as? [String: Any])?["sandbox"] as? [String: Int]
    }
  }
#endif
