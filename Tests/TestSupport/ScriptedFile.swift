import CodecKit
import Foundation
package import Model

/// A scripted image in a folder.
package struct ScriptedFile {
  package let identity: ImageIdentity
  package let path: String
  package let bytes: Int
  package let header: ImageHeader

  /// Writes images with these accidents (`nothing` for an intact one), each one row taller than the last.
  package static func write(
    _ accidents: [String], side: Int, into folder: TemporaryFolder
  ) throws -> [ScriptedFile] {
    try accidents.enumerated().map { index, accident in
      let bytes = ScriptedReader.file(width: side, height: side + index, accident: accident)
      let path = "\(folder.path)/image \(index)"
      try Data(bytes).write(to: URL(filePath: path))
      return ScriptedFile(
        identity: ImageIdentity(name: "image \(index)", contentHash: SHA256.hexDigest(of: bytes)), path: path,
        bytes: bytes.count, header: try ScriptedReader().header(of: bytes))
    }
  }
}
