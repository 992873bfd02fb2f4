import CProcessShim
import Foundation
package import Model

/// The machine that this process runs on, as far as it affects times.
package enum CurrentMachine {
  package static func describe() -> MachineDescription { describe(root: "") }

  /// Reads the files of Linux below `root`, which is empty except in tests.
  static func describe(root: String) -> MachineDescription {
    let info = ProcessInfo.processInfo
    return MachineDescription(
      host: info.hostName, system: system(root: root), processor: processor(root: root),
      cores: MachineCores.count, memoryBytes: MachineMemory(root: root).bytes,
      governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", root),
      quotaCores: quota(root: root), loadAverage: load(root: root))
  }

  /// Distribution and kernel: `Debian GNU/Linux 12 (bookworm), Linux 6.1.0`.
  private static func system(root: String) -> String {
    let name = SmallFile.text(at: root + "/etc/os-release")?.split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
    let distribution = name ?? ProcessInfo.processInfo.operatingSystemVersionString
    let kernel = line("/proc/sys/kernel/osrelease", root)
    return distribution + (kernel.map { ", Linux \($0)" } ?? "")
  }

  private static func processor(root: String) -> String {
    let lines = SmallFile.text(at: root + "/proc/cpuinfo")?.split(separator: "\n") ?? []
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
  private static func quota(root: String) -> Double? {
    let group = SmallFile.text(at: root + "/proc/self/cgroup")?.split(separator: "\n")
      .first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) }
    let folders = [group ?? "/", "/"].map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    for folder in folders {
      let parts = line("/sys/fs/cgroup\(folder)cpu.max", root)?.split(separator: " ").compactMap {
        Double($0)
      }
      if let parts, parts.count == 2, parts[1] > 0 { return parts[0] / parts[1] }
    }
    return nil
  }

  private static func load(root: String) -> Double? {
    line("/proc/loadavg", root)?.split(separator: " ").first.flatMap { Double($0) }
  }

  private static func line(_ path: String, _ root: String) -> String? {
    SmallFile.text(at: root + path)?.split(separator: "\n").first.map(String.init)
  }
}

package enum MachineCores {
  /// At least 1.
  package static var count: Int {
    let allowed = allowed
    return allowed.isEmpty ? max(1, ProcessInfo.processInfo.activeProcessorCount) : allowed.count
  }

  /// Their numbers in ascending order; empty if the system does not tell.
  package static var allowed: [Int] {
    var cores = [Int32](repeating: 0, count: 1024)
    let count = hb_allowed_cores(&cores, cores.count)
    return cores.prefix(count).map { Int($0) }
  }
}

package enum Disk {
  /// Waits until the files beside and below a folder are on its disk, as far as the system tells: one call for many
  /// files, since syncing each would take longer than making it.
  package static func wait(for folder: String) { hb_sync_file_system(folder.isEmpty ? "." : folder) }
}
