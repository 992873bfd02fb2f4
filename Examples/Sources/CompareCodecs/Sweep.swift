import HeicBenchKit

/// Compares HEIC with JPEG, and prints the points and HEIC's saving.
func sweep(_ images: String, into results: String) async throws {
  var sweep = SweepRequest(images: [InputPath(images)], output: results)
  sweep.codecs = [try CodecVariant("jpeg"), try CodecVariant("heic:preset=ultrafast")]
  sweep.qualities = [0.3, 0.6, 0.9]
  sweep.metrics = ["ssimulacra2"]
  let outcome = try await sweep.run { event in
    if case .measuring(let progress) = event { print("\(progress.done) of \(progress.total) points") }
  }
  for try await point in outcome.points { print(point.image, point.codec, point.bytes, point.scores) }
  for saving in try outcome.savings() { print(saving.codec, saving.bytesPercent ?? .nan) }
}
