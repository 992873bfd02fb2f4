/// Reasons for having no corpus at all. A single bad file is not an error; see `PassedOver`.
package enum CorpusError: Error, Sendable, Hashable {
  /// A named root does not exist.
  case missing(root: String)
  /// A named root cannot be read; the reason is the system's.
  case unreadable(root: String, reason: String)
  /// A named root is a FIFO, socket or device.
  case notFileOrFolder(root: String)
  /// The list of files cannot be read; the reason is the system's.
  case unreadableList(name: String, reason: String)
}

extension CorpusError: CustomStringConvertible {
  /// The problem and its remedy in one or two sentences.
  package var description: String {
    switch self {
    case .missing(let root): "“\(root)” does not exist; give image files, or folders that hold some"
    case .unreadable(let root, let reason): "“\(root)” cannot be read: \(reason)"
    case .notFileOrFolder(let root):
      "“\(root)” is neither a file nor a folder; give image files, or folders that hold some"
    case .unreadableList(let name, let reason):
      "the list of files “\(name)” cannot be read: \(reason); give a text file with a path a line, or - "
        + "for standard input"
    }
  }
}
