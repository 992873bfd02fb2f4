import CodecKit
package import Model

/// An image file known by its first bytes only, neither hashed nor read as a whole.
package struct GlancedFile: Sendable, Hashable {
  package let name: String
  package let path: [UInt8]
  package let fileBytes: Int
  /// Time of the last content change, nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// Pixels of the picture; 12 million, an ordinary camera's, if the first bytes do not tell.
  package let pixels: Int
  /// Format and size, which the files of one camera share; nil if the first bytes do not tell.
  package let kind: String?
  /// The reason that the file cannot be used; nil if it is worth trying.
  package let problem: Failure?
}

extension CorpusReader {
  /// Bytes that hold the headers of files from phones and cameras.
  private static let glance = 1 << 16

  /// Sorts files by their first bytes into images, real or only named so, and files to pass over.
  package func glance(at files: FoundFiles) -> (images: [GlancedFile], passedOver: PassedOver) {
    var passedOver = files.passedOver
    var images: [GlancedFile] = []
    for candidate in files.candidates {
      switch candidate.state {
      case .obstructed(let reason):
        images.append(Self.unusable(candidate, UnknownContent.failure(reason)))
      case .file(let status):
        do {
          if let image = try glance(at: candidate, status) {
            images.append(image)
          } else {
            passedOver.count(candidate.name, .notAnImage)
          }
        } catch {
          guard ImageFileName.isOne(candidate.path) else {
            passedOver.count(candidate.name, .unreadable)
            continue
          }
          images.append(Self.unusable(candidate, UnknownContent.failure(.unreadable)))
        }
      }
    }
    return (images, passedOver)
  }

  /// Returns nil for a file that neither is an image nor is named like one.
  private func glance(
    at candidate: CorpusWalker.Candidate, _ status: FileStatus
  ) throws(SystemError) -> GlancedFile? {
    let file = try FileSystem.open(candidate.path)
    var head: [UInt8] = []
    try file.read(min(Self.glance, status.size), into: &head)
    guard let reader = registry.reader(for: head) else {
      guard ImageFileName.isOne(candidate.path) else { return nil }
      let failure = UnknownContent.failure(
        Array(head.prefix(UnknownContent.looksAt)), size: status.size)
      return Self.unusable(candidate, failure)
    }
    let header = try? reader.header(of: head)
    return GlancedFile(
      name: candidate.name, path: candidate.path, fileBytes: status.size,
      modifiedNanoseconds: status.modifiedNanoseconds,
      pixels: header.map { min($0.pixelCount, limits.maximumPixels) } ?? 12_000_000,
      kind: header.map { "\($0.format) \($0.width)×\($0.height)" }, problem: nil)
  }

  private static func unusable(_ candidate: CorpusWalker.Candidate, _ problem: Failure) -> GlancedFile {
    GlancedFile(
      name: candidate.name, path: candidate.path, fileBytes: 0, modifiedNanoseconds: 0, pixels: 0, kind: nil,
      problem: problem)
  }
}
