import CodecKit
import Foundation
import Metrics
package import Model
package import Pixels

struct MeasureQuestion: Question {
  var variant: CodecVariant
  /// The expected libraries, under which the point will be stored; nil leaves them unchecked.
  var libraries: String?
  var quality: Quality
  /// Timed calls of each kind, at least 1.
  var repeats: Int
  var conditions: TimingSeries.Conditions
  /// The time limit of each external metric, seconds.
  var commandSeconds: Double
  /// True to leave the encoded file in the shared folder for another worker to score.
  var leavesFile = false
  /// True to keep the file and its picture in the session as a `CodedPicture`.
  var keepsPicture = false
  /// True to encode a JPEG source the way the codec's usual program does.
  var isByProgram = false
  var drawing = PointDrawing.nothing

  func remarks(in _: Answer) -> [String: [String]] { [:] }
}

/// The file of the open image at a quality and its decoded picture, for a feature's questions about both.
package struct CodedPicture {
  package var variant: CodecVariant
  package var quality: Quality
  package var file: [UInt8]
  package var decoded: RasterImage

  package init(variant: CodecVariant, quality: Quality, file: [UInt8], decoded: RasterImage) {
    (self.variant, self.quality, self.file, self.decoded) = (variant, quality, file, decoded)
  }
}

extension MeasureQuestion {
  func reply(in session: WorkerSession, _: [UInt8]) throws -> Model.Figures {
    guard let image = session.image else { throw Refusal.noImage }
    warmUp(session, image.raster)
    session.peak.begin()
    var figures = try measure(image, session)
    figures.figures[.residentPeak] = session.peak.highest()
    return figures
  }

  func verify(_ measurement: inout Model.Figures, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(Bound.bytes.contains(measurement.encodedBytes), "the encoded size")
    if let problem = measurement.impossibility(of: .point) { throw .init(detail: problem) }
    try check.require((-1_000_000...1_000_000).contains(measurement.nativeQuality), "the native quality")
    try check.check(hash: measurement.encodedHash)
    try check.require(measurement.timing.conditions == conditions, "the conditions of its times")
    try check.check(measurement.timing, repeats: repeats...repeats)
    try check.require(
      Bound.time.contains(measurement.scoringCPUNanoseconds), "the time of its scores")
    try check.check(measurement.scores)
    try check.require(measurement.format == nil, "the kind of its results")
    measurement.failedScores = try check.checked(failedScores: measurement.failedScores)
    measurement.remarks = try check.clean(measurement.remarks)
  }

  /// The side of the warm-up image, enough for every codec's smallest block.
  private static let tinySide = 64

  /// Encodes and decodes a tiny image with a codec that this worker has not used yet, so that library pages loaded by
  /// the first call do not count as that call's memory.
  private func warmUp(_ session: WorkerSession, _ image: RasterImage) {
    guard session.warm.insert(variant).inserted,
      let tiny = Self.tinyImage(image.format)?.tagged(image.profile),
      var measurer = try? session.measurer(variant, quality, of: tiny),
      let encoded = try? measurer.encode(until: { _ in true })
    else { return }
    // The point itself will report the codec's defects.
    _ = try? measurer.decode(encoded.first) { _ in true }
  }

  private static func tinyImage(_ format: PixelFormat) -> RasterImage? {
    let count = tinySide * tinySide * format.layout.channels
    let samples: RasterImage.Samples =
      format.bitDepth == 8
      ? .bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) })
      : .words((0..<count).map { UInt16(truncatingIfNeeded: $0 * 7 % (format.maximum + 1)) })
    return RasterImage(width: tinySide, height: tinySide, format: format, samples: samples)
  }

  private func measure(_ image: OpenImage, _ session: WorkerSession) throws(Failure) -> Model.Figures {
    var measurer = try session.measurer(
      variant, quality, of: image.raster, file: image.file, isByProgram: isByProgram, memory: session.peak)
    try measurer.codec.expect(libraries: libraries)
    let encoded = try measurer.encode { $0.count >= repeats }
    let decoded = try measurer.decode(encoded.first) { $0.count >= repeats }
    var measurement = Model.Figures(
      nativeQuality: measurer.settings.nativeQuality, encodedBytes: encoded.first.count,
      encodedHash: SHA256.hexDigest(of: encoded.first), repeatsAgree: encoded.agree,
      timing: TimingSeries(conditions: conditions, encode: encoded.samples, decode: decoded.samples))
    measurement.figures[.encodePeak] = encoded.peakBytes
    measurement.figures[.decodePeak] = decoded.peakBytes
    measurement.figures[.peakMemory] = [encoded.peakBytes, decoded.peakBytes].compactMap(\.self).max()
    measurement.figures[.metadata] = session.registry.reader(for: encoded.first)
      .flatMap { try? $0.contents(of: encoded.first).bytesBesidePicture }
    if measurer.stopwatch.hasStoppedTime {
      measurement.remarks.append("the process was stopped while it was timed")
    }
    if leavesFile { try SharedFiles(sharedBy: session.setup).leave(encoded.first) }
    if keepsPicture {
      session[CodedPicture.self] = CodedPicture(
        variant: variant, quality: quality, file: encoded.first, decoded: decoded.first)
    }
    try scoreBase(of: encoded.first, measurer.codec, image.raster, session, into: &measurement)
    let map = try session.score(
      decoded.first, of: measurer.settings, into: &measurement, maps: drawing != .nothing)
    session.scoreByPrograms(decoded.first, against: image, within: commandSeconds, into: &measurement)
    if let folder = session.setup.keepFolder {
      let file = EncodedFileName.path(
        image: image.identity.name, variant: variant, quality: quality,
        fileExtension: measurer.codec.traits.fileExtension)
      Self.keep(encoded.first, at: folder + "/" + file, remarks: &measurement.remarks)
      let (pictures, writer) = (PointPictures(beside: folder + "/" + file), session.registry.writer)
      if let map { pictures.write(.errorMap) { try writer.preview(map) } }
      if drawing.includesPixels(decoded.first, decode: decoded.samples.first) {
        pictures.write(.picture) { try writer.preview(decoded.first) }
      }
    }
    return measurement
  }

  /// The uncoded base of the open image's gain maps, ready for comparisons.
  private struct Base { var suite: PreparedSuite? }

  /// Adds the sizes of the parts of a file with a gain map, and its base's score against the uncoded base.
  private func scoreBase(
    of file: [UInt8], _ codec: any ImageCodec, _ image: RasterImage, _ session: WorkerSession,
    into measurement: inout Model.Figures
  ) throws(Failure) {
    guard variant.hasGainMap else { return }
    do {
      guard let base = try codec.gainMapBase(of: file) else { return }
      (measurement.figures[.baseBytes], measurement.figures[.mapBytes]) = (base.bytes, base.mapBytes)
      let metric = MetricTraits.headline.id
      let known = try session[Base.self] ?? Base(suite: MetricSuite([metric]).prepare(image.forScreen))
      session[Base.self] = known
      let score = try known.suite?.score(base.picture)[metric]
      measurement.figures[.baseScore] = score.map { Int(($0 * Quantity.baseScore.traits.scale).rounded()) }
    } catch {
      throw Failure(kind: .metric, message: "the base picture of its gain map: \(error)")
    }
  }

  private static func keep(_ bytes: [UInt8], at path: String, remarks: inout [String]) {
    do {
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      // No sync: the file is not opened before the point is recorded, and not needed after a power cut.
      try ScratchFile.write(bytes, to: path)
    } catch {
      let reason = (error as? SystemError)?.description ?? error.localizedDescription
      remarks.append("the encoded file could not be kept: \(reason)")
    }
  }
}
