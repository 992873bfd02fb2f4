import CProcessShim
import CodecKit
import Foundation
import Metrics
import Model
import Pixels

/// A file that a worker reads by one route after the other: its bytes, and the picture that they hold.
final class ReadMeasurer {
  /// What the file is.
  struct Source: Hashable {
    var image: ImageIdentity
    var encoding: ReadEncoding?
  }

  /// What is read.
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
  /// How well the picture shows what was encoded; nil for a file as it was found.
  private var originalScore: Double?
  private var reference: ReadReference?
  /// What decoding all of it costs, which is the same whatever size is wanted.
  private var whole: Cost?

  /// What a decode took, whatever is made of its pixels.
  private struct Cost {
    var samples: [TimingSample]
    var peakBytes: Int?
    var touchedBytes: Int
    var remarks: [String]
  }

  /// Reads a file, encodes its picture where a codec is asked for, and decodes all of it once. A build's encodes begin
  /// with the pixels that the system's worker has left, and their files are left for it.
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

  /// Reads by a route, so many times, and judges what comes out.
  func measure(_ request: ReadRequest) throws(PointProblem) -> ReadMeasurement {
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
    var measurement = ReadMeasurement(
      format: format, fileBytes: bytes.count, width: picture.width, height: picture.height,
      touchedBytes: cost.touchedBytes)
    (measurement.peakBytes, measurement.samples) = (cost.peakBytes, cost.samples)
    measurement.remarks = cost.remarks + leftOut
    measurement.originalSSIMULACRA2 = originalScore
    do {
      // Formulas are of the system's libraries.
      if request.key.build == nil {
        measurement.predictedBytes = try reader.predictedMemory(of: bytes, for: decoding)
      }
      try judge(result, request, &measurement)
    } catch {
      throw PointProblem(error, memoryLimit: setup.memoryLimit)
    }
    return measurement
  }

  /// What a read delivers, at the wanted size.
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

  /// Decodes once, for what comes out.
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

  /// Decodes for the memory and then so many times for the clock.
  private func weigh(
    _ decoding: DecodeRequest, repeats: Int
  ) throws(PointProblem) -> (RequestedPixels, Cost) {
    var stopwatch = Stopwatch(memoryLimit: setup.memoryLimit)
    let (reader, bytes, limits) = (reader, bytes, setup.limits)
    let call = { () throws(CodecError) -> RequestedPixels in
      try reader.decode(bytes, decoding, limits: limits)
    }
    // The first call of a route loads pages of libraries, which are nobody's pixels. All of the picture was decoded
    // when the file was opened.
    if decoding != .full { _ = try stopwatch.time(call) }
    let weighed = try peak.growth { () throws(PointProblem) in try stopwatch.time(call) }
    let result = weighed.value.value
    var cost = Cost(
      samples: [], peakBytes: weighed.bytes, touchedBytes: result.touchedBytes, remarks: result.notes)
    for _ in 0..<max(1, repeats) { cost.samples.append(try stopwatch.time(call).sample) }
    if stopwatch.hasStoppedTime { cost.remarks.append("the process was stopped while it was timed") }
    return (result, cost)
  }

  /// Refuses to read for another name than that of what a build's worker has loaded.
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

  /// The file that is read, and what was encoded into it; nil of a file as it was found.
  private static func opened(
    _ request: ReadRequest, setup: WorkerSetup, registry: CodecRegistry
  ) throws -> (file: [UInt8], original: RasterImage?) {
    if let encoding = request.key.encoding, encoding.variant.build != nil {
      let shared = try HandedOver(sharedBy: setup)
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

  /// The bytes of the file as it was found.
  static func foundFile(of request: ReadRequest) throws -> [UInt8] {
    let bytes = try SourceFile.bytes(at: [UInt8](request.path))
    guard SHA256.hexDigest(of: bytes) == request.key.image.contentHash else {
      throw Failure(kind: .source, message: "the file changed after the run began; run again to measure it")
    }
    return bytes
  }

  /// The picture as a codec writes it.
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
    _ result: RequestedPixels, _ request: ReadRequest, _ measurement: inout ReadMeasurement
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
    _ delivered: RasterImage, _ region: PixelRegion?, isThumbnail: Bool, _ measurement: inout ReadMeasurement
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

/// The honest picture that what comes out of a route is held against.
final class ReadReference {
  /// Which pixels.
  struct Kind: Hashable {
    var width, height: Int
    var region: PixelRegion?
  }

  /// Which pixels.
  let kind: Kind
  /// The metrics' side of it.
  let prepared: PreparedSuite
  /// What the mean of areas, another good filter, scores against it; nil where nothing was reduced.
  let ceiling: Double?

  /// Takes the region out of a picture or reduces all of it, in linear light.
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

  /// The score against the picture moved by the part of a pixel, at most one in each direction, that brings it
  /// closest: found by the squared error in steps of a half, then of a quarter, with each of the two filters. A
  /// thumbnail that shows what one good filter shows is as good as one that shows what the other does.
  func alignedScore(of image: RasterImage, _ picture: RasterImage, _ suite: MetricSuite) throws -> Double? {
    // Four times the size is enough to move by a quarter of a pixel, and small enough to do so often.
    let (w, h) = (min(picture.width, kind.width * 4), min(picture.height, kind.height * 4))
    return try [ReductionFilter.lanczos, .area].compactMap { filter in
      let closest = try closest(to: image, picture.reduced(toWidth: w, height: h, by: filter), filter)
      return try suite.prepare(closest).score(image)["ssimulacra2"]
    }.max()
  }

  /// What a filter makes of a picture, moved by what brings it closest to an image.
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

  /// A shift in quarters of a pixel.
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
