import CodecKit
package import Model

/// An image file of which only the first bytes are known; it is neither hashed nor read as a whole.
package struct GlancedFile: Sendable, Hashable {
  package let name: String
  package let path: [UInt8]
  package let fileBytes: Int
  /// Time of the last content change, nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// The picture's pixels; 12 million, as from an ordinary camera, if the first bytes do not say.
  package let pixels: Int
  /// Empty if the first bytes do not say.
  let format: String
  /// Format and size, which files from the same camera share; nil if the first bytes do not say, and for HDR.
  package let kind: String?
  /// Maker and model, if the first bytes contain the metadata.
  let camera: String?
  package let problem: Failure?
}

extension CorpusReader {
  /// Sorts files by their first bytes into images, including files that are only named like one, and files to skip.
  package func glance(
    at files: FoundFiles, progress: (_ done: Int) -> Void = { _ in }
  ) throws -> (images: [GlancedFile], passedOver: PassedOver) {
    try sort(files, as: .glance, progress: progress, image: glanced) { candidate, problem in
      GlancedFile(
        name: candidate.name, path: candidate.path, fileBytes: 0, modifiedNanoseconds: 0, pixels: 0,
        format: "", kind: nil, camera: nil, problem: problem)
    }
  }

  /// Draws `size` images, or takes all if there are no more, evenly over formats, cameras and sizes. The same files give
  /// the same sample, in whatever order they were found. Reads the first bytes of every file.
  package func draw(
    _ size: Int, of files: FoundFiles, seed: UInt64, progress: (_ done: Int) -> Void = { _ in }
  ) throws -> (files: FoundFiles, sample: DrawnSample) {
    let (images, passedOver) = try glance(at: files, progress: progress)
    let strata = strata(of: images)
    let drawn = FileSample.spread(size, of: strata.count, seed: seed).map { images[strata[$0]] }
    let names = Set(drawn.map(\.name))
    func pixels(_ files: [GlancedFile]) -> Double { files.reduce(0) { $0 + Double($1.pixels) } }
    return (
      FoundFiles(candidates: files.candidates.filter { names.contains($0.name) }, passedOver: passedOver),
      DrawnSample(
        images: drawn.count, pixels: pixels(drawn), population: images.count,
        populationPixels: pixels(images), largestPixels: images.map(\.pixels).max(), seed: seed)
    )
  }

  /// Indices of images ordered by format, camera and size; images that share all of these are in random order.
  private func strata(of images: [GlancedFile]) -> [Int] {
    let kinds = images.map { (format: $0.format, camera: $0.camera ?? "", pixels: $0.pixels) }
    let order = FileSample.order(of: images.map(\.name))
    var turns = [Int](repeating: 0, count: order.count)
    for (turn, place) in order.enumerated() { turns[place] = turn }
    return order.sorted { a, b in
      let (first, second) = (kinds[a], kinds[b])
      if first.format != second.format { return first.format < second.format }
      if first.camera != second.camera { return first.camera < second.camera }
      return (first.pixels, turns[a]) < (second.pixels, turns[b])
    }
  }

  private func glanced(
    _ candidate: CorpusWalker.Candidate, _ description: FileDescription
  ) -> GlancedFile {
    let header = description.header
    return GlancedFile(
      name: candidate.name, path: candidate.path, fileBytes: candidate.status?.size ?? 0,
      modifiedNanoseconds: candidate.status?.modifiedNanoseconds ?? 0,
      pixels: header.map { min($0.pixelCount, limits.maximumPixels) }
        ?? (description.problem == nil ? 12_000_000 : 0),
      format: header?.format ?? "",
      kind: header.flatMap { $0.hdr == nil ? "\($0.format) \($0.width)×\($0.height)" : nil },
      camera: description.camera, problem: description.problem)
  }
}
