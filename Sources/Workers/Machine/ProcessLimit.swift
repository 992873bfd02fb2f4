/// A limit that this process has inherited (`ulimit`).
package enum ProcessLimit: String, Sendable {
  /// Private memory, bytes.
  case data = "Max data size"
  case openFiles = "Max open files"

  /// The limit in force; nil if there is none, or if the system does not say.
  package var soft: Int? { value(0) }

  /// The limit up to which the process may raise its own.
  package var hard: Int? { value(1) }

  private func value(_ column: Int) -> Int? {
    value(column, in: SmallFile.text(at: "/proc/self/limits") ?? "")
  }

  /// Reads a column of `/proc/self/limits`.
  func value(_ column: Int, in text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.hasPrefix(rawValue + " ") }
    return line?.dropFirst(rawValue.count).split(separator: " ").dropFirst(column).first.flatMap { Int($0) }
  }
}
