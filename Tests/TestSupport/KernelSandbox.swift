import CEscape
import Foundation

/// The sandboxes of this machine's kernel, queried without the code of the tested program. If it has one, it must
/// restrict a worker.
package enum KernelSandbox {
  /// The version of Landlock; 0 without Landlock.
  package static let landlock: Int = {
    #if os(Linux)
      // landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION)
      return max(0, hb_call(444, [0, 0, 1, 0, 0, 0]))
    #else
      return 0
    #endif
  }()

  /// Whether system calls can be filtered.
  package static let hasSeccomp: Bool = {
    let actions = try? String(contentsOfFile: "/proc/sys/kernel/seccomp/actions_avail", encoding: .utf8)
    return actions?.contains("errno") == true
  }()

  /// Whether the whole sandbox works, which it does only without a sanitizer.
  package static let isWhole = landlock > 0 && hasSeccomp && !Sanitizer.isPresent

  /// The reason that a test which needs a sandbox prints when it is skipped.
  package static let isMissing =
    "SKIPPED: this kernel lacks Landlock or seccomp, or a sanitizer needs what they take"
}
