import Foundation
import Model

/// The files that stand behind the words of a command.
package enum ProgramFile {
  /// The file that a program's name means: a path with a slash as it is, else the first of that name along `PATH`
  /// that may be executed; nil where there is none.
  static func path(
    of name: String, search: String? = ProcessInfo.processInfo.environment["PATH"]
  ) -> String? {
    guard !name.contains("/") else { return name }
    // What execvp takes where the variable is missing.
    let folders = (search ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
    return folders.lazy.map { $0.isEmpty ? "./\(name)" : "\($0)/\(name)" }.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  /// What a command is known by, 16 hexadecimal digits: a digest of its words, of the contents of the program, and
  /// of the contents of every argument that is a file, as the script of an interpreter is. What these load further
  /// is not seen.
  package static func digest(of words: [String]) -> String {
    let files = words.enumerated().map { index, word in
      (index == 0 ? path(of: word) : word).flatMap(contentHash) ?? "-"
    }
    // Lengths keep the words apart, whatever is in them.
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
