import Foundation

/// An output file cannot be written. Whatever stood under its name before is still there, whole.
package struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What stands under a name that heicbench wants to write, and that it did not write there.
  package enum Obstacle: Sendable, Hashable {
    /// A file, link or folder that is none of ours.
    case foreign
    /// A file of ours that somebody has changed since.
    case changed
    /// A symbolic link.
    case link
    /// A FIFO, socket, device or folder where a file should be.
    case notAFile
    /// Something that is no folder, where a folder should be.
    case notAFolder
  }

  /// The file that was to be written.
  package let path: String
  /// What was tried: `create`, `write`, `flush`, `replace` or `open`.
  package let operation: String
  /// The system's error number; EEXIST for something in the way.
  package let code: Int32
  /// What is in the way; nil where the system refused.
  package let obstacle: Obstacle?
  /// How many more files are in the way.
  package var others = 0

  /// Whether only this file cannot be written, and others beside it can: something stands under its name, or the name is
  /// too long.
  package var concernsItsNameAlone: Bool { obstacle != nil || code == ENAMETOOLONG }

  /// Describes a failure by the system's error number.
  package init(path: String, operation: String, code: Int32) {
    self.path = path
    self.operation = operation
    self.code = code
    obstacle = nil
  }

  /// Describes what is in the way.
  package init(path: String, inTheWay obstacle: Obstacle) {
    self.path = path
    operation = "replace"
    code = EEXIST
    self.obstacle = obstacle
  }

  /// A sentence with the file, the reason and what helps.
  package var description: String {
    guard let obstacle else {
      return "cannot \(operation) “\(path)”: \(String(cString: strerror(code))). \(advice)"
    }
    let more = others == 0 ? "" : ", and \(others) more"
    return
      "“\(path)” is in the way\(more): \(Self.reason(obstacle)). Move it away, or choose another folder. "
      + "It was left as it is."
  }

  private static func reason(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .foreign: "heicbench did not write it"
    case .changed: "it was changed since heicbench wrote it"
    case .link: "it is a link, and heicbench writes through none"
    case .notAFile: "it is no regular file"
    case .notAFolder: "a folder should be there, and no link"
    }
  }

  private var advice: String {
    switch code {
    case ENOSPC, EDQUOT: "Make room and run the same command again."
    case EACCES, EPERM, EROFS: "Choose a folder that may be written to."
    case ENOENT, ENOTDIR: "Its folder does not exist."
    default: "What stood there before is unchanged."
    }
  }
}
