/// Reads source files by the bytes of their paths, in the parent and in its children alike.
package enum SourceFile {
  /// The largest file that is read as a whole, 2 GiB: room for 300 megapixels of 16-bit RGB.
  package static let largestFile = 1 << 31
  /// How much of a file is looked at for its header where the rest is only hashed, 32 MiB: a JPEG with the
  /// longest profile there can be has its frame header within the first 17 MB, others far before.
  package static let headLength = 1 << 25

  /// The bytes of a regular file. Follows links, and never blocks on a FIFO or touches a device.
  package static func bytes(at path: [UInt8]) throws(Failure) -> [UInt8] {
    do {
      let file = try FileSystem.open(path)
      let status = try file.status()
      guard status.kind == .file else { throw Failure(kind: .source, message: "is no regular file") }
      guard status.size <= largestFile else { throw tooLarge(status.size) }
      var bytes: [UInt8] = []
      try file.read(status.size, into: &bytes)
      return bytes
    } catch let error as SystemError {
      throw Failure(kind: .source, message: "cannot be read: \(error)")
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(kind: .source, message: "cannot be read: \(error)")
    }
  }

  package static func tooLarge(_ size: Int) -> Failure {
    Failure(
      kind: .limit, message: "has \(size) bytes, more than the \(largestFile) that are read of one file")
  }
}
