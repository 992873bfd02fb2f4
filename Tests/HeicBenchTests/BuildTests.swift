#if os(Linux)
  @testable import HeicBenchKit
  import Foundation
  import TestSupport
  import Testing

  /// Variants that use libraries from a folder.
  @Suite("Builds beside the system's libraries") struct BuildTests {
    private let desk: ProgramDesk

    init() throws { desk = try ProgramDesk() }

    private func folder(_ name: String) throws -> URL {
      let folder = desk.folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder
    }

    /// Makes a folder with a file in place of libjpeg.
    private func build(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: try folder(name).appending(path: "libjpeg.so.62"))
    }

    private func sweep(_ arguments: String...) throws -> BuiltProgram.Result {
      try desk.run(
        ["images", "--qualities", "0.3,0.8", "--metrics", "psnr-y", "--images", "none"] + arguments)
    }

    /// The rows of a results folder as columns by name.
    private func rows(_ folder: String = "results") throws -> [[String: String]] {
      try desk.rows(of: folder + "/measurements.csv")
    }

    @Test("run in one sweep with them, as separate variants")
    func oneSweep() throws {
      try desk.writeImage("images/a.ppm")
      try desk.writeImage("images/b.ppm", seed: 2)
      try build("other", try MappedJPEG.bytes(buildID: [0xDE, 0xAD, 0xBE, 0xEF]))
      let first = try sweep("--codec", "jpeg", "--codec", "jpeg@other", "--build", "other=other")
      #expect(first.status == 0, "\(first.errors)")
      let rows = try rows()
      #expect(rows.count == 8)
      // A build's worker is sandboxed before it can open the file that marks its memory, so the parent passes it on.
      #expect(rows.allSatisfy { $0["encode_peak_mib"] != "" && $0["decode_peak_mib"] != "" }, "\(rows)")
      for row in rows {
        let libraries = row["libraries"] ?? ""
        #expect(libraries.contains("(build deadbeef)") == (row["build"] == "other"))
        #expect(libraries.contains("; scored through libjpeg-turbo") == (row["build"] == "other"))
      }
      let byPoint = Dictionary(grouping: rows) { "\($0["image"] ?? "") \($0["quality"] ?? "")" }
      #expect(byPoint.values.allSatisfy { Set($0.map { $0["encoded_bytes"] }).count == 1 && $0.count == 2 })
      #expect(byPoint.values.allSatisfy { Set($0.map { $0["psnr_y_db"] }).count == 1 })
      #expect(
        try sweep("--codec", "jpeg", "--codec", "jpeg@other", "--build", "other=other").errors.contains(
          "0 encodes in"))
      // The same name with other libraries, or with another decoder, makes other points.
      try build("other", try MappedJPEG.bytes(buildID: [1, 2, 3, 4]))
      let swapped = try sweep("--codec", "jpeg", "--codec", "jpeg@other", "--build", "other=other")
      #expect(swapped.errors.contains("4 encodes in"), "\(swapped.errors)")
      let own = try sweep(
        "--codec", "jpeg", "--codec", "jpeg@other", "--build", "other=other", "--decoder", "own")
      #expect(own.errors.contains("4 encodes in"), "\(own.errors)")
      #expect(try !desk.text("results/measurements.csv").contains("scored through"))
    }

    @Test("pass through shards, merging, times and the gate")
    func everythingElse() throws {
      try desk.writeImage("images/a.ppm")
      try desk.writeImage("images/b.ppm", seed: 2)
      try build("other", try MappedJPEG.bytes(buildID: [0xDE, 0xAD, 0xBE, 0xEF]))
      let codecs = ["--codec", "jpeg", "--codec", "jpeg@other", "--build", "other=other"]
      for shard in ["1/2", "2/2"] {
        let result = try desk.run(
          ["images", "--qualities", "0.5", "--metrics", "psnr-y", "--images", "none", "--shard", shard]
            + ["--output", "part-\(shard.prefix(1))"] + codecs)
        #expect(result.status == 0, "\(result.errors)")
      }
      #expect(try desk.run(["merge", "whole", "part-1", "part-2"]).status == 0)
      #expect(try rows("whole").map { $0["build"] } == ["system", "other", "system", "other"])
      let timed = try desk.run(
        [
          "images", "--qualities", "0.5", "--metrics", "psnr-y", "--images", "none", "--time",
          "--keep-encoded", "kept",
        ]
          + codecs)
      #expect(timed.status == 0, "\(timed.errors)")
      #expect(try rows().allSatisfy { $0["timing"] == "exclusive" })
      #expect(FileManager.default.fileExists(atPath: desk.folder.path + "/kept/a.ppm/jpeg%40other-q0.5.jpg"))
      #expect(try desk.run(["check", "--current", "results", "--write", "base.csv"]).status == 0)
      #expect(try desk.text("base.csv").contains(",other,\n"))
      let gate = try desk.run(["check", "--baseline", "base.csv"])
      #expect(gate.status == 0 && gate.output.contains("4 encodes compared"), "\(gate.output)\(gate.errors)")
    }

    /// The reasons for refusing a folder, with a part of each message.
    enum Fault: String, CaseIterable {
      case missing = "there is no such folder"
      case empty = "does not contain a shared library"
      case text = "file too short"
      case otherMachine = "is built for arm64"
      case unknownName = "none of its libraries has a name"
      case systemsOwn = "the system's own libraries"
      case aFile = "this is a file"
    }

    @Test(
      "that are not what --build says are refused before anything is measured",
      arguments: Fault.allCases)
    func refused(fault: Fault) throws {
      try desk.writeImage("images/a.ppm")
      let library = try MappedJPEG.bytes(buildID: nil)
      var path = "bad"
      switch fault {
      case .missing: path = "bed"
      case .empty: _ = try folder("bad")
      case .text: try build("bad", Array("hello".utf8))
      case .otherMachine: try build("bad", library.enumerated().map { $0 == 18 ? 183 : $1 })
      case .unknownName: try Data(library).write(to: try folder("bad").appending(path: "libother.so.1"))
      case .systemsOwn: try build("bad", library)
      case .aFile:
        try build("bad", library)
        path = "bad/libjpeg.so.62"
      }
      for command in [["images", "--codec", "jpeg@x"], ["codecs"]] {
        let result = try desk.run(command + ["--build", "x=\(path)"])
        #expect(result.status == 64, "\(result.errors)")
        #expect(result.errors.contains(fault.rawValue), "\(result.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: desk.folder.url.appending(path: "results").path))
    }

    /// Writes an image and two builds, and returns the options that name the builds.
    private func twoBuilds(side: Int) throws -> [String] {
      try desk.writeImage("images/a.ppm", width: side, height: side)
      try build("one", try MappedJPEG.bytes(buildID: [1, 1, 1, 1]))
      try build("two", try MappedJPEG.bytes(buildID: [2, 2, 2, 2]))
      return ["--build", "a=one", "--build", "b=two"]
    }

    @Test("are searched for the one that changed, with new times, even for a single file")
    func searched() throws {
      let builds = try twoBuilds(side: 256)
      let times = try desk.run(
        ["bisect", "images", "--as-found", "--rounds", "5", "--format", "json"] + builds)
      #expect(times.status == 0, "\(times.errors)")
      #expect(times.errors.contains("comparing decode times of a and b, comparison 1 of 1 at most"))
      #expect(times.errors.contains("after 5 rounds"), "\(times.errors)")
      struct Answer: Decodable {
        struct Bisection: Decodable { let steps: [Step] }
        struct Step: Decodable { let contrast: Contrast }
        struct Contrast: Decodable { let lower, upper: Double, rounds: Int }
        let bisections: [Bisection]
      }
      let answer = try JSONDecoder().decode(Answer.self, from: Data(times.output.utf8))
      let contrast = try #require(answer.bisections.first?.steps.first?.contrast)
      // The same time used twice would give an interval of no width.
      #expect(contrast.rounds == 5 && contrast.lower < contrast.upper, "\(contrast)")
      let sizes = try desk.run(["bisect", "images", "--of", "bytes", "--codec", "jpeg"] + builds)
      #expect(sizes.status == 0 && sizes.output.contains(": no change."), "\(sizes.errors)")
      let scores = try desk.run(
        ["bisect", "images", "--of", "score", "--metrics", "psnr-y,ssim", "--codec", "jpeg"] + builds)
      #expect(
        scores.status == 0 && scores.output.contains("PSNR-Y of 1 image")
          && scores.output.contains("0.00 dB"),
        "\(scores.output)\(scores.errors)")
      #expect(try desk.run(["bisect", "images", "--comparison-time", "0"] + builds).status == 64)
      // The system's own libraries may be one end of a search, and nothing else.
      let own = ["--build", "now=system", "--build", "b=two"]
      for what in [
        ["--of", "bytes,encode", "--codec", "jpeg", "--rounds", "5"], ["--as-found", "--rounds", "5"],
      ] {
        let found = try desk.run(["bisect", "images"] + what + own)
        #expect(found.status == 0 && found.errors.contains("of now and b"), "\(found.output)\(found.errors)")
      }
      let twice = try desk.run(["bisect", "images", "--build", "now=system", "--build", "old=system"])
      #expect(twice.status == 64 && twice.errors.contains("named twice"), "\(twice.errors)")
      let refused = try desk.run(["images", "--codec", "jpeg@now", "--build", "now=system"])
      #expect(
        refused.status == 64 && refused.errors.contains("do not need a build"), "\(refused.errors)")
    }

    @Test("are compared by what can be, even if an image is too small for a score")
    func partlySearched() throws {
      let builds = try twoBuilds(side: 4)
      let part = try desk.run(["bisect", "images", "--of", "bytes,score", "--codec", "jpeg"] + builds)
      #expect(
        part.status == 3 && part.output.contains("Bytes: no change.") && part.errors.contains("has no value"),
        "\(part.output)\(part.errors)")
    }

    @Test("with the same content, without a use, or under an unknown name are refused")
    func misused() throws {
      try desk.writeImage("images/a.ppm")
      try build("one", try MappedJPEG.bytes(buildID: [1, 1, 1, 1]))
      try build("two", try MappedJPEG.bytes(buildID: [1, 1, 1, 1]))
      let cases: [(arguments: [String], says: String)] = [
        (
          ["--build", "a=one", "--build", "b=two", "--codec", "jpeg@a", "--codec", "jpeg@b"],
          "the same libraries"
        ),
        (["--build", "a=one", "--codec", "jpeg"], "no --codec uses build “a”"),
        (["--build", "alpha=one", "--codec", "jpeg@alpa"], "did you mean “alpha”"),
        (["--codec", "jpeg@a"], "--build a=FOLDER"), (["--build", "one", "--codec", "jpeg"], "NAME=FOLDER"),
        (["--build", "a=one", "--codec", "jpeg@a:croma=444"], "did you mean “chroma”"),
      ]
      for (arguments, says) in cases {
        let result = try desk.run(["images"] + arguments)
        #expect(result.status == 64 && result.errors.contains(says), "\(result.errors)")
      }
    }
  }

  /// The libjpeg that this process has mapped, and libraries beside it.
  enum MappedJPEG {
    /// The bytes of libjpeg, or of another library in its folder. A build id makes it a different file that calls
    /// itself the same.
    static func bytes(of library: String = "libjpeg.so.62", buildID: [UInt8]?) throws -> [UInt8] {
      // A file that the kernel generates has no size, which Data would need to read it.
      let handle = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
      let maps = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
      let line = try #require(maps.split(separator: "\n").first { $0.contains("/libjpeg.so.62") })
      let path = String(line[try #require(line.firstIndex(of: "/"))...])
      let folder = URL(filePath: path).deletingLastPathComponent()
      var file = [UInt8](try Data(contentsOf: folder.appending(path: library)))
      guard let buildID else { return file }
      let note: [UInt8] = [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8)
      let start = try #require(file.firstRange(of: note)?.upperBound)
      file.replaceSubrange(start..<start + buildID.count, with: buildID)
      return file
    }
  }
#endif
