import CodecKit
import Model
import Pixels

extension WorkerSession {
  /// Encodes the open image, then what that decodes to, and so on; every generation is scored against the original.
  func generations(_ request: GenerationChainRequest) -> WorkerReply {
    guard let image else { return .refused("no image is open") }
    return .generations(Outcome { () throws(PointProblem) in try chain(request, image) })
  }

  private func chain(_ request: GenerationChainRequest, _ image: OpenImage) throws(PointProblem)
    -> [Generation]
  {
    var raster = image.raster
    var found: [Generation] = []
    for _ in 0..<max(1, request.count) {
      var measurer = try PointMeasurer(
        variant: request.variant, quality: request.quality, image: raster, registry: registry,
        memoryLimit: setup.memoryLimit)
      let encoded = try measurer.encode(until: { _ in true }).first
      raster = try measurer.decode(encoded, until: { _ in true }).first
      var measurement = Model.Measurement(
        nativeQuality: measurer.settings.nativeQuality, encodedBytes: encoded.count, encodedHash: "",
        timing: TimingSeries(conditions: .contended, encode: [], decode: []))
      try score(raster, into: &measurement)
      found.append(
        Generation(
          bytes: encoded.count, hash: SHA256.hexDigest(of: encoded), scores: measurement.scores))
    }
    return found
  }
}
