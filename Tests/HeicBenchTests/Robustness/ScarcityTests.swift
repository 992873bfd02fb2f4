#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A system that refuses threads, descriptors or processes. The run ends by itself and says why.
  @Suite("scarcity, through the program") struct ScarcityTests {
    let user: UserFolder

    init() throws { user = try UserFolder() }

    /// Runs a sweep under a limit of the shell.
    private func sweep(_ limit: String, asNobody: Bool = false) throws -> BuiltProgram.Result {
      try user.writeImage("a.ppm")
      try #require(chmod(user.folder.path, 0o777) == 0)
      let command =
        "ulimit \(limit); exec '\(user.program.executable.path)' a.ppm --codec null --qualities 0.5 --metrics none "
        + "--jobs 2"
      let other = ["/usr/bin/setpriv", "--reuid=64320", "--regid=64320", "--clear-groups"]
      let words = (asNobody ? other : []) + ["/bin/bash", "-c", command]
      return try BuiltProgram(URL(filePath: words[0])).run(Array(words.dropFirst()), in: user.folder.url)
    }

    @Test(
      "ends with 74 and a message", .timeLimit(.minutes(30)),
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "SKIPPED: needs bash"),
      arguments: ["-d 30000"])
    func endsWithAReasonWhenResourcesAreScarce(limit: String) throws {
      let run = try sweep(limit)
      #expect(run.status == 74 && !run.wasKilled, "\(run.status): \(run.errors)")
      #expect(run.errors.contains("heicbench: cannot start a"), "\(run.errors)")
      #expect(run.errors.contains("ulimit"), "\(run.errors)")
      // Without the limit, the same command does the rest.
      #expect(try user.run("a.ppm", "--codec", "null", "--qualities", "0.5", "--metrics", "none").status == 0)
    }

    @Test(
      "with few open files allowed, every command says how many it needs", .timeLimit(.minutes(30)),
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "SKIPPED: needs bash"),
      arguments: [8, 9, 10, 11, 12, 16, 43])
    func fewFiles(limit: Int) throws {
      try user.writeImage("a.ppm")
      for command in [
        "a.ppm --codec null --qualities 0.5 --metrics none", "thumbnails a.ppm small",
        "tiles export a.ppm tiles", "view a.ppm", "codecs",
      ] {
        let words = ["-c", "ulimit -n \(limit); exec '\(user.program.executable.path)' \(command)"]
        let run = try BuiltProgram(URL(filePath: "/bin/bash")).run(words, in: user.folder.url)
        #expect(run.status == 74 && !run.wasKilled, "\(command): \(run.status): \(run.errors)")
        let sentence = "only \(limit) files may be open at a time, and heicbench needs 44"
        #expect(run.errors == "heicbench: \(sentence); raise the limit with ulimit -n 64\n", "\(command)")
      }
    }

    /// A soft limit is raised, and the smallest accepted limit is enough.
    @Test(
      "enough open files are allowed", .timeLimit(.minutes(30)),
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "SKIPPED: needs bash"),
      arguments: ["-Sn 9", "-n 44"])
    func enoughFiles(limit: String) throws {
      let run = try sweep(limit)
      #expect(run.status == 0, "\(run.status): \(run.errors)")
    }

    @Test(
      "few processes are allowed to the user", .timeLimit(.minutes(30)),
      .enabled(
        if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
        "SKIPPED: root is not held by this limit, and only root becomes another user"),
      arguments: [2, 3, 5])
    func endsWithAReasonWhenProcessesAreFew(count: Int) throws {
      let run = try sweep("-u \(count)", asNobody: true)
      #expect(run.status == 74 && !run.wasKilled, "\(run.status): \(run.errors)")
      #expect(run.errors.contains("heicbench: cannot start a"), "\(run.errors)")
    }

    @Test("a second signal ends a run at once", .timeLimit(.minutes(30)), arguments: [SIGINT, SIGTERM])
    func twoSignals(signal: Int32) throws {
      try user.writeImage("a.ppm")
      let process = user.program.process(
        ["a.ppm", "--codec", "null:fault=hang", "--qualities", "0.1,0.2", "--metrics", "none"],
        in: user.folder.url, environment: ["TMPDIR": user.folder.path])
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      #expect(ProcessTable.wait { user.processes().count >= 2 })
      kill(process.processIdentifier, signal)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
      #expect(ProcessTable.wait { user.processes().isEmpty }, "\(user.processes())")
    }
  }
#endif
