import Foundation
import Model

/// Text for a later place, such as the second table of a document; long text goes to a temporary file meanwhile.
final class TextSpool {
  private static let limit = 1 << 20
  private static let pieceLength = 1 << 16

  private var buffer = TextBuffer()
  private var file: (folder: ScratchFolder, handle: FileHandle)?

  func add(_ write: (inout TextBuffer) -> Void) throws {
    write(&buffer)
    if buffer.bytes.count >= (file == nil ? Self.limit : Self.pieceLength) { try flush() }
  }

  private func flush() throws {
    let handle = try file?.handle ?? open()
    try handle.write(contentsOf: Data(buffer.bytes))
    buffer = TextBuffer()
  }

  private func open() throws -> FileHandle {
    let folder = try ScratchFolder()
    let path = folder.path + "/text"
    try ScratchFile.write([], to: path)
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    file = (folder, handle)
    return handle
  }

  func copy(to output: inout some TextOutputStream) throws {
    if let handle = file?.handle {
      try flush()
      try handle.seek(toOffset: 0)
      // A piece may end within a character; a line does not.
      var rest = Data()
      while let piece = try handle.read(upToCount: Self.pieceLength), !piece.isEmpty {
        rest += piece
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
        output.write(String(decoding: rest[...end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
      output.write(String(decoding: rest, as: UTF8.self))
    }
    buffer.flush(to: &output)
  }
}
