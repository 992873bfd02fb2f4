import CProcessShim
import Foundation
package import Model

/// The machine that this process runs on, as far as it affects times.
package enum CurrentMachine {
  package static func describe() -> MachineDescription {
    let info = ProcessInfo.processInfo
    return MachineDescription(
      host: info.hostName, system: system, processor: processor,
      cores: MachineCores.count, memoryBytes: MachineMemory().bytes,
      governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      quotaCores: quota,
      loadAverage: loadAverage)
  }

  /// Processes that run or wait for a core, averaged over a minute; nil if the system does not say.
  package static var loadAverage: Double? {
    line("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) }
  }

  /// Distribution and kernel: `Debian GNU/Linux 12 (bookworm), Linux 6.1.0`.
  private static var system: String {
    let name = SmallFile.text(at: "/etc/os-release")?.split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
    let distribution = name ?? ProcessInfo.processInfo.operatingSystemVersionString
    let kernel = line("/proc/sys/kernel/osrelease")
    return distribution + (kernel.map { ", Linux \($0)" } ?? "")
  }

  private static var processor: String {
    let lines = SmallFile.text(at: "/proc/cpuinfo")?.split(separator: "\n") ?? []
    // Intel and AMD have a model name; many ARM machines name only the architecture.
    for key in ["model name", "Model", "Hardware", "CPU architecture"] {
      guard let line = lines.first(where: { $0.hasPrefix(key) }), let colon = line.firstIndex(of: ":") else {
        continue
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      if !value.isEmpty { return key == "CPU architecture" ? "ARM v\(value)" : value }
    }
    return "unknown"
  }

  private static var quota: Double? {
    let group = SmallFile.text(at: "/proc/self/cgroup")?.split(separator: "\n")
      .first { $0.hasPrefix("0::") }?.dropFirst(3)
    return leastQuota(of: group ?? "/") { line("/sys/fs/cgroup\($0)cpu.max") }
  }

  /// The least limit in cores of a control group and its ancestors, each `max 100000` or `150000 100000` in version 2;
  /// nil if there is none.
  static func leastQuota(of group: Substring, limit: (_ folder: String) -> String?) -> Double? {
    MachineMemory.ancestors(of: group).compactMap { folder -> Double? in
      let parts = limit(folder)?.split(separator: " ").compactMap { Double($0) }
      guard let parts, parts.count == 2, parts[1] > 0 else { return nil }
      return parts[0] / parts[1]
    }.min()
  }

  private static func line(_ path: String) -> String? {
    SmallFile.text(at: path)?.split(separator: "\n").first.map(String.init)
  }
}

package enum MachineCores {
  /// At least 1.
  package static var count: Int {
    let allowed = allowed
    return allowed.isEmpty ? max(1, ProcessInfo.processInfo.activeProcessorCount) : allowed.count
  }

  /// The cores' numbers in ascending order; empty if the system does not say.
  package static var allowed: [Int] {
    var cores = [Int32](repeating: 0, count: 1024)
    let count = hb_allowed_cores(&cores, cores.count)
    return cores.prefix(count).map { Int($0) }
  }
}

package enum Disk {
  /// Waits until the files next to and below a folder are on disk according to the system: one call for many files,
  /// since syncing each would take longer than writing it.
  package static func wait(for folder: String) { hb_sync_file_system(folder.isEmpty ? "." : folder) }
}
