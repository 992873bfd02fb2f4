import HeicBenchKit

/// Measures the cost of getting a small picture out of each file, and prints the reads.
func decode(_ images: String, into results: String) async throws {
  var decode = DecodeCostRequest(images: [InputPath(images)], output: results)
  decode.sizes = [.side(160)]
  decode.codecs = [try CodecVariant("jpeg")]
  let outcome = try await decode.run()
  for try await read in outcome.reads {
    print(read.image, read.codec ?? "source file", read.route, read.cpuMilliseconds ?? .nan, read.score ?? .nan)
  }
}
