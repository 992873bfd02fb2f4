import Foundation

/// The peak of this process's resident memory since it was last reset.
enum MemoryMeter {
  /// Resets the peak if the system can (Linux: `man 5 proc`, clear_refs).
  static func reset() {
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
    try? file.write(contentsOf: Data("5".utf8))
    try? file.close()
  }

  /// The peak in MiB; without `/proc`, that of the whole process so far.
  static func peakMiB() -> Double {
    if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = Double(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "")
    {
      return kibibytes / 1024
    }
    return largestResidentMiB(RUSAGE_SELF)
  }
}

extension MemoryMeter {
  /// The largest resident memory of a finished child of this process, in MiB.
  static func peakOfChildrenMiB() -> Double { largestResidentMiB(RUSAGE_CHILDREN) }

  #if canImport(Darwin)
    private static func largestResidentMiB(_ who: Int32) -> Double {
      var usage = rusage()
      getrusage(who, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    }
  #else
    private static func largestResidentMiB(_ who: __rusage_who) -> Double {
      var usage = rusage()
      getrusage(__rusage_who_t(who.rawValue), &usage)
      return Double(usage.ru_maxrss) / 1024
    }
  #endif
}

/// The cost of a phase of a benchmark.
struct Phase {
  let name: String
  let seconds: Double
  let cpuSeconds: Double
  let peakMiB: Double

  /// Runs a phase.
  static func measure(_ name: String, _ body: () throws -> Void) rethrows -> Phase {
    MemoryMeter.reset()
    let before = CPUClock.seconds()
    let time = try ContinuousClock().measure(body)
    return Phase(
      name: name, seconds: time / .seconds(1), cpuSeconds: CPUClock.seconds() - before,
      peakMiB: MemoryMeter.peakMiB())
  }
}
