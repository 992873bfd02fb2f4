import Foundation

/// A private folder that goes with everything in it.
final class ScratchFolder: Sendable {
  /// Where it is.
  let path: String

  /// Makes a new folder that nobody else may look into.
  init() throws(WorkerStartError) {
    let template = FileManager.default.temporaryDirectory.path + "/heicbench-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard mkdtemp(&bytes) != nil else {
      throw WorkerStartError(description: "cannot make a folder like \(template): \(SystemError.last)")
    }
    path = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
