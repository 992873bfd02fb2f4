import CodecKit
import Model
import Workers

/// A chain of encodes of the open image. Each encodes the previous decode and is scored against the original.
struct GenerationChainQuestion: Question {
  var variant: CodecVariant
  var quality: Quality
  var count: Int

  func reply(in session: WorkerSession, _: [UInt8]) throws -> [Figures] {
    guard var raster = session.image?.raster else { throw Refusal.noImage }
    var found: [Figures] = []
    for _ in 0..<max(1, count) {
      var measurer = try session.measurer(variant, quality, of: raster)
      let encoded = try measurer.encode(until: { _ in true }).first
      raster = try measurer.decode(encoded, until: { _ in true }).first
      var measurement = Figures(
        nativeQuality: measurer.settings.nativeQuality, encodedBytes: encoded.count,
        encodedHash: SHA256.hexDigest(of: encoded))
      try session.score(raster, into: &measurement)
      found.append(measurement)
    }
    return found
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ chain: inout [Figures], by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(chain.count == count, "\(chain.count) generations")
    chain = try chain.map { generation throws(AnswerCheck.Invalid) in
      if let problem = generation.impossibility(of: .point) { throw .init(detail: problem) }
      try check.check(hash: generation.encodedHash)
      try check.check(generation.scores, asked: check.setup.metrics)
      // Keeps only what was requested, whatever else the answer contains.
      return Figures(
        nativeQuality: generation.nativeQuality, encodedBytes: generation.encodedBytes,
        encodedHash: generation.encodedHash, scores: generation.scores)
    }
  }
}

extension WorkerSlot {
  func generations(
    _ request: GenerationChainQuestion, of file: ImageFile
  ) throws -> Response<[Figures]> {
    let seconds = configuration.timeout(pixels: file.pixels, repeats: request.count)
    return try ask(request, about: file, encodes: request.count, within: seconds)
  }
}
