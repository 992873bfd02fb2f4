/// Reads source files by the bytes of their paths, in the parent and its children alike.
package enum SourceFile {
  /// The largest file that is read as a whole, 2 GiB: enough for 300 megapixels of 16-bit RGB.
  package static let largestFile = 1 << 31
  /// The number of bytes to search for a header if the rest is only hashed, 32 MiB: a JPEG with the longest possible
  /// profile has its frame header within the first 17 MB, other formats far earlier.
  package static let headLength = 1 << 25

  /// The number of bytes that contain the header unless profiles or thumbnails are very long: 1 MiB.
  package static let usualHeadLength = 1 << 20

  /// The bytes of a regular file. Follows links, but never blocks on a FIFO or touches a device.
  package static func bytes(at path: [UInt8]) throws(Failure) -> [UInt8] {
    try reading {
      let file = try FileSystem.open(path)
      let status = try file.status()
      guard status.kind == .file else { throw Failure(kind: .source, message: "is not a regular file") }
      guard status.size <= largestFile else { throw tooLarge(status.size) }
      var bytes: [UInt8] = []
      try file.read(status.size, into: &bytes)
      return bytes
    }
  }

  package static func reading<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
    do {
      return try body()
    } catch let error as SystemError {
      throw Failure(kind: .source, message: "cannot be read: \(error)")
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(kind: .source, message: "cannot be read: \(error)")
    }
  }

  /// The digest and size of a file after its first bytes have been read, with one further piece in memory at a time.
  package static func digest(
    of file: borrowing OpenFile, _ head: [UInt8], upTo size: Int
  ) throws(SystemError) -> (hash: String, size: Int) {
    var hash = SHA256()
    hash.update(head)
    var done = head.count
    while done < size {
      var piece: [UInt8] = []
      try file.read(min(1 << 20, size - done), into: &piece)
      if piece.isEmpty { break }
      hash.update(piece)
      done += piece.count
    }
    return (hash.hexDigest, done)
  }

  package static func tooLarge(_ size: Int) -> Failure {
    Failure(
      kind: .limit, message: "has \(size) bytes, more than the \(largestFile) that heicbench reads")
  }
}
