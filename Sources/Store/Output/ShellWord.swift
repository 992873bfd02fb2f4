import Model

package enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+".unicodeScalars)

  package static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
    if PlainText.line(word) != word { return "$'" + word.unicodeScalars.map(escaped).joined() + "'" }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  /// A path or name as `ImageName` spells it, for Bash to read as the bytes that its escapes stand for.
  package static func quotedPath(_ path: String) -> String {
    guard ImageName.path(of: path) != Array(path.utf8) else { return quoted(path) }
    return "$'" + path.replacing("'", with: #"\'"#) + "'"
  }

  /// A character within Bash's `$'…'`, written as a number if it would control the terminal that shows the line.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let text = String(scalar)
    if PlainText.line(text) != text {
      return #"\U"# + withUnsafeBytes(of: scalar.value.bigEndian, \.hexadecimal)
    }
    return #"'\"#.contains(text) ? #"\"# + text : text
  }

  package static let listMark = "--files "

  /// The roots of a run as arguments. A root that looks like an option becomes a path, because results may come from a
  /// stranger.
  package static func arguments(ofRoots roots: [String]) -> [String] {
    roots.flatMap { root in
      root.hasPrefix(listMark) ? ["--files", path(String(root.dropFirst(listMark.count)))] : [path(root)]
    }
  }

  package static func sweep(of roots: [String], _ words: [String]) -> String {
    (["heicbench"] + arguments(ofRoots: roots).map(quotedPath) + words.map(quoted)).joined(separator: " ")
  }

  package static func path(_ path: String) -> String {
    path.hasPrefix("-") && path != "-" ? "./" + path : path
  }
}
