import CodecKit
import Workers

/// Describes files in the test's own process, with any registry.
struct OwnDescriber: FileDescriber {
  private let registry: CodecRegistry

  init(_ registry: CodecRegistry) { self.registry = registry }

  func describe(
    _ files: [FileToDescribe], as depth: FileDescription.Depth, progress: (_ done: Int) -> Void
  ) throws -> [FileDescription] {
    try files.map { file in
      // A worker's answers arrive packed.
      var packer = BytePacker()
      FileDescription(of: file.path, as: depth, by: registry).pack(into: &packer)
      var unpacker = ByteUnpacker(packer.bytes)
      return try FileDescription(from: &unpacker)
    }
  }
}
