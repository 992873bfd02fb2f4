import CodecKit
import Model
import Pixels
import Workers

/// A chain of encodes of the open image, each of the last decode and scored against the original.
struct GenerationChainRequest: Question {
  var variant: CodecVariant
  var quality: Quality
  var count: Int

  init(variant: CodecVariant, quality: Quality, count: Int) {
    (self.variant, self.quality, self.count) = (variant, quality, count)
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<[Generation]> {
    guard var raster = session.image?.raster else { throw Refusal.noImage }
    var found: [Generation] = []
    for _ in 0..<max(1, count) {
      var measurer = try session.measurer(variant, quality, of: raster)
      let encoded = try measurer.encode(until: { _ in true }).first
      raster = try measurer.decode(encoded, until: { _ in true }).first
      var measurement = Figures(
        nativeQuality: measurer.settings.nativeQuality, encodedBytes: encoded.count, encodedHash: "",
        timing: TimingSeries(conditions: .contended, encode: [], decode: []))
      try session.score(raster, into: &measurement)
      found.append(
        Generation(
          bytes: encoded.count, hash: SHA256.hexDigest(of: encoded), scores: measurement.scores))
    }
    return Reply(found)
  }

  func checked(
    _ chain: [Generation], by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> [Generation] {
    try check.require(chain.count == count, "\(chain.count) generations")
    for generation in chain {
      try check.require(Bound.bytes.contains(generation.bytes), "the encoded size")
      try check.check(hash: generation.hash)
      try check.check(generation.scores, asked: check.setup.metrics)
    }
    return chain
  }
}

extension WorkerSlot {
  /// Encodes an image repeatedly, each time from the last decode.
  func generations(
    _ request: GenerationChainRequest, of file: ImageFile
  ) throws -> Response<[Generation]> {
    let seconds = configuration.timeout(pixels: file.pixels, repeats: request.count)
    return try ask(request, about: file, encodes: request.count, within: seconds).answer()
  }
}
