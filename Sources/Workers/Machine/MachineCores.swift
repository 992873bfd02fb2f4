import CProcessShim
import Foundation

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
