/// Which of the kernel's sandboxes hold a worker. What a kernel lacks is left out, and shows here.
package struct SandboxStatus: Sendable, Hashable, Codable {
  /// The version of Landlock in force, 0 where there is none.
  package var landlock: Int
  /// Whether the seccomp filter is in force.
  package var seccomp: Bool

  /// For people: `landlock 4, seccomp`, or `none`.
  package var summary: String {
    var parts: [String] = []
    if landlock > 0 { parts.append("landlock \(landlock)") }
    if seccomp { parts.append("seccomp") }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}
