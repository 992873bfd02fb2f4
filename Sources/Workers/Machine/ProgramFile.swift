import Foundation
import Model

package enum ProgramFile {
  /// The path of a program: a name with a slash as it is, otherwise the first executable of that name along `PATH`; nil
  /// if there is none.
  static func path(
    of name: String, search: String? = ProcessInfo.processInfo.environment["PATH"]
  ) -> String? {
    guard !name.contains("/") else { return name }
    // The default of execvp if the variable is not set.
    let folders = (search ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
    return folders.lazy.map { $0.isEmpty ? "./\(name)" : "\($0)/\(name)" }.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  /// Identifies a command by 16 hexadecimal digits: a digest of its words, the program's contents, and the contents of
  /// every argument that is a file, such as an interpreter's script. Other files that it loads are not included.
  package static func digest(of words: [String]) -> String {
    let files = words.enumerated().map { index, word in
      (index == 0 ? path(of: word) : word).flatMap(contentHash) ?? "-"
    }
    // Lengths keep the words apart, whatever they contain.
    let spelling = zip(words, files).map { "\($0.utf8.count):\($0)=\($1)" }.joined(separator: ",")
    return String(SHA256.hexDigest(of: Array(spelling.utf8)).prefix(16))
  }

  private static func contentHash(_ path: String) -> String? {
    guard let file = try? FileSystem.open(Array(path.utf8)), let status = try? file.status(),
      status.kind == .file
    else { return nil }
    var hash = SHA256()
    var done = 0
    while done < status.size {
      var piece: [UInt8] = []
      guard (try? file.read(min(1 << 20, status.size - done), into: &piece)) != nil, !piece.isEmpty else {
        break
      }
      hash.update(piece)
      done += piece.count
    }
    return hash.hexDigest
  }
}
