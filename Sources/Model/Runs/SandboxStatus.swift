/// The kernel sandboxes that confine a worker. A missing kernel feature is skipped, which shows here.
package struct SandboxStatus: Sendable, Hashable, Codable {
  /// The Landlock version in force, 0 for none.
  package var landlock: Int
  /// True if the seccomp filter is in force, for all threads.
  package var seccomp: Bool

  package init(landlock: Int, seccomp: Bool) { (self.landlock, self.seccomp) = (landlock, seccomp) }

  /// The status in words: `Landlock 4, seccomp`, or `none`.
  package var summary: String {
    var parts: [String] = []
    if landlock > 0 { parts.append("Landlock \(landlock)") }
    if seccomp { parts.append("seccomp") }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  package var lacking: String? {
    let names = [landlock > 0 ? nil : "Landlock", seccomp ? nil : "seccomp"].compactMap(\.self)
    return names.isEmpty ? nil : names.joined(separator: " and ")
  }

  /// The sandboxes that all workers have in common; nil for no workers.
  package static func common(_ all: some Sequence<SandboxStatus>) -> SandboxStatus? {
    all.reduce(nil) { common, next in
      SandboxStatus(
        landlock: min(common?.landlock ?? next.landlock, next.landlock),
        seccomp: common?.seccomp != false && next.seccomp)
    }
  }
}
