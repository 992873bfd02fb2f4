import CodecKit
package import Model

/// An image file by its first bytes: neither hashed nor read as a whole.
package struct GlancedFile: Sendable, Hashable {
  /// Its name in the corpus.
  package let name: String
  /// The path's bytes as the system takes them.
  package let path: [UInt8]
  /// Its length.
  package let fileBytes: Int
  /// When its content changed last, nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// How large the picture is; an ordinary camera's size where the first bytes do not tell.
  package let pixels: Int
  /// Format and size, which the files of one camera have in common; nil where the first bytes do not tell.
  package let kind: String?
  /// Why there is nothing to be had of it; nil for one worth trying.
  package let problem: Failure?
}

extension CorpusReader {
  /// Headers of phones' and cameras' files are within so many bytes.
  private static let glance = 1 << 16

  /// Looks at the beginnings of files: what is an image, and what is only named like one.
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

  /// Nil for what is no image and not named like one.
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
