import CProcessShim
import CodecKit
import Metrics
import Model
import Pixels

/// What a worker does for a view, one request after the other: opens a picture, takes pixels through a codec.
final class ViewDesk {
  private let registry: CodecRegistry
  private let setup: WorkerSetup
  /// What was encoded last, and by which codec.
  private var encoded: (raster: RasterImage, file: [UInt8], codec: any ImageCodec)?
  private var decoded: RasterImage?

  /// A desk of a worker with this setup.
  init(setup: WorkerSetup, registry: CodecRegistry) {
    self.setup = setup
    self.registry = registry
  }

  /// The reply to a request with so many bytes behind it, and the bytes that go behind the reply.
  func answer(_ request: ViewRequest, _ payload: [UInt8]) -> (ViewReply, [UInt8]) {
    hb_clear_errno()
    do {
      switch request {
      case .open(let preparation): return try open(payload, preparation)
      case .thumbnail(let side): return try thumbnail(payload, side)
      case .encode(let shape, let variant, let quality):
        return try encode(shape, payload, variant, quality)
      case .decode: return try decode()
      case .score(let metrics): return (.scored(try score(metrics)), [])
      }
    } catch {
      return (.failed(failure(error)), [])
    }
  }

  private func open(_ file: [UInt8], _ preparation: Preparation) throws -> (ViewReply, [UInt8]) {
    (encoded, decoded) = (nil, nil)
    hb_trim_memory()
    let reader = try reader(of: file)
    let header = try reader.header(of: file)
    let prepared = try Preprocessor(preparation).prepare(try reader.read(file, limits: setup.limits))
    let image = prepared.image
    let facts = OpenedPicture(
      header: header, shape: RasterShape(image), profile: image.profile.title,
      steps: prepared.steps + reader.stepsLeftOut(of: file))
    return (.opened(facts), image.sampleBytes + image.displayPixels())
  }

  private func thumbnail(_ file: [UInt8], _ side: Int) throws -> (ViewReply, [UInt8]) {
    let reader = try reader(of: file)
    let (image, route) = try smallPicture(file, reader, side)
    let size = image.size(fitting: side)
    let small = try image.reduced(toWidth: size.width, height: size.height)
    return (.thumbnail(width: small.width, height: small.height, route: route), small.displayPixels())
  }

  /// The first route, the cheapest first, that gives the whole picture in its own proportions and at least at the
  /// wanted size. Cameras pad embedded thumbnails with black bars and forget to turn them; such ones are passed over.
  private func smallPicture(
    _ file: [UInt8], _ reader: any ImageReader, _ side: Int
  ) throws -> (RasterImage, String) {
    let header = try reader.header(of: file)
    for (request, route) in [
      (DecodeRequest.thumbnail(longestSide: side), "embedded thumbnail"),
      (.scaled(longestSide: side), "reduced while decoding"),
    ] {
      guard let image = try? reader.decode(file, request, limits: setup.limits).raster,
        max(image.width, image.height) >= min(side, max(header.width, header.height)),
        Self.isWhole(image, of: header)
      else { continue }
      return (image, route)
    }
    guard let image = try reader.decode(file, .full, limits: setup.limits).raster else {
      throw Failure(kind: .source, message: "holds no picture")
    }
    return (image, "decoded whole")
  }

  /// Whether the sides are in proportion, upright or lying, to within the rounding of a small picture's pixels.
  private static func isWhole(_ image: RasterImage, of header: ImageHeader) -> Bool {
    let (w, h) = (Double(header.width), Double(header.height))
    let ratio = Double(max(image.width, image.height)) / Double(max(1, min(image.width, image.height)))
    let expected = max(w, h) / max(1, min(w, h))
    return abs(ratio - expected) <= expected * 1.5 / Double(max(1, min(image.width, image.height)))
  }

  private func encode(
    _ shape: RasterShape, _ samples: [UInt8], _ variant: CodecVariant, _ quality: Quality
  ) throws -> (ViewReply, [UInt8]) {
    (encoded, decoded) = (nil, nil)
    guard let image = shape.image(samples) else {
      throw Failure(kind: .broken, message: "the samples are not those of their image")
    }
    let measurer = try PointMeasurer(
      variant: variant, quality: quality, image: image, registry: registry, memoryLimit: setup.memoryLimit)
    var timed = measurer
    let result = try timed.encode { _ in true }
    encoded = (image, result.first, measurer.codec)
    return (.encoded(result.samples[0]), result.first)
  }

  private func decode() throws -> (ViewReply, [UInt8]) {
    guard let encoded else { throw Failure(kind: .broken, message: "nothing was encoded") }
    var stopwatch = Stopwatch(memoryLimit: setup.memoryLimit)
    let (file, codec) = (encoded.file, encoded.codec)
    let (image, sample) = try stopwatch.time { () throws(CodecError) in try codec.decode(file) }
    guard image.width == encoded.raster.width, image.height == encoded.raster.height else {
      throw Failure(kind: .codec, message: "what it wrote decodes to another size")
    }
    decoded = image
    return (.decoded(sample), image.displayPixels())
  }

  private func score(_ metrics: [String]) throws -> [String: Double] {
    guard let encoded, let decoded else { throw Failure(kind: .broken, message: "nothing was decoded") }
    return try MetricSuite(metrics).prepare(encoded.raster).score(decoded)
  }

  private func reader(of file: [UInt8]) throws(Failure) -> any ImageReader {
    guard let reader = registry.reader(for: file) else {
      throw Failure(kind: .source, message: "not an image of a known format")
    }
    return reader
  }

  private func failure(_ error: any Error) -> Failure {
    if hb_errno_is_out_of_memory() != 0 {
      return Failure(kind: .memory, message: OutOfMemory.message(limit: setup.memoryLimit))
    }
    return switch error {
    case let failure as Failure: failure
    case let problem as PointProblem: problem.failure
    case CodecError.limitExceeded(let reason): Failure(kind: .limit, message: reason)
    case let error as CodecError: Failure(kind: .source, message: error.description)
    case let error as MetricError: Failure(kind: .metric, message: error.description)
    default: Failure(kind: .broken, message: "\(error)")
    }
  }
}
