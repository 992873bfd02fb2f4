import Foundation

/// The clocks for measurements and deadlines, unaffected by changes to the time of day and by the machine's sleep.
package enum MonotonicClock {
  /// Elapsed time since an arbitrary moment, nanoseconds.
  package static func now() -> Int64 {
    #if os(Linux)
      read(CLOCK_MONOTONIC)
    #else
      read(CLOCK_UPTIME_RAW)
    #endif
  }

  /// Elapsed time since `start`, a value of `now`, in seconds.
  package static func seconds(since start: Int64) -> Double { Double(now() - start) / 1e9 }

  static func deadline(in seconds: Double) -> Int64 { now() + Int64(min(seconds, 1e9) * 1e9) }

  /// CPU time of this process with all its threads, nanoseconds.
  package static func processCPU() -> Int64 {
    // With a CPU limit (`ulimit -t`), Linux advances the process's clock only at timer ticks, so a short call seems to take
    // no time. Reading the thread's clock first makes the kernel add this thread's time. Stopped threads are counted.
    _ = read(CLOCK_THREAD_CPUTIME_ID)
    return read(CLOCK_PROCESS_CPUTIME_ID)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
