/// How often the kernel has killed a process for want of memory since the machine started.
enum OutOfMemoryKills {
  /// The counter `oom_kill` of `/proc/vmstat`, which counts those of control groups too; nil where there is
  /// none.
  static func count(text: String? = SmallFile.text(at: "/proc/vmstat")) -> Int? {
    let line = text?.split(separator: "\n").first { $0.hasPrefix("oom_kill ") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }
}
