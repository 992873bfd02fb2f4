package import Model

/// The description of a file, made without decoding its picture. Workers make it, because the file may come from a
/// stranger.
package struct FileDescription: Sendable, Hashable {
  /// The requested parts of a description, which decide how much of a file is read.
  package enum Depth: String, Sendable, Codable, CaseIterable {
    /// Whether the file begins like an image.
    case signature
    /// What the first 64 KiB show of the header and the camera.
    case glance
    /// The header from the first 32 MiB, and the digest of the whole file.
    case digest
    /// The digest, the header, and the contents of the whole file other than its picture.
    case contents
  }

  /// The reason that a file without an image's name is not an image.
  package enum Obstacle: Int, Sendable, Hashable, CaseIterable {
    case notAnImage, notRegular, unreadable
  }

  package var obstacle: Obstacle?
  /// The format of a picture or video that no reader supports and that does not have the name of a supported image.
  package var foreignFormat: String?
  /// True if a reader recognises the first bytes.
  package var isRecognised = false
  package var fileBytes = 0
  /// SHA-256 of the whole file, or of the first bytes if the file is too large to read. Nil unless requested.
  package var contentHash: String?
  package var header: ImageHeader?
  package var camera: String?
  /// The file's contents other than its picture, or the reason that they are unknown. Nil unless requested, or if the
  /// image cannot be used.
  package var contents: Result<FileContents, Failure>?
  /// The reason that the image cannot be used.
  package var problem: Failure?

  package init() {}

  /// The description of a file that crashed its reader's process.
  package init(lost failure: Failure, fileBytes: Int) {
    (problem, self.fileBytes, isRecognised) = (failure, fileBytes, true)
  }
}

// MARK: - In a worker

extension FileDescription {
  /// The number of bytes that contain the headers of files from phones and cameras.
  private static let glanceLength = 1 << 16

  /// Reads as much of a file as needed.
  package init(of path: [UInt8], as depth: Depth, by registry: CodecRegistry) {
    self.init()
    do throws(SystemError) { try read(path, depth, registry) } catch { obstacle = .unreadable }
  }

  private mutating func read(
    _ path: [UInt8], _ depth: Depth, _ registry: CodecRegistry
  ) throws(SystemError) {
    let file = try FileSystem.open(path)
    let status = try file.status()
    // It was a regular file when it was found, but that may have changed since.
    guard status.kind == .file else {
      obstacle = .notRegular
      return
    }
    fileBytes = status.size
    let first = depth == .glance ? Self.glanceLength : UnknownContent.looksAt
    var bytes: [UInt8] = []
    try file.read(min(first, status.size), into: &bytes)
    // Most camera raw files begin like TIFF.
    let reader = registry.reader(for: bytes).flatMap { ForeignFormat.isCameraRaw(path, for: $0) ? nil : $0 }
    isRecognised = reader != nil
    if reader == nil {
      problem = UnknownContent.failure(Array(bytes.prefix(UnknownContent.looksAt)), size: status.size)
      guard ImageFileName.isOne(path) else {
        obstacle = .notAnImage
        foreignFormat = ForeignFormat.format(Array(bytes.prefix(UnknownContent.looksAt)), path: path)
        return
      }
    }
    if let reader, reader.seeksHeader { readMapped(path, reader) }
    guard obstacle == nil else { return }
    switch depth {
    case .signature: break
    case .glance:
      header = header ?? (try? reader?.anyHeader(of: bytes))
      camera = (try? reader?.contents(of: bytes))?.making.camera
    case .digest: try digest(file, &bytes, reader, searching: SourceFile.headLength)
    case .contents:
      try digest(file, &bytes, reader, searching: reader == nil ? SourceFile.headLength : .max)
      if problem == nil, let reader { readContents(bytes, reader) }
    }
  }

  /// Reads a header that may be anywhere in a file, without reading the whole file. A camera's raw file counts as an
  /// image only if it has the name of one.
  private mutating func readMapped(_ path: [UInt8], _ reader: any ImageReader) {
    guard fileBytes > 0, fileBytes <= SourceFile.largestFile, let file = try? FileSystem.open(path),
      let mapping = try? FileMapping(file)
    else { return }
    do {
      let found = try reader.anyHeader(of: mapping)
      if let found, found.width > 0, found.height > 0 { header = found }
    } catch {
      guard case .cameraRaw = error, !ImageFileName.isOne(path) else { return }
      problem = Failure(kind: .source, message: error.description)
      (obstacle, foreignFormat) = (.notAnImage, ForeignFormat.raw)
    }
  }

  /// False, setting the problem, if the file is larger than heicbench reads.
  private var isSmallEnough: Bool {
    mutating get {
      guard fileBytes > SourceFile.largestFile else { return true }
      problem = SourceFile.tooLarge(fileBytes)
      return false
    }
  }

  /// Hashes the whole file, and reads the header.
  /// - Parameters:
  /// - bytes: The file's first bytes on entry; afterwards the bytes to search, or the whole file.
  /// - length: The number of bytes to search for the header.
  private mutating func digest(
    _ file: borrowing OpenFile, _ bytes: inout [UInt8], _ reader: (any ImageReader)?, searching length: Int
  ) throws(SystemError) {
    guard isSmallEnough else {
      contentHash = SHA256.hexDigest(of: bytes)
      return
    }
    try file.read(min(fileBytes, length) - bytes.count, into: &bytes)
    let (hash, size) = try SourceFile.digest(of: file, bytes, upTo: fileBytes)
    (contentHash, fileBytes) = (hash, size)
    if let reader { readHeader(bytes, reader) }
  }

  /// Reads the header from a file's first bytes. If these are not the whole file and do not contain the header,
  /// decoding the image means reading the whole file.
  private mutating func readHeader(_ head: [UInt8], _ reader: any ImageReader) {
    guard header == nil else { return }
    do {
      let header = try reader.anyHeader(of: head)
      guard header.width > 0, header.height > 0 else {
        problem = Failure(
          kind: .source,
          message: "declares \(header.width)×\(header.height) pixels, which cannot be an image")
        return
      }
      self.header = header
    } catch {
      guard fileBytes == head.count || !reader.mayEndWithHeader else { return }
      let kind: Failure.Kind = if case .limitExceeded = error { .limit } else { .source }
      problem = Failure(kind: kind, message: error.description)
    }
  }

  private mutating func readContents(_ bytes: [UInt8], _ reader: any ImageReader) {
    do { contents = .success(try reader.contents(of: bytes)) } catch {
      contents = .failure(Failure(kind: .source, message: error.description))
    }
  }
}
