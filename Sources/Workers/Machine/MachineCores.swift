import CProcessShim
import Foundation

/// The cores that this process may run on.
package enum MachineCores {
  /// How many there are, at least 1.
  package static var count: Int {
    let allowed = allowed
    return allowed.isEmpty ? max(1, ProcessInfo.processInfo.activeProcessorCount) : allowed.count
  }

  /// Their numbers in ascending order; empty where the system does not tell.
  package static var allowed: [Int] {
    var cores = [Int32](repeating: 0, count: 1024)
    let count = hb_allowed_cores(&cores, cores.count)
    return cores.prefix(count).map { Int($0) }
  }
}
