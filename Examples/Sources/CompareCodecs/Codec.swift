import CodecKit
import HeicBenchKit

/// Checks whether this package's codec keeps the promises of codecs, and compares it with JPEG.
func codec(_ images: String, into results: String) async throws {
  for promise in CodecContract.broken(by: RunLengthCodec()) { print("broken:", promise) }
  var sweep = SweepRequest(images: [InputPath(images)], output: results)
  sweep.codecs = [try CodecVariant("jpeg"), try CodecVariant("runs")]
  sweep.qualities = [0.3, 0.6, 0.9]
  for try await point in try await sweep.run().points { print(point.image, point.codec, point.bytes) }
}
