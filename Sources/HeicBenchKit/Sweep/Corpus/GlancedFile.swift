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
  /// Maker and model, where the first bytes hold the metadata.
  let camera: String?
  package let problem: Failure?

  fileprivate var format: Substring { kind?.prefix { $0 != " " } ?? "" }
}

extension CorpusReader {
  /// Bytes that hold the headers of files from phones and cameras.
  private static let glance = 1 << 16

  /// Sorts files by their first bytes into images, real or only named so, and files to pass over.
  package func glance(
    at files: FoundFiles, progress: (_ done: Int) -> Void = { _ in }
  ) -> (images: [GlancedFile], passedOver: PassedOver) {
    sort(files, progress: progress, read: glance) { candidate, problem in
      GlancedFile(
        name: candidate.name, path: candidate.path, fileBytes: 0, modifiedNanoseconds: 0, pixels: 0,
        kind: nil, camera: nil, problem: problem)
    }
  }

  /// Draws `size` images, or takes all if there are no more, evenly over formats, cameras and sizes. The same files give
  /// the same sample in whatever order they were found. Reads the first bytes of every file.
  package func draw(
    _ size: Int, of files: FoundFiles, seed: UInt64, progress: (_ done: Int) -> Void = { _ in }
  ) -> (files: FoundFiles, sample: DrawnSample) {
    let (images, passedOver) = glance(at: files, progress: progress)
    // Images of one camera and size stand in an order by chance.
    let strata = FileSample.order(of: images.map(\.name)).map { images[$0] }.enumerated().sorted { a, b in
      (a.element.format, a.element.camera ?? "", a.element.pixels, a.offset)
        < (b.element.format, b.element.camera ?? "", b.element.pixels, b.offset)
    }.map(\.element)
    let drawn = FileSample.spread(size, of: strata.count, seed: seed).map { strata[$0] }
    let names = Set(drawn.map(\.name))
    func pixels(_ files: [GlancedFile]) -> Double { files.reduce(0) { $0 + Double($1.pixels) } }
    return (
      FoundFiles(candidates: files.candidates.filter { names.contains($0.name) }, passedOver: passedOver),
      DrawnSample(
        images: drawn.count, pixels: pixels(drawn), population: strata.count,
        populationPixels: pixels(strata), largestPixels: strata.map(\.pixels).max(), seed: seed)
    )
  }

  private func glance(at candidate: CorpusWalker.Candidate, _ status: FileStatus) throws -> GlancedFile {
    let file = try FileSystem.open(candidate.path)
    var head: [UInt8] = []
    try file.read(min(Self.glance, status.size), into: &head)
    let reader = registry.reader(for: head)
    guard reader != nil || ImageFileName.isOne(candidate.path) else { throw Rejection(reason: .notAnImage) }
    let header = try? reader?.anyHeader(of: head)
    return GlancedFile(
      name: candidate.name, path: candidate.path, fileBytes: status.size,
      modifiedNanoseconds: status.modifiedNanoseconds,
      pixels: header.map { min($0.pixelCount, limits.maximumPixels) } ?? (reader == nil ? 0 : 12_000_000),
      kind: header.flatMap { $0.hdr == nil ? "\($0.format) \($0.width)×\($0.height)" : nil },
      camera: (try? reader?.contents(of: head))?.making.camera,
      problem: reader == nil
        ? UnknownContent.failure(Array(head.prefix(UnknownContent.looksAt)), size: status.size) : nil)
  }
}
