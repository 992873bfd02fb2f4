import Foundation

/// The process's highest resident memory since it was last reset.
///
/// Linux resets the mark when “5” is written to `/proc/self/clear_refs` (proc(5)). Where that cannot be done
/// the mark is the highest of the process's whole life.
final class PeakMemory {
  private let reset: Int32

  /// Opens what resets the mark: do so before a fence takes that away.
  init() { reset = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC) }

  deinit { if reset >= 0 { close(reset) } }

  /// Starts again from what is resident now.
  func restart() {
    if reset >= 0 { _ = write(reset, "5", 1) }
  }

  /// The mark in bytes; nil where the system does not tell.
  func highest() -> Int? {
    if let status = SmallFile.text(at: "/proc/self/status"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
        Int($0)
      })
    {
      return kilobytes * 1024
    }
    var usage = rusage()
    #if os(Linux)
      let whole = RUSAGE_SELF.rawValue
      let unit = 1024
    #else
      let whole = RUSAGE_SELF
      let unit = 1
    #endif
    return getrusage(__rusage_who_t(whole), &usage) == 0 ? usage.ru_maxrss * unit : nil
  }
}
