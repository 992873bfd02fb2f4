import CProcessShim
package import CodecKit
package import Model
package import Pixels

package struct PointMeasurer {
  package let codec: any ImageCodec
  package let settings: EncodeSettings
  let image: RasterImage
  /// The source file, for a variant that recompresses it.
  let file: [UInt8]?
  /// The source JPEG, to be encoded the way the codec's usual program does; nil to encode the image.
  let programFile: [UInt8]?
  package var stopwatch: Stopwatch
  /// Measures the memory of first calls; nil if only times are wanted.
  let memory: PeakMemory?

  package struct Repeats<Value> {
    package var first: Value
    package var samples: [TimingSample]
    var agree = true
    /// The memory that the first call needed beyond what was resident before it, bytes; nil if unknown.
    package var peakBytes: Int?
  }

  /// Encodes until `isEnough` accepts the samples. Repeats agree if all give the same bytes.
  package mutating func encode(until isEnough: ([TimingSample]) -> Bool) throws(Failure) -> Repeats<
    [UInt8]
  > {
    let (codec, image, settings, file, programFile) = (codec, image, settings, file, programFile)
    let call = { () throws(CodecError) -> [UInt8] in
      if let file { return try codec.recompress(file, settings) }
      if let programFile, let made = try codec.encodeByProgram(programFile, of: image, settings) {
        return made
      }
      return try codec.encode(image, settings)
    }
    let ((first, sample), peak) = try weighed { (measurer: inout PointMeasurer) throws(Failure) in
      try measurer.stopwatch.time(call)
    }
    guard !first.isEmpty else {
      throw Failure(kind: .codec, message: "the encoder wrote nothing")
    }
    var repeats = Repeats(first: first, samples: [sample], peakBytes: peak)
    while !isEnough(repeats.samples) {
      let (next, sample) = try stopwatch.time(call)
      repeats.samples.append(sample)
      if next != first { repeats.agree = false }
    }
    return repeats
  }

  /// Decodes until `isEnough` accepts the samples. Throws if the size differs from the input's.
  package mutating func decode(
    _ bytes: [UInt8], until isEnough: ([TimingSample]) -> Bool
  ) throws(Failure) -> Repeats<RasterImage> {
    let codec = codec
    let ((first, sample), peak) = try weighed { (measurer: inout PointMeasurer) throws(Failure) in
      try measurer.decodeOnce(codec, bytes)
    }
    guard first.width == image.width, first.height == image.height else {
      let sizes = "\(first.width)×\(first.height) instead of \(image.width)×\(image.height)"
      throw Failure(kind: .codec, message: "its output decodes to \(sizes)")
    }
    var repeats = Repeats(first: try inLight(first), samples: [sample], peakBytes: peak)
    while !isEnough(repeats.samples) {
      repeats.samples.append(try decodeOnce(codec, bytes).sample)
    }
    return repeats
  }

  /// A decoded picture in the original's light; it must have the original's code points.
  private func inLight(_ decoded: RasterImage) throws(Failure) -> RasterImage {
    // A picture with its gain map applied is absolute light, whatever the original is.
    guard case .light(let light) = image.profile, !settings.variant.hasGainMap else { return decoded }
    let (points, isGray) = (decoded.profile.codePoints, decoded.format.layout.isGray)
    guard points == light.points || isGray && points?.transfer == light.points.transfer else {
      throw Failure(
        kind: .codec, message: "its output decodes to \(decoded.profile.title) instead of \(light.title)")
    }
    return decoded.tagged(image.profile)
  }

  private mutating func weighed<Value>(
    _ call: (inout Self) throws(Failure) -> Value
  ) throws(Failure) -> (Value, Int?) {
    guard let memory else { return (try call(&self), nil) }
    return try memory.growth { () throws(Failure) in try call(&self) }
  }

  /// Decode errors count as the codec's own failure: it wrote the file.
  private mutating func decodeOnce(
    _ codec: any ImageCodec, _ bytes: [UInt8]
  ) throws(Failure) -> (value: RasterImage, sample: TimingSample) {
    let (image, file) = (image, file)
    do {
      return try stopwatch.time { () throws(CodecError) in
        guard let file else { return try codec.decode(bytes) }
        // The pixels are the source file's once the restored file is proven identical.
        guard try codec.restore(bytes) == file else {
          throw .malformed("the restored file differs from the original")
        }
        return image
      }
    } catch {
      var failure = error.recorded
      if failure.kind == .codec { failure.message = "its output cannot be decoded: \(failure.message)" }
      throw failure
    }
  }
}

/// Times calls into a codec and classifies their errors.
package struct Stopwatch {
  /// Attempts at a call that is interrupted because the process is stopped (SIGSTOP).
  private static let attempts = 3

  /// The memory that the system allows the process, bytes, for messages.
  private let memoryLimit: Int?
  /// True if a time includes a stop despite all attempts.
  package private(set) var hasStoppedTime = false

  package init(memoryLimit: Int?) { self.memoryLimit = memoryLimit }

  /// Makes a call and times it: elapsed time, and CPU time of the process with an encoder's own threads.
  package mutating func time<Value>(
    _ call: () throws(CodecError) -> Value
  ) throws(Failure) -> (value: Value, sample: TimingSample) {
    var attempt = 1
    while true {
      _ = hb_was_continued()
      hb_clear_errno()
      let cpu = MonotonicClock.processCPU()
      let wall = MonotonicClock.now()
      let value: Value
      do { value = try call() } catch {
        throw Failure(error, memoryLimit: memoryLimit, codecKind: .codec)
      }
      let sample = TimingSample(
        wallNanoseconds: MonotonicClock.now() - wall, cpuNanoseconds: MonotonicClock.processCPU() - cpu)
      if hb_was_continued() == 0 { return (value, sample) }
      guard attempt < Self.attempts else {
        hasStoppedTime = true
        return (value, sample)
      }
      attempt += 1
    }
  }
}
