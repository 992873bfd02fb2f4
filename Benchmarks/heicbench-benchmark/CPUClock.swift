import Foundation

/// The CPU clock of this process.
enum CPUClock {
  /// The CPU seconds of all threads together. Unlike elapsed time, they depend little on what else the machine does.
  static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
