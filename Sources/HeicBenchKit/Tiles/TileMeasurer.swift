import CodecKit
import Metrics
import Model
import Pixels
import Workers

struct TilingQuestion: Question {
  var key: Case
  var view: TileView

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Figures {
    var measurer = try TileMeasurer(self, session)
    return try measurer.measure()
  }

  func verify(_ figures: inout Figures, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    if let problem = figures.impossibility(of: key.way) { throw .init(detail: problem) }
    try check.check(figures.scores)
    try check.require(
      figures.format == nil && figures.encodedHash.isEmpty && figures.failedScores.isEmpty
        && figures.asked == nil,
      "the kind of its results")
    figures.remarks = try check.clean(figures.remarks)
  }
}

/// The open picture at halving sizes, kept for the next cuts.
private struct PictureLevels {
  var all: [RasterImage]
}

/// Cuts the open picture in one way.
private struct TileMeasurer {
  private let key: Case
  private let view: TileView
  private let session: WorkerSession
  private let pyramid: TilePyramid
  private let levels: [RasterImage]
  private let codec: any ImageCodec
  private let settings: EncodeSettings
  private var stopwatch: Stopwatch

  init(_ question: TilingQuestion, _ session: WorkerSession) throws {
    guard let raster = session.image?.raster else { throw Refusal.noImage }
    (key, view, self.session) = (question.key, question.view, session)
    let (size, overlap) = (key.cut.tileSize, key.cut.overlap)
    guard
      let pyramid = TilePyramid(
        width: raster.width, height: raster.height, tileSize: size, overlap: overlap)
    else { throw Failure.unsupported("no tiles of \(size) pixels with an overlap of \(overlap)") }
    self.pyramid = pyramid
    var levels = session[PictureLevels.self]?.all ?? [raster]
    while levels.count < pyramid.levels.count {
      do { levels.append(try levels[levels.count - 1].halved()) } catch {
        throw Failure(kind: .source, message: error.description)
      }
    }
    self.levels = levels
    session[PictureLevels.self] = PictureLevels(all: levels)
    let measurer = try session.measurer(key.cutVariant, key.quality, of: raster)
    if key.variant.build != nil, !key.libraries.isEmpty {
      try measurer.codec.expect(libraries: key.libraries)
    }
    (codec, settings, stopwatch) = (measurer.codec, measurer.settings, measurer.stopwatch)
  }

  mutating func measure() throws(Failure) -> Figures {
    let whole = try whole()
    var tiles = TiledLevels(pyramid: pyramid)
    var figures = Figures(tiles: tiles)
    var encode = TimingSample(wallNanoseconds: 0, cpuNanoseconds: 0)
    var canvas = RasterCanvas(width: pyramid.width, height: pyramid.height, like: whole.decoded)
    for level in pyramid.levels {
      let coded = try key.cut.form == .grid ? gridFile(of: level) : files(of: level)
      tiles.tiles.append(coded.costs)
      tiles.headerBytes.append(coded.headerBytes)
      encode.wallNanoseconds += coded.encode.wallNanoseconds
      encode.cpuNanoseconds += coded.encode.cpuNanoseconds
      guard level.index == 0 else { continue }
      figures.figures[.container] = coded.containerBytes
      for (place, tile) in zip(pyramid.places(of: level), coded.tiles) {
        let core = pyramid.core(place, in: level)
        guard Self.paste(tile, of: pyramid.region(place, in: level), core, to: &canvas, x: core.x, y: core.y)
        else {
          throw Failure(kind: .codec, message: "a tile decodes to another size or format")
        }
      }
      figures.figures[.decodePeak] = try viewportPeak(coded, level)
    }
    figures.figures[.wholeContainer] = codec.containerBytes(of: whole.file)
    if let together = canvas.image {
      try session.score(together, into: &figures)
      let seams = SeamSteps(tileSize: key.cut.tileSize, original: levels[0])
      (tiles.seamStep, tiles.wholeSeamStep) = (seams?.error(of: together), seams?.error(of: whole.decoded))
    }
    figures.timing.encode = [encode]
    (figures.encodedBytes, figures.tiles) = (tiles.totalBytes, tiles)
    return figures
  }

  private struct CodedLevel {
    var costs: [TileCost] = []
    var headerBytes = 0
    var containerBytes: Int? = 0
    var encode = TimingSample(wallNanoseconds: 0, cpuNanoseconds: 0)
    /// Decoded; only for level 0.
    var tiles: [RasterImage] = []
    /// Decodes a tile again, by its number.
    var decode: (Int) throws(CodecError) -> RasterImage
  }

  /// The picture without tiles: the one that was just measured, or the same again where the store had its figures.
  private func whole() throws(Failure) -> CodedPicture {
    if let kept = session[CodedPicture.self], kept.variant == key.variant, kept.quality == key.quality {
      return kept
    }
    var measurer = try session.measurer(key.variant, key.quality, of: levels[0])
    let file = try measurer.encode { _ in true }.first
    let whole = CodedPicture(
      variant: key.variant, quality: key.quality, file: file,
      decoded: try measurer.decode(file) { _ in true }.first)
    session[CodedPicture.self] = whole
    return whole
  }

  /// Puts the part of a tile that shows `shown` into a canvas. `region` is the tile's own, in the same level.
  private static func paste(
    _ tile: RasterImage, of region: PixelRegion, _ shown: PixelRegion, to canvas: inout RasterCanvas, x: Int,
    y: Int
  ) -> Bool {
    let inTile = PixelRegion(
      x: shown.x - region.x, y: shown.y - region.y, width: shown.width, height: shown.height)
    return canvas.paste(tile, from: inTile, x: x, y: y)
  }

  /// Codes each tile as a file of its own.
  private mutating func files(of level: TilePyramid.Level) throws(Failure) -> CodedLevel {
    let (codec, settings) = (codec, settings)
    var files: [[UInt8]] = []
    var coded = CodedLevel { _ throws(CodecError) in throw .unsupported("no tile yet") }
    for place in pyramid.places(of: level) {
      guard let tile = levels[level.index].cropped(to: pyramid.region(place, in: level)) else {
        throw Failure(kind: .broken, message: "a tile lies outside of its level")
      }
      let (file, encode) = try stopwatch.time { () throws(CodecError) in try codec.encode(tile, settings) }
      let (decoded, decode) = try stopwatch.time { () throws(CodecError) in try codec.decode(file) }
      coded.encode.wallNanoseconds += encode.wallNanoseconds
      coded.encode.cpuNanoseconds += encode.cpuNanoseconds
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
  private mutating func gridFile(of level: TilePyramid.Level) throws(Failure) -> CodedLevel {
    let (codec, settings, image) = (codec, settings, levels[level.index])
    let (file, encode) = try stopwatch.time { () throws(CodecError) in try codec.encode(image, settings) }
    guard let reader = session.registry.reader(for: file) else {
      throw Failure(kind: .codec, message: "what it wrote cannot be read")
    }
    let (places, pyramid, limits) = (pyramid.places(of: level), pyramid, session.setup.limits)
    let decode = { (index: Int) throws(CodecError) -> RequestedPixels in
      try reader.decode(file, .region(pyramid.core(places[index], in: level)), limits: limits)
    }
    var coded = CodedLevel { (index) throws(CodecError) in
      guard let tile = try decode(index).raster else { throw .unsupported("no picture") }
      return tile
    }
    coded.encode = encode
    for index in places.indices {
      let (part, time) = try stopwatch.time { () throws(CodecError) in try decode(index) }
      coded.costs.append(TileCost(bytes: part.touchedBytes, cpuNanoseconds: time.cpuNanoseconds))
      guard level.index == 0, let tile = part.raster else { continue }
      coded.tiles.append(tile.tagged(levels[0].profile))
    }
    // Each region counted the head of the file, which is fetched once: everything around the coded pictures except the
    // eight bytes of the box that holds them.
    let around = codec.containerBytes(of: file) ?? 0
    let head = coded.costs.count > 1 ? max(0, around - 8) : 0
    for index in coded.costs.indices { coded.costs[index].bytes -= min(head, coded.costs[index].bytes) }
    coded.headerBytes = max(0, file.count - coded.costs.reduce(0) { $0 + $1.bytes })
    coded.containerBytes = around
    return coded
  }

  /// The growth of memory while a viewport in the middle is assembled.
  private func viewportPeak(
    _ coded: CodedLevel, _ level: TilePyramid.Level
  ) throws(Failure) -> Int? {
    let view = PixelRegion.centred(
      width: view.width, height: view.height, inWidth: level.width, height: level.height)
    let (pyramid, like, isGrid) = (pyramid, levels[0], key.cut.form == .grid)
    var stopwatch = stopwatch
    return try session.peak.growth { () throws(Failure) in
      try stopwatch.time { () throws(CodecError) in
        var canvas = RasterCanvas(width: view.width, height: view.height, like: like)
        for place in pyramid.places(touching: view, in: level) {
          let tile = try coded.decode(place.row * level.columns + place.column)
          let core = pyramid.core(place, in: level)
          guard let seen = core.intersection(view) else { continue }
          _ = Self.paste(
            tile, of: isGrid ? core : pyramid.region(place, in: level), seen, to: &canvas,
            x: seen.x - view.x, y: seen.y - view.y)
        }
        return canvas
      }
    }.bytes
  }
}

/// Errors of the steps in luma across the borders of tiles.
private struct SeamSteps {
  private let tileSize: Int
  private let original: [Float]
  private let width, height: Int

  /// Nil if there is no border.
  init?(tileSize: Int, original: RasterImage) {
    guard max(original.width, original.height) > tileSize else { return nil }
    (self.tileSize, self.original) = (tileSize, Self.luma(original))
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
