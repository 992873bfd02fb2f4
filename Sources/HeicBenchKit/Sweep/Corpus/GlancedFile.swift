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
  package let problem: Failure?
}

extension CorpusReader {
  /// Bytes that hold the headers of files from phones and cameras.
  private static let glance = 1 << 16

  /// Sorts files by their first bytes into images, real or only named so, and files to pass over.
  package func glance(at files: FoundFiles) -> (images: [GlancedFile], passedOver: PassedOver) {
    sort(files, read: glance) { candidate, problem in
      GlancedFile(
        name: candidate.name, path: candidate.path, fileBytes: 0, modifiedNanoseconds: 0, pixels: 0,
        kind: nil, problem: problem)
    }
  }

  private func glance(at candidate: CorpusWalker.Candidate, _ status: FileStatus) throws -> GlancedFile {
    let file = try FileSystem.open(candidate.path)
    var head: [UInt8] = []
    try file.read(min(Self.glance, status.size), into: &head)
    let reader = registry.reader(for: head)
    guard reader != nil || ImageFileName.isOne(candidate.path) else { throw Rejection(reason: .notAnImage) }
    let header = try? reader?.header(of: head)
    return GlancedFile(
      name: candidate.name, path: candidate.path, fileBytes: status.size,
      modifiedNanoseconds: status.modifiedNanoseconds,
      pixels: header.map { min($0.pixelCount, limits.maximumPixels) } ?? (reader == nil ? 0 : 12_000_000),
      kind: header.map { "\($0.format) \($0.width)×\($0.height)" },
      problem: reader == nil
        ? UnknownContent.failure(Array(head.prefix(UnknownContent.looksAt)), size: status.size) : nil)
  }
}
