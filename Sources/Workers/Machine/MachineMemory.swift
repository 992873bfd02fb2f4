import Foundation
import Model

/// The memory available to this process: the machine's, or its control group's if that is less.
package struct MachineMemory: Sendable {
  /// Bytes; 0 if the system does not say.
  package let bytes: Int

  package init() { bytes = Self.groupLimits.reduce(Self.machine) { $0 == 0 ? $1 : min($0, $1) } }

  /// 80 % of the memory; the rest is for the system, its caches and the run itself. 2 GiB if unknown.
  var defaultBudget: Int { bytes == 0 ? 2 << 30 : bytes / 5 * 4 }

  private static var machine: Int {
    SmallFile.number("MemTotal:", in: SmallFile.text(at: "/proc/meminfo")).map { $0 * 1024 }
      ?? Int(clamping: ProcessInfo.processInfo.physicalMemory)
  }

  /// The memory limits of the process's control groups and all their ancestors. Version 2 writes `0::/path`, version 1
  /// `4:memory:/path`; an unlimited group says `max` or a number near 2^63.
  private static var groupLimits: [Int] {
    let lines = SmallFile.text(at: "/proc/self/cgroup")?.split(separator: "\n") ?? []
    return lines.flatMap { line -> [Int] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let isUnified = parts[0] == "0" && parts[1].isEmpty
      guard isUnified || parts[1].split(separator: ",").contains("memory") else { return [] }
      let base = "/sys/fs/cgroup" + (isUnified ? "" : "/memory")
      let file = isUnified ? "memory.max" : "memory.limit_in_bytes"
      return ancestors(of: parts[2]).compactMap { folder in
        let text = SmallFile.text(at: base + folder + file)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.flatMap { Int($0) }.flatMap { $0 < 1 << 60 ? $0 : nil }
      }
    }
  }

  /// `/`, `/a/` and `/a/b/` for `/a/b`.
  static func ancestors(of path: Substring) -> [String] {
    path.split(separator: "/").reduce(into: ["/"]) { found, name in
      found.append((found.last ?? "/") + name + "/")
    }
  }
}

/// The number of processes that the kernel has killed for lack of memory since the machine started.
enum OutOfMemoryKills {
  /// The counter `oom_kill` of `/proc/vmstat`, which includes control groups; nil if there is none.
  static func count(text: String? = SmallFile.text(at: "/proc/vmstat")) -> Int? {
    SmallFile.number("oom_kill ", in: text)
  }
}

/// Reads the small files under `/proc` and `/sys`, whose size is not known in advance.
enum SmallFile {
  static func text(at path: String) -> String? {
    var bytes: [UInt8] = []
    guard let file = try? FileSystem.open(Array(path.utf8)), (try? file.read(1 << 16, into: &bytes)) != nil
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number after a name at the start of a line. Searches bytes: workers do this several times for each point, and
  /// splitting lines took 1.5 % of the time of a short sweep.
  static func number(_ name: String, in text: String?) -> Int? {
    let bytes = Data("\n\(text ?? "")".utf8)
    let end = bytes.range(of: Data("\n\(name)".utf8))?.upperBound
    let rest = end.map { String(decoding: bytes[$0...].prefix(24), as: UTF8.self) }
    return rest?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }
}
