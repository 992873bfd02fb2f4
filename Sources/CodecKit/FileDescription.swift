package import Model

/// The description of a file, made without decoding its picture. Workers make it: the file may be a stranger's.
package struct FileDescription: Sendable, Hashable {
  /// The requested parts of a description, which decide how much of a file is read.
  package enum Depth: String, Sendable, Codable, CaseIterable {
    /// True if it begins like an image.
    case signature
    /// Header and camera, as far as the first 64 KiB show them.
    case glance
    /// The header from the first 32 MiB, and the digest of the whole file.
    case digest
    /// The digest and the header, and the contents of the whole file besides its picture.
    case contents
  }

  /// The reason why a file that is not named like an image is not one.
  package enum Obstacle: Int, Sendable, Hashable, CaseIterable {
    case notAnImage, notRegular, unreadable
  }

  package var obstacle: Obstacle?
  /// The format of a picture or video that no reader knows and that is not named like an image.
  package var foreignFormat: String?
  /// True if a reader recognises the first bytes.
  package var isRecognised = false
  package var fileBytes = 0
  /// SHA-256 of the whole file; of the first bytes of one that is too large to be read. Nil unless it was asked for.
  package var contentHash: String?
  package var header: ImageHeader?
  package var camera: String?
  /// What the file holds besides its picture, or the reason why that is unknown. Nil unless it was asked for, and if
  /// the image cannot be used.
  package var contents: Result<FileContents, Failure>?
  /// The reason why the image cannot be used.
  package var problem: Failure?

  package init() {}

  /// The description of a file that cost its reader's process.
  package init(lost failure: Failure, fileBytes: Int) {
    (problem, self.fileBytes, isRecognised) = (failure, fileBytes, true)
  }
}

// MARK: - In a worker

extension FileDescription {
  /// Bytes that hold the headers of files from phones and cameras.
  private static let glanceLength = 1 << 16

  /// Reads a file as far as needed.
  package init(of path: [UInt8], as depth: Depth, by registry: CodecRegistry) {
    self.init()
    do throws(SystemError) { try read(path, depth, registry) } catch { obstacle = .unreadable }
  }

  private mutating func read(
    _ path: [UInt8], _ depth: Depth, _ registry: CodecRegistry
  ) throws(SystemError) {
    let file = try FileSystem.open(path)
    let status = try file.status()
    // It was a regular file when it was found, but that was a while ago.
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

  /// Reads a header that may be anywhere in a file, without reading all of it. A camera's raw file counts as an image
  /// only if it is named like one.
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

  /// False, with the problem, if the file is larger than any that is read.
  private var isSmallEnough: Bool {
    mutating get {
      guard fileBytes > SourceFile.largestFile else { return true }
      problem = SourceFile.tooLarge(fileBytes)
      return false
    }
  }

  /// Hashes the whole file, and reads the header.
  /// - Parameters:
  ///   - bytes: its first bytes; then as many as are searched, or the whole file.
  ///   - length: the bytes that are searched for the header.
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

  /// Reads the header from a file's first bytes. If these are not the whole file and do not hold the header, decoding
  /// the image means reading the whole file.
  private mutating func readHeader(_ head: [UInt8], _ reader: any ImageReader) {
    guard header == nil else { return }
    do {
      let header = try reader.anyHeader(of: head)
      guard header.width > 0, header.height > 0 else {
        problem = Failure(
          kind: .source, message: "declares \(header.width)×\(header.height) pixels, which is no image")
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
