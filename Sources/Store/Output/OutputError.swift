import Foundation

/// A failure to write an output file. Any previous file with that name is intact.
package struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Something with the needed name that heicbench did not write.
  package enum Obstacle: Sendable, Hashable {
    case foreign
    /// Any file, where existing files must not be replaced.
    case there
    case changed
    case link
    /// A FIFO, socket, device or folder instead of a file.
    case notAFile
    case notAFolder
  }

  package let path: String
  /// The failed operation: `create`, `write`, `flush`, `replace`, `open` or `lock`.
  package let operation: String
  /// The value of `errno`; EEXIST for an obstacle.
  package let code: Int32
  package var obstacle: Obstacle?
  package var others = 0

  /// True if other files in the folder can still be written: only this name is taken or too long.
  package var concernsItsNameAlone: Bool { obstacle != nil || code == ENAMETOOLONG }

  package var description: String {
    guard let obstacle else {
      return "cannot \(operation) “\(path)”: \(String(cString: strerror(code))). \(advice)"
    }
    let more = others == 0 ? "" : ", and \(others) more"
    return
      "“\(path)” is in the way\(more): \(Self.reason(obstacle)). Move it elsewhere, or choose another "
      + "\(obstacle == .there ? "name" : "folder"). It was left as it is."
  }

  private static func reason(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .foreign: "heicbench did not write it"
    case .there: "heicbench does not replace your files"
    case .changed: "it has changed since heicbench wrote it"
    case .link: "it is a link, and heicbench does not write through links"
    case .notAFile: "it is not a regular file"
    case .notAFolder: "it must be a folder, and not a link"
    }
  }

  private var advice: String {
    switch code {
    case ENOSPC, EDQUOT: "Free some space and run the same command again."
    case EACCES, EPERM, EROFS: "Choose a writable folder."
    case EWOULDBLOCK: "Another program is writing to it. Try again."
    case ENOENT, ENOTDIR: "Its folder does not exist."
    default: "Any previous file is unchanged."
    }
  }
}

extension OutputError {
  init(path: String, inTheWay obstacle: Obstacle) {
    self.init(path: path, operation: "replace", code: EEXIST, obstacle: obstacle)
  }
}
