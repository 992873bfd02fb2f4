import CProcessShim
import CodecKit
import Foundation
import Metrics
import Model
import Pixels

/// A worker's state between requests: its setup and the image that it has open.
final class WorkerSession {
  let registry: CodecRegistry
  let setup: WorkerSetup
  let suite: MetricSuite
  let peak: PeakMemory
  var image: OpenImage?
  var external: ExternalScorer?
  private var file: ReadMeasurer?
  private var readTimer: ReadTimer?
  var tiles: TileMeasurer?
  var rows: PictureRows?
  var exporter: TileExporter?
  /// Variants whose libraries have been in use.
  private var warm: Set<CodecVariant> = []
  /// Columns and rows of the image that libraries are tried on first, enough for every codec's smallest block.
  private static let tinySide = 64

  /// Begins with a setup. `external` scores with its programs.
  init(
    setup: WorkerSetup, registry: CodecRegistry, peak: PeakMemory, external: ExternalScorer?
  ) throws(MetricError) {
    self.registry = registry
    self.setup = setup
    self.peak = peak
    self.suite = try MetricSuite(setup.metrics)
    self.external = external
  }

  /// Answers requests until there are no more, which is an error of the channel.
  func serve(_ channel: inout LineChannel) throws {
    let desk = ViewDesk(setup: setup, registry: registry)
    while true {
      let request = try WorkerProtocol.message(WorkerRequest.self, from: channel.readLine())
      let (reply, files): (WorkerReply, [UInt8])
      switch request {
      case .view(let view, let count):
        let (answer, picture) = desk.answer(view, try channel.readBytes(count))
        (reply, files) = (.view(answer, payload: picture.count), picture)
      case .show(let read): (reply, files) = show(read)
      case .render(let points): (reply, files) = render(points)
      default: (reply, files) = (answer(request), [])
      }
      try channel.writeLine(WorkerProtocol.line(reply))
      try channel.write(files)
    }
  }

  /// The reply to a request that is answered in a line.
  func answer(_ request: WorkerRequest) -> WorkerReply {
    switch request {
    case .begin: .refused("the worker has begun already")
    case .open(let request): open(request)
    case .openRows(let request): openRows(request)
    case .measure(let request): measure(request)
    case .time(let request): time(request)
    case .read(let request): .read(read(request))
    case .view, .render, .show: .refused("the answer comes with bytes")
    case .compare(let file): compare(file)
    case .pair(let request): pair(request)
    case .judge(let file, let seconds): judge(file, commandSeconds: seconds)
    case .inspect(let request): .inspected(LibraryInspection(registry, spellings: request.spellings))
    case .handOver: handOver()
    case .take(let request): take(request)
    case .score(let request): score(request)
    case .export(let request): export(request)
    case .cut(let request): cut(request)
    case .shrink(let request): .thumbnail(shrink(request))
    case .generations(let request): generations(request)
    }
  }

  private func open(_ request: ImageFile) -> WorkerReply {
    close()
    do {
      let opened = try OpenImage.open(request, setup: setup, registry: registry)
      image = opened
      return .image(opened.record)
    } catch {
      return .image(error.record)
    }
  }

  /// Lets go of the open image and of all that was made of it.
  func close() {
    (image, tiles, rows, exporter) = (nil, nil, nil, nil)
    // What the last image left in the heap would count as the next one's peak.
    hb_trim_memory()
  }

  private func read(_ request: ReadRequest) -> Outcome<ReadMeasurement> {
    Outcome { () throws(PointProblem) in
      guard request.share == .times else { return try measurer(for: request).measure(request) }
      let timer = readTimer ?? ReadTimer(setup: setup, registry: registry)
      (image, file, readTimer) = (nil, nil, timer)
      return try timer.time(request)
    }
  }

  /// Gives the picture that a read delivers.
  func show(_ request: ReadRequest) -> (reply: WorkerReply, picture: [UInt8]) {
    do {
      let shown = try measurer(for: request).picture(of: request)
      let file = try registry.writer.preview(shown)
      return (.shown(width: shown.width, height: shown.height, payload: file.count), file)
    } catch {
      return (.failed(ReadMeasurer.problem(error, memoryLimit: setup.memoryLimit).failure), [])
    }
  }

  /// What reads the file of a request; the last file stays open.
  private func measurer(for request: ReadRequest) throws(PointProblem) -> ReadMeasurer {
    image = nil
    let source = ReadMeasurer.Source(image: request.key.image, encoding: request.key.encoding)
    if let file, file.source == source { return file }
    file = nil
    hb_trim_memory()
    let opened = try ReadMeasurer(request, setup: setup, registry: registry, peak: peak)
    file = opened
    return opened
  }

  private func shrink(_ request: ThumbnailRequest) -> Outcome<MadeThumbnail> {
    (image, file) = (nil, nil)
    return ThumbnailMaker(setup: setup, registry: registry).make(request)
  }

  private func measure(_ request: MeasureRequest) -> WorkerReply {
    guard let image else { return .refused("no image is open") }
    warmUp(request, image.raster.format)
    peak.begin()
    do throws(PointProblem) {
      let measurement = try measure(request, image)
      return .outcome(.measured(measurement), peakBytes: peak.highest())
    } catch {
      return .outcome(error.outcome(), peakBytes: peak.highest())
    }
  }

  /// Takes a tiny image through a codec that this worker has not used yet: the pages of its libraries that a first
  /// call brings in are no memory of that call.
  private func warmUp(_ request: MeasureRequest, _ format: PixelFormat) {
    guard warm.insert(request.variant).inserted,
      let tiny = Self.tinyImage(format),
      var measurer = try? PointMeasurer(
        variant: request.variant, quality: request.quality, image: tiny, registry: registry,
        memoryLimit: setup.memoryLimit),
      let encoded = try? measurer.encode(until: { _ in true })
    else { return }
    // What is wrong with the codec, the point itself will tell.
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

  private func measure(_ request: MeasureRequest, _ image: OpenImage) throws(PointProblem)
    -> Model.Measurement
  {
    var measurer = try PointMeasurer(
      variant: request.variant, quality: request.quality, image: image.raster, file: image.file,
      registry: registry,
      memoryLimit: setup.memoryLimit, memory: peak)
    try measurer.expect(libraries: request.libraries)
    let encoded = try measurer.encode { $0.count >= request.repeats }
    let decoded = try measurer.decode(encoded.first) { $0.count >= request.repeats }
    var measurement = Model.Measurement(
      nativeQuality: measurer.settings.nativeQuality, encodedBytes: encoded.first.count,
      encodedHash: SHA256.hexDigest(of: encoded.first), repeatsAgree: encoded.agree,
      timing: TimingSeries(
        conditions: request.conditions, encode: encoded.samples, decode: decoded.samples))
    measurement.figures[.encodePeak] = encoded.peakBytes
    measurement.figures[.decodePeak] = decoded.peakBytes
    measurement.figures[.peakMemory] = [encoded.peakBytes, decoded.peakBytes].compactMap(\.self).max()
    measurement.figures[.metadata] = registry.reader(for: encoded.first)
      .flatMap { try? $0.contents(of: encoded.first).bytesBesidePicture }
    if measurer.stopwatch.hasStoppedTime {
      measurement.remarks.append("the process was stopped while it was timed")
    }
    if request.leavesFile { try leave(encoded.first) }
    let map = try score(decoded.first, into: &measurement, maps: request.drawing != .nothing)
    external?.score(
      decoded.first, against: image, within: request.commandSeconds, into: &measurement)
    if let folder = setup.keepFolder {
      let file = EncodedFileName.path(
        image: image.identity.name, variant: request.variant, quality: request.quality,
        fileExtension: measurer.codec.traits.fileExtension)
      keep(encoded.first, at: folder + "/" + file, remarks: &measurement.remarks)
      let pictures = PointPictures(beside: folder + "/" + file)
      if let map {
        pictures.write(.errorMap) { try registry.writer.preview(map) }
      }
      if request.drawing.includesPixels(decoded.first, decode: decoded.samples.first) {
        pictures.write(.picture) { try registry.writer.preview(decoded.first) }
      }
    }
    return measurement
  }

  /// Scores what was decoded, and returns a picture of where the errors are if that is wanted.
  @discardableResult
  func score(
    _ decoded: RasterImage, into measurement: inout Model.Measurement, maps: Bool = false
  ) throws(PointProblem) -> IndexedPicture? {
    guard !suite.traits.isEmpty else { return nil }
    let start = MonotonicClock.processCPU()
    defer { measurement.scoringCPUNanoseconds = MonotonicClock.processCPU() - start }
    do {
      let reference = try reference()
      guard maps else {
        measurement.scores = try reference?.score(decoded) ?? [:]
        return nil
      }
      let both = try reference?.scoreAndErrors(decoded, ErrorMapPicture.picture)
      measurement.scores = both?.scores ?? [:]
      return both?.errors ?? nil
    } catch {
      throw .failed(Failure(kind: .metric, message: "\(error)"))
    }
  }

  /// The metrics' side of the open image, made when it is first asked for.
  func reference() throws(MetricError) -> PreparedSuite? {
    if image?.reference == nil, let raster = image?.raster { image?.reference = try suite.prepare(raster) }
    return image?.reference
  }

  private func keep(_ bytes: [UInt8], at path: String, remarks: inout [String]) {
    do {
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      // Nobody opens it before the point is recorded, and nobody looks for it after a power cut.
      try ScratchFile.write(bytes, to: path)
    } catch {
      let reason = (error as? SystemError)?.description ?? error.localizedDescription
      remarks.append("the encoded file could not be kept: \(reason)")
    }
  }

  private func time(_ request: TimeRequest) -> WorkerReply {
    guard let image else { return .refused("no image is open") }
    let cores = request.cores.map { Int32(clamping: $0) }
    if !cores.isEmpty { _ = hb_pin(cores, cores.count) }
    do throws(PointProblem) {
      return .timing(try time(request, image))
    } catch {
      return .untimed(error.failure)
    }
  }

  private func time(_ request: TimeRequest, _ image: OpenImage) throws(PointProblem) -> TimingSeries {
    var measurer = try PointMeasurer(
      variant: request.variant, quality: request.quality, image: image.raster, file: image.file,
      registry: registry,
      memoryLimit: setup.memoryLimit)
    try measurer.expect(libraries: request.libraries)
    let warmUps = max(0, request.warmUps)
    let isEnough = { (samples: [TimingSample]) in
      let counted = samples.dropFirst(warmUps)
      guard counted.count >= max(1, request.minimumRepeats) else { return false }
      return counted.count >= request.maximumRepeats
        || counted.reduce(0) { $0 + $1.wallNanoseconds } >= request.minimumNanoseconds
    }
    let encoded = try measurer.encode(until: isEnough)
    let decoded = try measurer.decode(encoded.first, until: isEnough)
    return TimingSeries(
      conditions: .exclusive, encode: Array(encoded.samples.dropFirst(warmUps)),
      decode: Array(decoded.samples.dropFirst(warmUps)))
  }
}
