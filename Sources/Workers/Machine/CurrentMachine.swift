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

  /// The control group's limit in cores: `max 100000` or `150000 100000` in version 2.
  private static var quota: Double? {
    let group = SmallFile.text(at: "/proc/self/cgroup")?.split(separator: "\n")
      .first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) }
    let folders = [group ?? "/", "/"].map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    for folder in folders {
      let parts = line("/sys/fs/cgroup\(folder)cpu.max")?.split(separator: " ").compactMap {
        Double($0)
      }
      if let parts, parts.count == 2, parts[1] > 0 { return parts[0] / parts[1] }
    }
    return nil
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
