import Model

package enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+".unicodeScalars)

  package static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
    // Control characters would act on the terminal that shows the line.
    if word.unicodeScalars.contains(where: isControl) {
      return "$'" + word.unicodeScalars.map(escaped).joined() + "'"
    }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  /// A character within Bash's `$'…'`.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if isControl(scalar) { return #"\u"# + [UInt8(0), UInt8(scalar.value)].hexadecimal }
    return #"'\"#.unicodeScalars.contains(scalar) ? #"\"# + String(scalar) : String(scalar)
  }

  package static let listMark = "--files "

  /// The roots of a run as arguments. One that looks like an option becomes a path: results may come from a stranger.
  package static func arguments(ofRoots roots: [String]) -> [String] {
    roots.flatMap { root in
      root.hasPrefix(listMark) ? ["--files", path(String(root.dropFirst(listMark.count)))] : [path(root)]
    }
  }

  package static func sweep(of roots: [String], _ words: [String]) -> String {
    (["heicbench"] + arguments(ofRoots: roots) + words).map(quoted).joined(separator: " ")
  }

  package static func path(_ path: String) -> String {
    path.hasPrefix("-") && path != "-" ? "./" + path : path
  }
}
