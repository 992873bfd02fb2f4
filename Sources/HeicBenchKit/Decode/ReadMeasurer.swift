import CProcessShim
import CodecKit
import Foundation
import Metrics
import Model
import Pixels
import Workers

/// A file that a worker reads by one route after the other: its bytes and decoded picture.
final class ReadMeasurer {
  struct Source: Hashable {
    var image: ImageIdentity
    var encoding: ReadEncoding?
  }

  let source: Source
  private let bytes: [UInt8]
  private let format: String
  private let reader: any ImageReader
  private let leftOut: [String]
  private let setup: WorkerSetup
  private let peak: PeakMemory
  private let suite: MetricSuite
  /// The whole picture, upright.
  private let picture: RasterImage
  /// The picture's score against the encoder's input; nil for a file as it was found.
  private var originalScore: Double?
  private var reference: ReadReference?
  /// The cost of decoding all of it, which is independent of the wanted size.
  private var whole: Cost?

  /// The cost of a decode, without any use of its pixels.
  private struct Cost {
    var samples: [TimingSample]
    var peakBytes: Int?
    var touchedBytes: Int
    var remarks: [String]
  }

  /// Reads a file, encodes its picture if a codec is requested, and decodes all of it once. A build encodes the pixels
  /// that the system's worker left, and leaves its file for that worker.
  init(
    _ request: ReadRequest, setup: WorkerSetup, registry: CodecRegistry, peak: PeakMemory
  ) throws(PointProblem) {
    source = Source(image: request.key.image, encoding: request.key.encoding)
    self.setup = setup
    self.peak = peak
    do {
      suite = try MetricSuite(["ssimulacra2", "psnr-y"])
      let opened = try Self.opened(request, setup: setup, registry: registry)
      let (bytes, original) = (opened.file, request.share == .cost ? nil : opened.original)
      guard let reader = registry.reader(for: bytes) else {
        throw Failure(kind: .source, message: "not an image of a known format")
      }
      self.bytes = bytes
      self.reader = reader
      leftOut = reader.stepsLeftOut(of: bytes)
      hb_clear_errno()
      format = try reader.header(of: bytes).format
      try Self.expect(request, format, registry)
      guard let picture = try reader.decode(bytes, .full, limits: setup.limits).raster else {
        throw Failure(kind: .source, message: "holds no picture")
      }
      self.picture = picture
      originalScore = try original.flatMap { try suite.prepare($0).score(picture)["ssimulacra2"] }
    } catch {
      throw PointProblem(error, memoryLimit: setup.memoryLimit)
    }
  }

  /// Reads by a route `request.repeats` times, and scores the result.
  func measure(_ request: ReadRequest) throws(PointProblem) -> Figures {
    let (route, wanted) = (request.key.route, request.key.wanted)
    let decoding = try self.request(route, wanted)
    let result: RequestedPixels
    let cost: Cost
    if request.share == .scores {
      result = try decoded(decoding, route)
      cost = Cost(samples: [], touchedBytes: result.touchedBytes, remarks: [])
    } else if route == .full, let whole, whole.samples.count == max(1, request.repeats) {
      (result, cost) = (RequestedPixels(.raster(picture), touchedBytes: whole.touchedBytes), whole)
    } else {
      (result, cost) = try weigh(decoding, repeats: request.repeats)
      if route == .full { whole = cost }
    }
    var measurement = Figures(
      format: format, fileBytes: bytes.count, width: picture.width, height: picture.height,
      touchedBytes: cost.touchedBytes)
    (measurement.peakBytes, measurement.samples) = (cost.peakBytes, cost.samples)
    measurement.remarks = cost.remarks + leftOut
    measurement.originalSSIMULACRA2 = originalScore
    do {
      // Formulas are those of the system's libraries.
      if request.key.build == nil {
        measurement.predictedBytes = try reader.predictedMemory(of: bytes, for: decoding)
      }
      try judge(result, request, &measurement)
    } catch {
      throw PointProblem(error, memoryLimit: setup.memoryLimit)
    }
    return measurement
  }

  /// The picture that a read delivers, at the wanted size.
  func picture(of request: ReadRequest) throws -> RasterImage {
    let decoding = try self.request(request.key.route, request.key.wanted)
    guard let image = try reader.decode(bytes, decoding, limits: setup.limits).raster else {
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
  private func decoded(
    _ decoding: DecodeRequest, _ route: ReadRoute
  ) throws(PointProblem) -> RequestedPixels {
    guard route != .full else { return RequestedPixels(.raster(picture), touchedBytes: bytes.count) }
    var stopwatch = Stopwatch(memoryLimit: setup.memoryLimit)
    let (reader, bytes, limits) = (reader, bytes, setup.limits)
    return try stopwatch.time { () throws(CodecError) in
      try reader.decode(bytes, decoding, limits: limits)
    }.value
  }

  /// Decodes once for memory, then `repeats` times for the clock.
  private func weigh(
    _ decoding: DecodeRequest, repeats: Int
  ) throws(PointProblem) -> (RequestedPixels, Cost) {
    var stopwatch = Stopwatch(memoryLimit: setup.memoryLimit)
    let (reader, bytes, limits) = (reader, bytes, setup.limits)
    let call = { () throws(CodecError) -> RequestedPixels in
      try reader.decode(bytes, decoding, limits: limits)
    }
    // The first call of a route loads library pages that must not count. For a full decode, opening the file has loaded
    // them.
    if decoding != .full { _ = try stopwatch.time(call) }
    let weighed = try peak.growth { () throws(PointProblem) in try stopwatch.time(call) }
    let result = weighed.value.value
    var cost = Cost(
      samples: [], peakBytes: weighed.bytes, touchedBytes: result.touchedBytes, remarks: result.notes)
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
    _ request: ReadRequest, setup: WorkerSetup, registry: CodecRegistry
  ) throws -> (file: [UInt8], original: RasterImage?) {
    if let encoding = request.key.encoding, encoding.variant.build != nil {
      let shared = try SharedFiles(sharedBy: setup)
      let pixels = try shared.pixels()
      guard request.share != .scores else { return (try shared.encoded(), pixels) }
      let file = try encoded(pixels, encoding, registry)
      if request.share == .cost { try shared.leave(file) }
      return (file, pixels)
    }
    let bytes = try foundFile(of: request)
    guard let encoding = request.key.encoding else { return (bytes, nil) }
    guard let reader = registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "not an image of a known format")
    }
    let source = try reader.read(bytes, limits: setup.limits)
    let prepared = try Preprocessor(setup.preparation).prepare(source).image
    return (try encoded(prepared, encoding, registry), prepared)
  }

  /// The file's bytes. Throws if its hash has changed.
  static func foundFile(of request: ReadRequest) throws -> [UInt8] {
    let bytes = try SourceFile.bytes(at: [UInt8](request.path))
    guard SHA256.hexDigest(of: bytes) == request.key.image.contentHash else {
      throw OpenImage.changed
    }
    return bytes
  }

  private static func encoded(
    _ image: RasterImage, _ encoding: ReadEncoding, _ registry: CodecRegistry
  ) throws -> [UInt8] {
    guard let codec = registry.codec(encoding.variant.codec) else {
      throw Failure(kind: .codec, message: "this program has no codec “\(encoding.variant.codec)”")
    }
    if let absence = codec.traits.absence { throw PointProblem.unsupported(absence) }
    let settings = EncodeSettings(
      variant: encoding.variant, quality: encoding.quality, traits: codec.traits)
    return try codec.encode(image, settings)
  }

  private func request(_ route: ReadRoute, _ wanted: WantedPixels) throws(PointProblem) -> DecodeRequest {
    let longest = max(picture.width, picture.height)
    let side = if case .side(let side) = wanted { min(side, longest) } else { longest }
    switch route {
    case .full: return .full
    case .ycbcr: return .ycbcr
    case .scaled: return .scaled(longestSide: side)
    case .thumbnail: return .thumbnail(longestSide: side)
    case .firstTile: return .firstTile
    case .region:
      guard case .part(let width, let height) = wanted else {
        throw .unsupported("a region is asked for by its size, such as 512x512")
      }
      return .region(
        PixelRegion.centred(
          width: width, height: height, inWidth: picture.width, height: picture.height))
    }
  }

  private func judge(
    _ result: RequestedPixels, _ request: ReadRequest, _ measurement: inout Figures
  ) throws {
    let wanted = request.key.wanted
    guard let image = result.raster else {
      if case .planes(let planes) = result.pixels, let luma = planes.first {
        (measurement.decodedWidth, measurement.decodedHeight) = (luma.width, luma.height)
        (measurement.deliveredWidth, measurement.deliveredHeight) = (luma.width, luma.height)
        measurement.decodedBytes = planes.reduce(0) { $0 + $1.byteCount }
      }
      return
    }
    (measurement.decodedWidth, measurement.decodedHeight) = (image.width, image.height)
    measurement.decodedBytes = image.rawByteCount
    let start = MonotonicClock.processCPU()
    let delivered = try Self.reduced(image, to: wanted)
    if (delivered.width, delivered.height) != (image.width, image.height) {
      measurement.reductionCPUNanoseconds = MonotonicClock.processCPU() - start
    }
    (measurement.deliveredWidth, measurement.deliveredHeight) = (delivered.width, delivered.height)
    let longest = max(picture.width, picture.height)
    if case .side(let side) = wanted, max(delivered.width, delivered.height) < min(side, longest) {
      measurement.remarks.append("smaller than wanted: would be enlarged")
    }
    guard request.share != .cost else { return }
    try score(delivered, result.region, isThumbnail: request.key.route == .thumbnail, &measurement)
  }

  private func score(
    _ delivered: RasterImage, _ region: PixelRegion?, isThumbnail: Bool, _ measurement: inout Figures
  ) throws {
    let kind = ReadReference.Kind(width: delivered.width, height: delivered.height, region: region)
    if reference?.kind != kind { reference = try ReadReference(kind, of: picture, suite) }
    guard let reference else { return }
    let scores = try reference.prepared.score(delivered)
    measurement.ssimulacra2 = scores["ssimulacra2"]
    measurement.psnrLuma = scores["psnr-y"]
    measurement.ceilingSSIMULACRA2 = reference.ceiling
    if isThumbnail {
      measurement.alignedSSIMULACRA2 = try reference.alignedScore(of: delivered, picture, suite)
    }
  }
}

/// The reference picture for the result of a route.
final class ReadReference {
  struct Kind: Hashable {
    var width, height: Int
    var region: PixelRegion?
  }

  let kind: Kind
  let prepared: PreparedSuite
  /// The score of the mean of areas, another good filter, against it; nil if nothing was reduced.
  let ceiling: Double?

  /// Crops the picture to the region, or reduces all of it in linear light.
  init(_ kind: Kind, of picture: RasterImage, _ suite: MetricSuite) throws {
    self.kind = kind
    let whole = kind.region.flatMap(picture.cropped) ?? picture
    guard kind.width <= whole.width, kind.height <= whole.height else {
      throw Failure(
        kind: .codec,
        message: "decoded \(kind.width)×\(kind.height) of a picture of \(whole.width)×\(whole.height)")
    }
    let honest = try whole.reduced(toWidth: kind.width, height: kind.height, by: .lanczos)
    prepared = try suite.prepare(honest)
    let isReduced = kind.width < whole.width || kind.height < whole.height
    ceiling =
      isReduced
      ? try prepared.score(whole.reduced(toWidth: kind.width, height: kind.height))["ssimulacra2"] : nil
  }

  /// The score against the picture shifted by the fraction of a pixel, at most one in each direction, that brings it
  /// closest: found by squared error in steps of a half, then a quarter, with each of two filters. A thumbnail that
  /// matches one good filter is as good as one that matches the other.
  func alignedScore(of image: RasterImage, _ picture: RasterImage, _ suite: MetricSuite) throws -> Double? {
    // Four times the size suffices for shifts of a quarter of a pixel, and is small enough to repeat them.
    let (w, h) = (min(picture.width, kind.width * 4), min(picture.height, kind.height * 4))
    return try [ReductionFilter.lanczos, .area].compactMap { filter in
      let closest = try closest(to: image, picture.reduced(toWidth: w, height: h, by: filter), filter)
      return try suite.prepare(closest).score(image)["ssimulacra2"]
    }.max()
  }

  /// The reduction of a picture by a filter, at the shift that brings it closest to an image.
  private func closest(
    to image: RasterImage, _ base: RasterImage, _ filter: ReductionFilter
  ) throws -> RasterImage {
    let reductions = try MovedReductions(base, width: kind.width, height: kind.height, by: filter)
    func moved(x: Int, ys: [Int]) -> [RasterImage] {
      reductions.moved(x: Double(x) / 4, ys: ys.map { Double($0) / 4 })
    }
    var best = (shift: Shift(x: 0, y: 0), error: Double.infinity)
    for (step, reach) in [(2, 2), (1, 1)] {
      let trials = (-reach...reach).map { $0 * step }
      let (xs, ys) = (
        trials.map { best.shift.x + $0 }.filter { abs($0) <= 4 },
        trials.map { best.shift.y + $0 }.filter { abs($0) <= 4 }
      )
      for x in xs {
        for (y, candidate) in zip(ys, moved(x: x, ys: ys)) {
          let error = Self.squaredError(candidate, image)
          if error < best.error { best = (Shift(x: x, y: y), error) }
        }
      }
    }
    return moved(x: best.shift.x, ys: [best.shift.y])[0]
  }

  private struct Shift {
    var x, y: Int
  }

  private static func squaredError(_ a: RasterImage, _ b: RasterImage) -> Double {
    let (a, b) = (a.scaledDepth(to: 8), b.scaledDepth(to: 8))
    guard a.format.layout == b.format.layout, case .bytes(let first) = a.samples,
      case .bytes(let second) = b.samples
    else { return .infinity }
    return zip(first, second).reduce(0.0) { sum, pair in
      let difference = Double(Int(pair.0) - Int(pair.1))
      return sum + difference * difference
    }
  }
}
