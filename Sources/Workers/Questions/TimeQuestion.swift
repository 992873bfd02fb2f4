import CProcessShim
package import Model

package struct TimeQuestion: Question {
  package var variant: CodecVariant
  /// The expected libraries, under which the point will be stored; nil leaves them unchecked.
  package var libraries: String?
  package var quality: Quality
  package var warmUps: Int
  package var minimumRepeats: Int
  /// Repeats go on until encodes and decodes have each taken this long, nanoseconds.
  package var minimumNanoseconds: Int64
  package var maximumRepeats: Int
  /// The cores to stay on; empty leaves the worker where it is.
  package var cores: [Int]

  /// Stays on the last cores, since the first one handles interrupts. It uses as many cores as the encoder has threads,
  /// or all if the variant does not set the number.
  package init(
    _ description: VariantDescription, _ quality: Quality, warmUps: Int, repeats: ClosedRange<Int>,
    seconds: Double
  ) {
    (variant, libraries) = (description.variant, description.libraries.canonicalSpelling)
    (self.quality, self.warmUps) = (quality, warmUps)
    (minimumRepeats, maximumRepeats) = (repeats.lowerBound, repeats.upperBound)
    minimumNanoseconds = Int64(seconds * 1e9)
    let cores = MachineCores.allowed
    self.cores = description.threads == 0 ? cores : cores.suffix(description.threads)
  }

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> TimingSeries {
    guard let image = session.image else { throw Refusal.noImage }
    let cores = cores.map { Int32(clamping: $0) }
    if !cores.isEmpty { _ = hb_pin(cores, cores.count) }
    var measurer = try session.measurer(variant, quality, of: image.raster, file: image.file)
    try measurer.codec.expect(libraries: libraries)
    let warmUps = max(0, warmUps)
    let isEnough = { (samples: [TimingSample]) in
      let counted = samples.dropFirst(warmUps)
      guard counted.count >= max(1, minimumRepeats) else { return false }
      return counted.count >= maximumRepeats
        || counted.reduce(0) { $0 + $1.wallNanoseconds } >= minimumNanoseconds
    }
    let encoded = try measurer.encode(until: isEnough)
    let decoded = try measurer.decode(encoded.first, until: isEnough)
    return TimingSeries(
      conditions: .exclusive, encode: Array(encoded.samples.dropFirst(warmUps)),
      decode: Array(decoded.samples.dropFirst(warmUps)))
  }

  package func remarks(in _: Answer) -> [String: [String]] { [:] }

  package func verify(_ series: inout TimingSeries, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(series.conditions == .exclusive, "the conditions of its times")
    try check.check(series, repeats: minimumRepeats...max(minimumRepeats, maximumRepeats))
  }
}
