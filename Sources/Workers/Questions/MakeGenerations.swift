import CodecKit
package import Model
import Pixels

/// A chain of encodes of the open image, each of the last decode and scored against the original.
package struct GenerationChainRequest: Question {
  package var variant: CodecVariant
  package var quality: Quality
  package var count: Int

  package init(variant: CodecVariant, quality: Quality, count: Int) {
    (self.variant, self.quality, self.count) = (variant, quality, count)
  }

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<[Generation]> {
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

  package func checked(
    _ chain: [Generation], attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> [Generation] {
    try check.requireNone(attachment)
    try check.require(chain.count == count, "\(chain.count) generations")
    for generation in chain {
      try check.require(AnswerCheck.Bound.bytes.contains(generation.bytes), "the encoded size")
      try check.check(hash: generation.hash)
      try check.check(generation.scores, asked: check.setup.metrics)
    }
    return chain
  }
}
