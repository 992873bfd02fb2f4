/// Which of the kernel's sandboxes hold a worker. What a kernel lacks is left out, and shows here.
package struct SandboxStatus: Sendable, Hashable, Codable {
  /// The version of Landlock in force, 0 where there is none.
  package var landlock: Int
  /// Whether the seccomp filter is in force, for all threads.
  package var seccomp: Bool

  /// States what is in force.
  package init(landlock: Int, seccomp: Bool) { (self.landlock, self.seccomp) = (landlock, seccomp) }

  /// For people: `Landlock 4, seccomp`, or `none`.
  package var summary: String {
    var parts: [String] = []
    if landlock > 0 { parts.append("Landlock \(landlock)") }
    if seccomp { parts.append("seccomp") }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// The names of what is not in force; nil where nothing is missing.
  package var lacking: String? {
    let names = [landlock > 0 ? nil : "Landlock", seccomp ? nil : "seccomp"].compactMap(\.self)
    return names.isEmpty ? nil : names.joined(separator: " and ")
  }

  /// What holds all of several workers; nil for none.
  package static func common(_ all: some Sequence<SandboxStatus>) -> SandboxStatus? {
    all.reduce(nil) { common, next in
      SandboxStatus(
        landlock: min(common?.landlock ?? next.landlock, next.landlock),
        seccomp: common?.seccomp != false && next.seccomp)
    }
  }
}
