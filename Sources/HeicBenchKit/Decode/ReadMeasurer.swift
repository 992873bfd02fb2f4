import CProcessShim
import CodecKit
import Metrics
import Model
import Pixels
import Workers

/// A file that a worker reads by one route after the other: its bytes and decoded picture.
final class ReadMeasurer {
  private let session: WorkerSession
  private let source: Case
  private let bytes: [UInt8]
  private let format: String
  private let reader: any ImageReader
  /// The whole picture, upright.
  private let picture: RasterImage
  /// The picture's score against the encoder's input; nil for a file as it was found.
  private let originalScore: Double?
  private var reference: ReducedReference?
  /// The cost of decoding all of it, which is independent of the wanted size.
  private var whole: Cost?

  /// The cost of a decode, without any use of its pixels.
  private struct Cost {
    var samples: [TimingSample] = []
    var peakBytes: Int?
    var touchedBytes: Int
    var remarks: [String] = []
  }

  /// Reads a file, encodes its picture if a codec is requested, and decodes all of it once. A build encodes the pixels
  /// that the system's worker left, and leaves its file for that worker.
  init(_ request: ReadRequest, _ session: WorkerSession) throws {
    (self.session, source) = (session, request.key)
    let (bytes, original) = try Self.opened(request, session)
    guard let reader = session.registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "not an image of a known format")
    }
    (self.bytes, self.reader) = (bytes, reader)
    hb_clear_errno()
    format = try reader.header(of: bytes).format
    try Self.expect(request, format, session.registry)
    guard let picture = try reader.decode(bytes, .full, limits: session.setup.limits).raster else {
      throw Failure(kind: .source, message: "holds no picture")
    }
    self.picture = picture
    if request.share != .cost, let known = request.known, known.hash == SHA256.hexDigest(of: bytes) {
      originalScore = known.score
    } else if let original, request.share != .cost {
      originalScore = try session.suite.prepare(original).score(picture)[MetricTraits.headline.id]
    } else {
      originalScore = nil
    }
  }

  /// True if it is the file of a read.
  func holds(_ key: Case) -> Bool { key.image == source.image && key.encoding == source.encoding }

  /// Reads by a route `request.repeats` times, and scores the result.
  func measure(_ request: ReadRequest) throws -> Figures {
    let (route, decoding) = (request.key.route, try decoding(request.key))
    let result: RequestedPixels
    let cost: Cost
    if request.share == .scores {
      result = try decoded(decoding)
      cost = Cost(touchedBytes: result.touchedBytes)
    } else if route == .full, let whole, whole.samples.count == max(1, request.repeats) {
      (result, cost) = (RequestedPixels(.raster(picture), touchedBytes: whole.touchedBytes), whole)
    } else {
      (result, cost) = try weigh(decoding, repeats: request.repeats)
      if route == .full { whole = cost }
    }
    var figures = Figures(
      format: format, fileBytes: bytes.count, width: picture.width, height: picture.height,
      touchedBytes: cost.touchedBytes)
    figures.figures[.decodePeak] = cost.peakBytes
    figures.timing.decode = cost.samples
    figures.remarks = cost.remarks + reader.stepsLeftOut(of: bytes)
    figures[.original] = originalScore
    // Formulas are those of the system's libraries.
    if request.key.build == nil {
      figures.figures[.predictedPeak] = try reader.predictedMemory(of: bytes, for: decoding)
    }
    try judge(result, request, &figures)
    return figures
  }

  /// The picture that a read delivers, at the wanted size.
  func picture(of request: ReadRequest) throws -> RasterImage {
    let pixels = try reader.decode(bytes, decoding(request.key), limits: session.setup.limits)
    guard let image = pixels.raster else {
      throw Failure(kind: .codec, message: "the route gives no picture to look at")
    }
    return try Self.reduced(image, to: request.key.wanted)
  }

  private static func reduced(_ image: RasterImage, to wanted: WantedPixels) throws -> RasterImage {
    guard case .side(let side) = wanted, max(image.width, image.height) > side else { return image }
    let size = image.size(fitting: side)
    return try image.reduced(toWidth: size.width, height: size.height, by: .lanczos)
  }

  /// Decodes once, for the result alone.
  private func decoded(_ decoding: DecodeRequest) throws -> RequestedPixels {
    guard decoding != .full else { return RequestedPixels(.raster(picture), touchedBytes: bytes.count) }
    var stopwatch = Stopwatch(memoryLimit: session.setup.memoryLimit)
    return try stopwatch.time { () throws(CodecError) in try decode(decoding) }.value
  }

  private func decode(_ decoding: DecodeRequest) throws(CodecError) -> RequestedPixels {
    try reader.decode(bytes, decoding, limits: session.setup.limits)
  }

  /// Decodes once for memory, then `repeats` times for the clock.
  private func weigh(_ decoding: DecodeRequest, repeats: Int) throws -> (RequestedPixels, Cost) {
    var stopwatch = Stopwatch(memoryLimit: session.setup.memoryLimit)
    let call = { [self] () throws(CodecError) in try decode(decoding) }
    // The first call of a route loads library pages that must not count. For a full decode, opening the file has loaded
    // them.
    if decoding != .full { _ = try stopwatch.time(call) }
    let weighed = try session.peak.growth { () throws(Failure) in try stopwatch.time(call) }
    let result = weighed.value.value
    var cost = Cost(
      peakBytes: weighed.bytes, touchedBytes: result.touchedBytes, remarks: result.notes)
    for _ in 0..<max(1, repeats) { cost.samples.append(try stopwatch.time(call).sample) }
    if stopwatch.hasStoppedTime { cost.remarks.append("the process was stopped while it was timed") }
    return (result, cost)
  }

  /// Throws unless a build's worker has loaded the expected libraries.
  private static func expect(
    _ request: ReadRequest, _ format: String, _ registry: CodecRegistry
  ) throws(Failure) {
    guard request.key.build != nil, request.share != .scores, !request.key.libraries.isEmpty,
      let loaded = registry.codec(format)?.traits.libraries.canonicalSpelling
    else { return }
    let expected = LibrarySpelling.halves(of: request.key.libraries).own
    guard loaded != expected else { return }
    throw Failure(
      kind: .codec,
      message: "a worker has loaded \(loaded) and not \(expected), with which the run began; run again")
  }

  /// The file to read and the picture encoded into it, which is nil for a file as it was found.
  private static func opened(
    _ request: ReadRequest, _ session: WorkerSession
  ) throws -> (file: [UInt8], original: RasterImage?) {
    guard let encoding = request.key.encoding else {
      return (try request.key.image.file(at: request.path), nil)
    }
    if encoding.variant.build != nil {
      let shared = try SharedFiles(sharedBy: session.setup)
      let pixels = try shared.pixels()
      guard request.share != .scores else { return (try shared.encoded(), pixels) }
      let file = try encoded(pixels, encoding, session.registry)
      if request.share == .cost { try shared.leave(file) }
      return (file, pixels)
    }
    let bytes = try request.key.image.file(at: request.path)
    guard let reader = session.registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "not an image of a known format")
    }
    let source = try reader.read(bytes, limits: session.setup.limits)
    let prepared = try Preprocessor(session.setup.preparation).prepare(source).image
    return (try encoded(prepared, encoding, session.registry), prepared)
  }

  private static func encoded(
    _ image: RasterImage, _ encoding: ReadEncoding, _ registry: CodecRegistry
  ) throws -> [UInt8] {
    guard let codec = registry.codec(encoding.variant.codec) else {
      throw Failure(kind: .codec, message: "this program has no codec “\(encoding.variant.codec)”")
    }
    if let absence = codec.traits.absence { throw Failure.unsupported(absence) }
    let settings = EncodeSettings(
      variant: encoding.variant, quality: encoding.quality, traits: codec.traits)
    return try codec.encode(image, settings)
  }

  private func decoding(_ key: Case) throws(Failure) -> DecodeRequest {
    let longest = max(picture.width, picture.height)
    let side = if case .side(let side) = key.wanted { min(side, longest) } else { longest }
    switch key.route {
    case .full: return .full
    case .ycbcr: return .ycbcr
    case .scaled: return .scaled(longestSide: side)
    case .thumbnail: return .thumbnail(longestSide: side)
    case .firstTile: return .firstTile
    case .region:
      guard case .part(let width, let height) = key.wanted else {
        throw .unsupported("a region is asked for by its size, such as 512x512")
      }
      return .region(
        PixelRegion.centred(
          width: width, height: height, inWidth: picture.width, height: picture.height))
    }
  }

  private func judge(
    _ result: RequestedPixels, _ request: ReadRequest, _ figures: inout Figures
  ) throws {
    let wanted = request.key.wanted
    guard let image = result.raster else {
      if case .planes(let planes) = result.pixels, let luma = planes.first {
        (figures[.decodedWidth], figures[.decodedHeight]) = (luma.width, luma.height)
        (figures[.deliveredWidth], figures[.deliveredHeight]) = (luma.width, luma.height)
        figures[.decodedBytes] = planes.reduce(0) { $0 + $1.byteCount }
      }
      return
    }
    (figures[.decodedWidth], figures[.decodedHeight]) = (image.width, image.height)
    figures[.decodedBytes] = image.rawByteCount
    let start = MonotonicClock.processCPU()
    let delivered = try Self.reduced(image, to: wanted)
    if (delivered.width, delivered.height) != (image.width, image.height) {
      figures[.reductionCPU] = Int(MonotonicClock.processCPU() - start)
    }
    (figures[.deliveredWidth], figures[.deliveredHeight]) = (delivered.width, delivered.height)
    let longest = max(picture.width, picture.height)
    if case .side(let side) = wanted, max(delivered.width, delivered.height) < min(side, longest) {
      figures.remarks.append("smaller than wanted: would be enlarged")
    }
    if request.share != .cost { try score(delivered, result.region, request, &figures) }
  }

  private func score(
    _ delivered: RasterImage, _ region: PixelRegion?, _ request: ReadRequest, _ figures: inout Figures
  ) throws {
    let kind = ReducedReference.Kind(width: delivered.width, height: delivered.height, region: region)
    if reference?.kind != kind {
      reference = try ReducedReference(kind, of: picture, session.suite)
    }
    guard let reference else { return }
    figures.scores.merge(try reference.prepared.score(delivered)) { $1 }
    figures[.ceiling] = reference.ceiling
    if request.key.route == .thumbnail {
      figures[.aligned] = try reference.alignedScore(of: delivered, picture)
    }
    // Each reference has a name of its own, since programs get it through a file that is written once.
    let name = "\(source.image.contentHash) \(source.variant.name) \(source.quality) \(kind)"
    let further = session.external?.scores(
      of: delivered, against: reference.picture,
      named: ImageIdentity(name: source.image.name, contentHash: name),
      within: request.commandSeconds)
    figures.scores.merge(further?.scores ?? [:]) { $1 }
    figures.failedScores = further?.failed ?? [:]
  }
}
