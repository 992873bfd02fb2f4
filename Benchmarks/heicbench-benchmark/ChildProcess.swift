import Foundation

/// The cost of running a program to its end.
struct ChildProcess {
  /// User and system time in seconds.
  let cpuSeconds: Double
  /// Elapsed time from start to end.
  let wallSeconds: Double
  /// What it wrote to standard output.
  let output: String
  let succeeded: Bool

  /// Runs a program. Its time is what this process's finished children have used since before.
  init(_ program: String, _ arguments: [String]) throws {
    let (before, start) = (Self.childrenSeconds(), ContinuousClock.now)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    output = String(decoding: data, as: UTF8.self)
    succeeded = process.terminationStatus == 0
    wallSeconds = (ContinuousClock.now - start) / .seconds(1)
    cpuSeconds = Self.childrenSeconds() - before
  }

  private static func childrenSeconds() -> Double {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_CHILDREN, &usage)
    #else
      getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    #endif
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
