/// Words as a POSIX shell takes them.
package enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+".unicodeScalars)

  /// The word itself where it means itself, else in quotes.
  package static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  /// What stands before the name of a list among the roots that a run was made of.
  package static let listMark = "--files "

  /// The roots of a run as arguments. Results may come from a stranger, so that a root which looks like an option is
  /// shown as the path that it is, and none becomes one.
  package static func arguments(ofRoots roots: [String]) -> [String] {
    roots.flatMap { root in
      root.hasPrefix(listMark) ? ["--files", path(String(root.dropFirst(listMark.count)))] : [path(root)]
    }
  }

  /// A path as an argument that is no option.
  package static func path(_ path: String) -> String {
    path.hasPrefix("-") && path != "-" ? "./" + path : path
  }
}
