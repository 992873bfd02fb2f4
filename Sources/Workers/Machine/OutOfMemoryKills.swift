/// The number of processes that the kernel has killed for lack of memory since the machine started.
enum OutOfMemoryKills {
  /// The counter `oom_kill` of `/proc/vmstat`, which includes control groups; nil if there is none.
  static func count(text: String? = SmallFile.text(at: "/proc/vmstat")) -> Int? {
    let line = text?.split(separator: "\n").first { $0.hasPrefix("oom_kill ") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }
}
