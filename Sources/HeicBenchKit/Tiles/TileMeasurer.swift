import CodecKit
import Metrics
import Model
import Pixels
import Workers

/// Cuts one picture in many ways: its levels and its untiled encode are made once.
final class TileMeasurer {
  private struct Whole {
    var variant: CodecVariant
    var quality: Quality
    var figures: WholeFigures
    var decoded: RasterImage
  }

  private let registry: CodecRegistry
  private let limits: ReadLimits
  private let memoryLimit: Int?
  private let peak: PeakMemory
  private let reference: PreparedSuite
  private var levels: [RasterImage]
  private var whole: Whole?

  init(
    _ image: RasterImage, reference: PreparedSuite, registry: CodecRegistry, setup: WorkerSetup,
    peak: PeakMemory
  ) {
    levels = [image]
    (self.reference, self.registry, self.peak) = (reference, registry, peak)
    (limits, memoryLimit) = (setup.limits, setup.memoryLimit)
  }

  /// Cuts, codes, reassembles and scores.
  func measure(_ request: TilingRequest) throws(PointProblem) -> TilingMeasurement {
    let key = request.key
    guard
      let pyramid = TilePyramid(
        width: levels[0].width, height: levels[0].height, tileSize: key.cut.tileSize, overlap: key.cut.overlap
      )
    else {
      throw .unsupported("no tiles of \(key.cut.tileSize) pixels with an overlap of \(key.cut.overlap)")
    }
    try makeLevels(pyramid.levels.count)
    let whole = try whole(key)
    var measurement = TilingMeasurement(pyramid: pyramid, whole: whole.figures)
    var canvas = RasterCanvas(width: pyramid.width, height: pyramid.height, like: whole.decoded)
    for level in pyramid.levels {
      let coded: CodedLevel
      switch key.cut.form {
      case .files: coded = try files(of: level, pyramid, key)
      case .grid: coded = try gridFile(of: level, pyramid, key)
      }
      measurement.tiles.append(coded.costs)
      measurement.headerBytes.append(coded.headerBytes)
      measurement.encodeNanoseconds += coded.encodeNanoseconds
      guard level.index == 0 else { continue }
      measurement.containerBytes = coded.containerBytes
      for (place, tile) in zip(pyramid.places(of: level), coded.tiles) {
        let (core, region) = (pyramid.core(place, in: level), pyramid.region(place, in: level))
        let inTile = PixelRegion(
          x: core.x - region.x, y: core.y - region.y, width: core.width, height: core.height)
        guard canvas.paste(tile, from: inTile, x: core.x, y: core.y) else {
          throw .failed(Failure(kind: .codec, message: "a tile decodes to another size or format"))
        }
      }
      measurement.viewportPeakBytes = try viewportPeak(coded, level, pyramid, request)
    }
    guard let together = canvas.image else { return measurement }
    measurement.ssimulacra2 = try score(together)
    let seams = SeamSteps(tileSize: key.cut.tileSize, original: levels[0])
    measurement.seamStep = seams?.error(of: together)
    measurement.wholeSeamStep = seams?.error(of: whole.decoded)
    return measurement
  }

  private struct CodedLevel {
    var costs: [TileCost] = []
    var headerBytes = 0
    var containerBytes: Int? = 0
    var encodeNanoseconds: Int64 = 0
    /// Decoded; only for level 0.
    var tiles: [RasterImage] = []
    /// Decodes a tile again, by its number.
    var decode: (Int) throws(CodecError) -> RasterImage
  }

  private func makeLevels(_ count: Int) throws(PointProblem) {
    while levels.count < count {
      do { levels.append(try levels[levels.count - 1].halved()) } catch {
        throw .failed(Failure(kind: .source, message: error.description))
      }
    }
  }

  private func codec(_ variant: CodecVariant) throws(PointProblem) -> any ImageCodec {
    guard let codec = registry.codec(variant.codec) else {
      throw .failed(Failure(kind: .codec, message: "this program has no codec “\(variant.codec)”"))
    }
    return codec
  }

  private func score(_ image: RasterImage) throws(PointProblem) -> Double? {
    do { return try reference.score(image)["ssimulacra2"] } catch {
      throw .failed(Failure(kind: .metric, message: "\(error)"))
    }
  }

  private func whole(_ key: Case) throws(PointProblem) -> Whole {
    if let whole, whole.variant == key.variant, whole.quality == key.quality { return whole }
    var measurer = try PointMeasurer(
      variant: key.variant, quality: key.quality, image: levels[0], registry: registry,
      memoryLimit: memoryLimit, memory: peak)
    let encoded = try measurer.encode { _ in true }
    let decoded = try measurer.decode(encoded.first) { $0.count >= 2 }
    let fastest = decoded.samples.map(\.cpuNanoseconds).min() ?? 0
    var figures = WholeFigures(
      bytes: encoded.first.count, encodeNanoseconds: encoded.samples[0].cpuNanoseconds,
      decodeNanoseconds: fastest)
    figures.containerBytes = measurer.codec.containerBytes(of: encoded.first)
    figures.ssimulacra2 = try score(decoded.first)
    figures.decodePeakBytes = decoded.peakBytes
    let fresh = Whole(
      variant: key.variant, quality: key.quality, figures: figures, decoded: decoded.first)
    whole = fresh
    return fresh
  }

  /// Codes each tile as a file of its own.
  private func files(
    of level: TilePyramid.Level, _ pyramid: TilePyramid, _ key: Case
  ) throws(PointProblem) -> CodedLevel {
    let codec = try codec(key.variant)
    let settings = EncodeSettings(variant: key.variant, quality: key.quality, traits: codec.traits)
    var stopwatch = Stopwatch(memoryLimit: memoryLimit)
    var files: [[UInt8]] = []
    var coded = CodedLevel { _ throws(CodecError) in throw .unsupported("no tile yet") }
    for place in pyramid.places(of: level) {
      guard let tile = levels[level.index].cropped(to: pyramid.region(place, in: level)) else {
        throw .failed(Failure(kind: .broken, message: "a tile lies outside of its level"))
      }
      let (file, encode) = try stopwatch.time { () throws(CodecError) in try codec.encode(tile, settings) }
      let (decoded, decode) = try stopwatch.time { () throws(CodecError) in try codec.decode(file) }
      coded.encodeNanoseconds += encode.cpuNanoseconds
      coded.costs.append(TileCost(bytes: file.count, cpuNanoseconds: decode.cpuNanoseconds))
      guard level.index == 0 else { continue }
      coded.tiles.append(decoded)
      files.append(file)
      let around = codec.containerBytes(of: file)
      coded.containerBytes = coded.containerBytes.flatMap { sum in around.map { sum + $0 } }
    }
    coded.decode = { (index) throws(CodecError) in try codec.decode(files[index]) }
    return coded
  }

  /// Codes all tiles of a level in one file, from which they are read one by one.
  private func gridFile(
    of level: TilePyramid.Level, _ pyramid: TilePyramid, _ key: Case
  ) throws(PointProblem) -> CodedLevel {
    let grid = ["grid": String(key.cut.tileSize)]
    let variant = CodecVariant(
      codec: key.variant.codec, settings: key.variant.settings.merging(grid) { $1 })
    let codec = try codec(variant)
    let settings = EncodeSettings(variant: variant, quality: key.quality, traits: codec.traits)
    var stopwatch = Stopwatch(memoryLimit: memoryLimit)
    let image = levels[level.index]
    let (file, encode) = try stopwatch.time { () throws(CodecError) in try codec.encode(image, settings) }
    guard let reader = registry.reader(for: file) else {
      throw .failed(Failure(kind: .codec, message: "what it wrote cannot be read"))
    }
    let (places, limits) = (pyramid.places(of: level), limits)
    let decode = { (index: Int) throws(CodecError) -> RequestedPixels in
      try reader.decode(file, .region(pyramid.core(places[index], in: level)), limits: limits)
    }
    var coded = CodedLevel { (index) throws(CodecError) in
      guard let tile = try decode(index).raster else { throw .unsupported("no picture") }
      return tile
    }
    coded.encodeNanoseconds = encode.cpuNanoseconds
    for index in places.indices {
      let (part, time) = try stopwatch.time { () throws(CodecError) in try decode(index) }
      coded.costs.append(TileCost(bytes: part.touchedBytes, cpuNanoseconds: time.cpuNanoseconds))
      guard level.index == 0, let tile = part.raster else { continue }
      coded.tiles.append(tile.tagged(levels[0].profile))
    }
    separateHeader(&coded, file, codec)
    return coded
  }

  /// Each region of a grid counted the head of the file, which is fetched once: everything around the coded pictures
  /// except the eight bytes of the box that holds them.
  private func separateHeader(_ coded: inout CodedLevel, _ file: [UInt8], _ codec: any ImageCodec) {
    let around = codec.containerBytes(of: file) ?? 0
    let head = coded.costs.count > 1 ? max(0, around - 8) : 0
    for index in coded.costs.indices { coded.costs[index].bytes -= min(head, coded.costs[index].bytes) }
    coded.headerBytes = max(0, file.count - coded.costs.reduce(0) { $0 + $1.bytes })
    coded.containerBytes = around
  }

  /// The growth of memory while a viewport in the middle is assembled.
  private func viewportPeak(
    _ coded: CodedLevel, _ level: TilePyramid.Level, _ pyramid: TilePyramid, _ request: TilingRequest
  ) throws(PointProblem) -> Int? {
    let view = PixelRegion.centred(
      width: request.viewportWidth, height: request.viewportHeight, inWidth: level.width,
      height: level.height)
    let stopwatch = Stopwatch(memoryLimit: memoryLimit)
    let like = levels[0]
    return try peak.growth { () throws(PointProblem) in
      var stopwatch = stopwatch
      return try stopwatch.time { () throws(CodecError) in
        var canvas = RasterCanvas(width: view.width, height: view.height, like: like)
        for place in pyramid.places(touching: view, in: level) {
          let tile = try coded.decode(place.row * level.columns + place.column)
          let core = pyramid.core(place, in: level)
          let region = request.key.cut.form == .grid ? core : pyramid.region(place, in: level)
          guard let seen = core.intersection(view) else { continue }
          let inTile = PixelRegion(
            x: seen.x - region.x, y: seen.y - region.y, width: seen.width, height: seen.height)
          _ = canvas.paste(tile, from: inTile, x: seen.x - view.x, y: seen.y - view.y)
        }
        return canvas
      }
    }.bytes
  }
}

/// Errors of the steps in luma across the borders of tiles.
struct SeamSteps {
  private let tileSize: Int
  private let original: [Float]
  private let width, height: Int

  /// Nil if there is no border.
  init?(tileSize: Int, original: RasterImage) {
    guard max(original.width, original.height) > tileSize else { return nil }
    self.tileSize = tileSize
    self.original = Self.luma(original)
    (width, height) = (original.width, original.height)
  }

  /// The mean of |step in the image − step in the original| over all borders, in 255ths of full range; nil for an image
  /// of another size.
  func error(of image: RasterImage) -> Double? {
    guard image.width == width, image.height == height else { return nil }
    let other = Self.luma(image)
    var sum = 0.0
    var count = 0
    func add(_ a: Int, _ b: Int) {
      sum += Double(abs((other[b] - other[a]) - (original[b] - original[a])))
      count += 1
    }
    for x in stride(from: tileSize, to: width, by: tileSize) {
      for y in 0..<height { add(y * width + x - 1, y * width + x) }
    }
    for y in stride(from: tileSize, to: height, by: tileSize) {
      for x in 0..<width { add((y - 1) * width + x, y * width + x) }
    }
    return count > 0 ? sum / Double(count) : nil
  }

  /// Encoded luma of ITU-R BT.601, from 0 to 255.
  private static func luma(_ image: RasterImage) -> [Float] {
    let channels = image.format.layout.channels
    let scale = 255 / Float(image.format.maximum)
    let isGray = image.format.layout.isGray
    func luma<Sample: BinaryInteger>(_ samples: [Sample]) -> [Float] {
      samples.withUnsafeBufferPointer { samples in
        (0..<image.pixelCount).map { pixel in
          let first = pixel * channels
          guard !isGray else { return Float(samples[first]) * scale }
          return
            (0.299 * Float(samples[first]) + 0.587 * Float(samples[first + 1])
            + 0.114 * Float(samples[first + 2])) * scale
        }
      }
    }
    switch image.samples {
    case .bytes(let bytes): return luma(bytes)
    case .words(let words): return luma(words)
    }
  }
}
