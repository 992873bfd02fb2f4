#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The priority of workers, as set by the shell's `nice`.
  struct NicenessTests {
    @Test(arguments: [([String](), 7), (["--nice"], 17)])
    func workersKeepThePriorityOfTheirProgram(options: [String], expected: Int) throws {
      let desk = try ProgramDesk()
      for number in 0..<3 {
        try desk.writeImage("images/\(number).ppm", width: 128, height: 128, seed: UInt64(number))
      }
      let program = desk.program.executable.path
      let process = BuiltProgram(URL(filePath: "/usr/bin/nice")).process(
        ["-n", "7", program, "images", "--codec", "heic", "--images", "none", "--quiet", "--refine", "off"]
          + ["--qualities", "0.2...0.9:0.1", "--metrics", "psnr-y"] + options,
        in: desk.folder.url)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      var seen: Set<Int> = []
      while process.isRunning {
        seen.formUnion(Self.workers(of: process.processIdentifier))
        // Polling without a pause would take the workers' CPU time, since they yield to it, and use up memory in
        // Foundation.
        usleep(5_000)
      }
      #expect(process.terminationStatus == 0)
      #expect(seen == [expected])
    }

    /// The `nice` values of a program's workers.
    private static func workers(of program: Int32) -> [Int] {
      let tasks = "/proc/\(program)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      let workers = threads.flatMap { thread in
        ((try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)) ?? "")
          .split(separator: " ").map(String.init)
      }
      return workers.compactMap(niceness)
    }

    /// Nil if the process is not a worker. Before its program begins, a child is a copy of its parent whose priority
    /// has not been set yet.
    private static func niceness(_ process: String) -> Int? {
      let line = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
      guard line.contains("worker") else { return nil }
      let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 16 ? Int(fields[16]) : nil
    }
  }
#endif
