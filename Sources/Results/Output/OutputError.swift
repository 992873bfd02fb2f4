import Foundation

/// An output file cannot be written. Whatever stood under its name before is still there, whole.
public struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file that was to be written.
  public let path: String
  /// What was tried: `create`, `write`, `flush` or `replace`.
  public let operation: String
  /// The system's error number.
  public let code: Int32

  /// Describes a failure by the system's error number.
  public init(path: String, operation: String, code: Int32) {
    self.path = path
    self.operation = operation
    self.code = code
  }

  /// A sentence with the file, the system's reason and what helps.
  public var description: String {
    "cannot \(operation) “\(path)”: \(String(cString: strerror(code))). \(advice)"
  }

  private var advice: String {
    switch code {
    case ENOSPC, EDQUOT: "Make room and run the same command again; what was measured is kept."
    case EACCES, EPERM, EROFS: "Choose a folder that may be written to."
    case ENOENT, ENOTDIR: "Its folder does not exist."
    default: "What stood there before is unchanged."
    }
  }
}
