import CProcessShim
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Pixels
import Workers

/// A file to read by a route, without opening an image.
struct RouteQuestion: Question {
  /// The path's bytes, base 64 in the message, because paths need not be text.
  var path: Data
  var key: Case
  var repeats: Int
  var known: KnownEncode?
  var commandSeconds = 0.0
  var share = Share.everything
  /// The path of an HDR original that pictures with the gain map applied are scored against.
  var hdrOriginal: Data?

  /// One worker's share of a read. A build's worker reads for its own times; the result is scored through the system's
  /// decoder, as in a sweep.
  enum Share: String, Codable, Sendable {
    case everything
    /// Times and memory of the worker's own libraries.
    case cost
    /// Scores of another worker's file, without times.
    case scores
  }

  /// An encode that was measured before, whose score holds for the same bytes.
  struct KnownEncode: Codable, Sendable {
    /// SHA-256, 64 hexadecimal digits.
    var hash: String
    var score: Double
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Figures {
    try measurer(in: session).measure(self)
  }

  /// Remarks on unchanged files only. The table says what other routes leave out: “decoded whole, then cropped”.
  func remarks(in answer: Answer) -> [String: [String]] {
    key.encodedAt == nil && [.full, .scaled].contains(key.route) ? [key.image.name: answer.remarks] : [:]
  }

  func verify(_ figures: inout Figures, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    if let problem = figures.impossibility(of: key.way, repeats: share == .scores ? 0 : repeats) {
      throw .init(detail: problem)
    }
    let setup = check.setup
    try check.check(
      figures.scores,
      asked: setup.metrics + setup.externalMetrics.map(\.id) + ReadScore.allCases.map(\.name))
    figures.format = figures.format.map(check.clean)
    figures.failedScores = try check.checked(failedScores: figures.failedScores)
    figures.remarks = try check.clean(figures.remarks)
    if let parts = figures.gainMap { figures.gainMap?.kinds = try check.clean(parts.kinds) }
  }

  /// Opens the file and keeps it open until the next one.
  fileprivate func measurer(in session: WorkerSession) throws -> ReadMeasurer {
    session.image = nil
    if let file = session[ReadMeasurer.self], file.holds(key) { return file }
    session[ReadMeasurer.self] = nil
    hb_trim_memory()
    let opened = try ReadMeasurer(self, session)
    session[ReadMeasurer.self] = opened
    return opened
  }
}

/// The picture that a read delivers, as a PNG after the answer.
struct RoutePictureQuestion: Question {
  var read: RouteQuestion

  struct Size: Codable, Sendable {
    var width, height: Int
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Attached<Size> {
    let shown = try read.measurer(in: session).picture(of: read)
    return Attached(
      Size(width: shown.width, height: shown.height), try session.registry.writer.preview(shown))
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ answer: inout Attached<Size>, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(width: answer.body.width, height: answer.body.height)
  }

  func attachment(of answer: Attached<Size>, by _: AnswerCheck) -> ClosedRange<Int> {
    1...RenderQuestion.mostBytes(pixels: answer.body.width * answer.body.height)
  }
}

extension WorkerSlot {
  /// Reads a file by a route. The system's decoder scores what a build's worker has read, as in a sweep, unless builds
  /// score their own files.
  func read(
    _ question: RouteQuestion, of file: ImageFile, within seconds: Double
  ) throws -> Response<Figures> {
    try readable(question, of: file).map { _ in
      var question = question
      let (build, limit) = (question.key.build, seconds + commandSeconds(beside: seconds))
      let isScored = build != nil && !configuration.scoresThroughBuild
      if isScored { question.share = .cost }
      let cost = try ask(question, build: build, within: limit)
      guard isScored, case .answered(let figures) = cost else { return cost }
      question.share = .scores
      return Self.joined(figures, scored: try ask(question, within: limit))
    }
  }

  /// Makes sure that a build's worker finds the pixels to encode before a read.
  private func readable(_ question: RouteQuestion, of file: ImageFile) throws -> Response<Void> {
    guard question.key.build != nil, question.key.encodedAt != nil else { return .answered(()) }
    return try handOver(file)
  }

  /// Combines a build's figures with the scores from the system's decoder. A file that only the build can read has no
  /// scores.
  private static func joined(_ figures: Figures, scored: Response<Figures>) -> Response<Figures> {
    var figures = figures
    switch scored {
    case .cancelled, .unusable: return scored
    case .failed(let failure) where failure.isWorthRetrying: return scored
    case .failed(let failure):
      figures.remarks.append("not scored: the system's decoder reports: \(failure.message)")
    case .answered(let scored):
      if scored.encodedBytes == figures.encodedBytes, scored[.width] == figures[.width],
        scored[.height] == figures[.height]
      {
        (figures.scores, figures.failedScores) = (scored.scores, scored.failedScores)
      } else {
        figures.remarks.append("not scored: the system's decoder gives a different picture")
      }
    }
    return .answered(figures)
  }

  /// Returns the picture that a read delivers, as PNG, decoded by the read's libraries.
  func show(
    _ question: RouteQuestion, of file: ImageFile, within seconds: Double
  ) throws -> Response<[UInt8]> {
    try readable(question, of: file).map { _ in
      try ask(RoutePictureQuestion(read: question), build: question.key.build, within: seconds).map {
        .answered($0.bytes)
      }
    }
  }
}

/// A file that a worker reads by one route after another: its bytes and decoded picture.
private final class ReadMeasurer {
  private let session: WorkerSession
  private let source: Case
  private let bytes: [UInt8]
  private let format: String
  private let reader: any ImageReader
  /// The whole picture, upright.
  private let picture: RasterImage
  /// The picture's score against the encoder's input; nil for an unchanged file.
  private var originalScore: Double?
  private var reference: ReducedReference?
  /// The cost of a full decode, which is independent of the wanted size.
  private var whole: Figures?

  /// Reads a file, encodes its picture if a codec is requested, and decodes the result once in full. A build encodes
  /// the pixels that the system's worker wrote for it, and leaves its encode for that worker.
  init(_ question: RouteQuestion, _ session: WorkerSession) throws {
    (self.session, source) = (session, question.key)
    let (bytes, original) = try Self.opened(question, session)
    (self.bytes, reader) = (bytes, try session.registry.imageReader(for: bytes))
    hb_clear_errno()
    let header = try reader.anyHeader(of: bytes)
    format = header.format
    if question.key.build != nil, question.share != .scores, !question.key.libraries.isEmpty {
      try session.registry.codec(format)?.expect(
        libraries: LibrarySpelling.halves(of: question.key.libraries).own)
    }
    var limits = session.setup.limits
    if question.key.route == .gainMap, header.hdr != nil { limits.light = HDRViewing(source: .file) }
    guard let picture = try reader.decode(bytes, .full, limits: limits).raster else {
      throw Failure(kind: .source, message: "contains no picture")
    }
    self.picture = picture
    guard question.share != .cost else { return }
    if let known = question.known, known.hash == SHA256.hexDigest(of: bytes) {
      originalScore = known.score
    } else if let original {
      originalScore = try session.suite.prepare(original).score(picture)[MetricTraits.headline.id]
    }
  }

  func holds(_ key: Case) -> Bool { key.image == source.image && key.encoding == source.encoding }

  /// Reads by a route `question.repeats` times, and scores the result.
  func measure(_ question: RouteQuestion) throws -> Figures {
    if question.key.route == .gainMap { return try measureGainMap(question) }
    let decoding = try decoding(question.key)
    let all = RequestedPixels(.raster(picture), touchedBytes: bytes.count)
    var (result, figures) = (all, whole ?? costs(of: all))
    if question.share == .scores {
      if decoding != .full {
        var stopwatch = Stopwatch(memoryLimit: session.setup.memoryLimit)
        result = try stopwatch.time { () throws(CodecError) in
          try reader.decode(bytes, decoding, limits: session.setup.limits)
        }.value
      }
      figures = costs(of: result)
    } else if decoding != .full || figures.timing.decode.count != max(1, question.repeats) {
      (result, figures) = try weigh(decoding, repeats: question.repeats)
      if decoding == .full { whole = figures }
    }
    figures.remarks += reader.stepsLeftOut(of: bytes)
    figures[.original] = originalScore
    // The formulas describe the system's libraries.
    if question.key.build == nil {
      figures.figures[.predictedPeak] = try reader.predictedMemory(of: bytes, for: decoding)
    }
    try judge(result, question, &figures)
    return figures
  }

  /// Splits the file into its parts, measures a decode with the gain map fully applied, and scores what displays show.
  private func measureGainMap(_ question: RouteQuestion) throws -> Figures {
    guard let file = try GainMapFile(bytes) else { throw Failure.unsupported("the file has no gain map") }
    let limits = session.setup.limits
    var (result, figures) = try weigh(repeats: question.repeats, isWarm: false) { () throws(CodecError) in
      let picture = try file.decode(limits: limits).applied(atHeadroom: file.metadata.maximumHeadroom)
      return RequestedPixels(.raster(picture), touchedBytes: bytes.count)
    }
    if let image = result.raster {
      (figures[.decodedWidth], figures[.decodedHeight]) = (image.width, image.height)
      (figures[.deliveredWidth], figures[.deliveredHeight]) = (image.width, image.height)
      figures[.decodedBytes] = image.rawByteCount
    }
    var parts = file.figures
    if let path = question.hdrOriginal {
      let original = try HDROriginal.read([UInt8](path), limits: limits)
      let suite = try MetricSuite(MetricTraits.hdr.map(\.id)).prepare(original)
      let decoded = try file.decode(limits: limits)
      parts.pictures = try parts.shownHeadrooms.map { headroom in
        GainMapFigures.Picture(
          headroom: headroom, scores: try suite.score(decoded.applied(atHeadroom: headroom)))
      }
    }
    figures.gainMap = parts
    return figures
  }

  /// The figures of a decode about which only the bytes it read are known.
  private func costs(of pixels: RequestedPixels) -> Figures {
    Figures(
      format: format, fileBytes: bytes.count, width: picture.width, height: picture.height,
      touchedBytes: pixels.touchedBytes)
  }

  func picture(of question: RouteQuestion) throws -> RasterImage {
    let pixels = try reader.decode(bytes, decoding(question.key), limits: session.setup.limits)
    guard let image = pixels.raster else {
      throw Failure(kind: .codec, message: "this decoding method does not produce a picture")
    }
    return try Self.reduced(image, to: question.key.wanted)
  }

  private static func reduced(_ image: RasterImage, to wanted: WantedPixels) throws -> RasterImage {
    guard case .side(let side) = wanted, max(image.width, image.height) > side else { return image }
    let size = image.size(fitting: side)
    return try image.reduced(toWidth: size.width, height: size.height, by: .lanczos)
  }

  private func weigh(_ decoding: DecodePart, repeats: Int) throws -> (RequestedPixels, Figures) {
    // For a full decode, opening the file has already loaded the library's pages.
    try weigh(repeats: repeats, isWarm: decoding == .full) { () throws(CodecError) in
      try reader.decode(bytes, decoding, limits: session.setup.limits)
    }
  }

  private func weigh(
    repeats: Int, isWarm: Bool, _ call: () throws(CodecError) -> RequestedPixels
  ) throws -> (RequestedPixels, Figures) {
    var stopwatch = Stopwatch(memoryLimit: session.setup.memoryLimit)
    // The first call of a route loads library pages, which must not count.
    if !isWarm { _ = try stopwatch.time(call) }
    let weighed = try session.peak.growth { () throws(Failure) in try stopwatch.time(call) }
    let result = weighed.value.value
    var figures = costs(of: result)
    (figures.figures[.decodePeak], figures.remarks) = (weighed.bytes, result.notes)
    for _ in 0..<max(1, repeats) { figures.timing.decode.append(try stopwatch.time(call).sample) }
    if stopwatch.hasStoppedTime { figures.remarks.append("the process was stopped while it was timed") }
    return (result, figures)
  }

  /// The file to read and the picture encoded into it; the picture is nil for an unchanged file.
  private static func opened(
    _ question: RouteQuestion, _ session: WorkerSession
  ) throws -> (file: [UInt8], original: RasterImage?) {
    guard let encoding = question.key.encoding else {
      return (try question.key.image.file(at: question.path), nil)
    }
    if encoding.variant.build != nil {
      let shared = try SharedFiles(sharedBy: session.setup)
      let pixels = try shared.pixels()
      guard question.share != .scores else { return (try shared.encoded(), pixels) }
      let file = try encoded(pixels, encoding, session.registry)
      if question.share == .cost { try shared.leave(file) }
      return (file, pixels)
    }
    let bytes = try question.key.image.file(at: question.path)
    let source = try session.registry.imageReader(for: bytes).read(bytes, limits: session.setup.limits)
    let prepared = try Preprocessor(session.setup.preparation).prepare(source).image
    return (try encoded(prepared, encoding, session.registry), prepared)
  }

  private static func encoded(
    _ image: RasterImage, _ encoding: ReadEncoding, _ registry: CodecRegistry
  ) throws -> [UInt8] {
    let codec = try registry.usableCodec(encoding.variant.codec)
    let settings = EncodeSettings(
      variant: encoding.variant, quality: encoding.quality, traits: codec.traits)
    return try codec.encode(image, settings)
  }

  private func decoding(_ key: Case) throws(Failure) -> DecodePart {
    let longest = max(picture.width, picture.height)
    let side = if case .side(let side) = key.wanted { min(side, longest) } else { longest }
    switch key.route {
    case .full: return .full
    case .ycbcr: return .ycbcr
    case .scaled: return .scaled(longestSide: side)
    case .thumbnail: return .thumbnail(longestSide: side)
    case .firstTile: return .firstTile
    case .gainMap: throw .unsupported("a gain map is applied to the whole picture")
    case .region:
      guard case .part(let width, let height) = key.wanted else {
        throw .unsupported("give a region by its size, such as 512x512")
      }
      return .region(
        PixelRegion.centred(
          width: width, height: height, inWidth: picture.width, height: picture.height))
    }
  }

  private func judge(
    _ result: RequestedPixels, _ question: RouteQuestion, _ figures: inout Figures
  ) throws {
    let wanted = question.key.wanted
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
    if question.share != .cost { try score(delivered, result.region, question, &figures) }
  }

  private func score(
    _ delivered: RasterImage, _ region: PixelRegion?, _ question: RouteQuestion, _ figures: inout Figures
  ) throws {
    let kind = ReducedReference.Kind(width: delivered.width, height: delivered.height, region: region)
    if reference?.kind != kind {
      reference = try ReducedReference(kind, of: picture, session.suite)
    }
    guard let reference else { return }
    figures.scores.merge(try reference.prepared.score(delivered)) { $1 }
    figures[.ceiling] = reference.ceiling
    if question.key.route == .thumbnail {
      figures[.aligned] = try reference.alignedScore(of: delivered, picture)
    }
    // Each reference has its own name, since metric programs get it through a file that is written once.
    let name = "\(source.image.contentHash) \(source.variant.name) \(source.quality) \(kind)"
    let further = session.external?.scores(
      of: delivered, against: reference.picture,
      named: ImageIdentity(name: source.image.name, contentHash: name),
      within: question.commandSeconds)
    figures.scores.merge(further?.scores ?? [:]) { $1 }
    figures.failedScores = further?.failed ?? [:]
  }
}
