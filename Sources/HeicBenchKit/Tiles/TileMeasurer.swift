import CodecKit
import Metrics
import Model
import Pixels
import Workers

struct TilingQuestion: Question {
  var key: Case
  var view: PixelSize

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Figures {
    var measurer = try TileMeasurer(self, session)
    return try measurer.measure()
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

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

/// Cuts the open picture with one tile size, overlap and form.
private struct TileMeasurer {
  private let key: Case
  private let view: PixelSize
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
    else { throw Failure.unsupported("cannot make \(size)-pixel tiles with an overlap of \(overlap)") }
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
      let coded = try code(level)
      tiles.tiles.append(coded.costs)
      tiles.headerBytes.append(coded.headerBytes)
      encode.wallNanoseconds += coded.encode.wallNanoseconds
      encode.cpuNanoseconds += coded.encode.cpuNanoseconds
      guard level.index == 0 else { continue }
      figures.figures[.container] = coded.containerBytes
      for (place, tile) in zip(coded.places, coded.tiles) {
        guard coded.paste(tile, of: place, showing: pyramid.core(place, in: level), to: &canvas) else {
          throw Failure(kind: .codec, message: "a tile decodes to a different size or format")
        }
      }
      figures.figures[.decodePeak] = try viewportPeak(coded)
    }
    figures.figures[.wholeContainer] = codec.containerBytes(of: whole.file)
    if let together = canvas.image {
      try session.score(together, into: &figures)
      let seams = SeamStep(original: levels[0], tileSize: key.cut.tileSize)
      tiles.seamStep = seams.mean(in: together)
      tiles.wholeSeamStep = seams.mean(in: whole.decoded)
    }
    figures.timing.encode = [encode]
    (figures.encodedBytes, figures.tiles) = (tiles.totalBytes, tiles)
    return figures
  }

  /// The picture without tiles: the one just measured, or encoded again if the store already had its figures.
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

  /// Codes each tile as a separate file, or a whole level in one file, and decodes each tile.
  private mutating func code(_ level: TilePyramid.Level) throws(Failure) -> CodedLevel {
    var coded = CodedLevel(
      pyramid: pyramid, level: level, places: pyramid.places(of: level), codec: codec,
      limits: session.setup.limits)
    if key.cut.form == .grid {
      try encode(levels[level.index], into: &coded)
      guard let reader = session.registry.reader(for: coded.files[0]) else {
        throw Failure(kind: .codec, message: "its output cannot be read")
      }
      coded.grid = reader
    }
    for (index, place) in coded.places.enumerated() {
      if coded.grid == nil {
        guard let tile = levels[level.index].cropped(to: pyramid.region(place, in: level)) else {
          throw Failure(kind: .broken, message: "a tile is outside its level")
        }
        try encode(tile, into: &coded)
      }
      let ((tile, bytes), time) = try stopwatch.time { () throws(CodecError) in try coded.decode(index) }
      coded.costs.append(TileCost(bytes: bytes, cpuNanoseconds: time.cpuNanoseconds))
      if level.index == 0 { coded.tiles.append(tile) }
    }
    if coded.grid != nil { coded.countHeadOnce() }
    return coded
  }

  private mutating func encode(_ image: RasterImage, into coded: inout CodedLevel) throws(Failure) {
    let (codec, settings) = (codec, settings)
    let (file, time) = try stopwatch.time { () throws(CodecError) in try codec.encode(image, settings) }
    coded.files.append(file)
    coded.encode.wallNanoseconds += time.wallNanoseconds
    coded.encode.cpuNanoseconds += time.cpuNanoseconds
  }

  /// The growth of memory while a viewport in the middle is assembled.
  private func viewportPeak(_ coded: CodedLevel) throws(Failure) -> Int? {
    let level = coded.level
    let view = PixelRegion.centred(
      width: view.width, height: view.height, inWidth: level.width, height: level.height)
    let (pyramid, like) = (pyramid, levels[0])
    var stopwatch = stopwatch
    return try session.peak.growth { () throws(Failure) in
      try stopwatch.time { () throws(CodecError) in
        var canvas = RasterCanvas(width: view.width, height: view.height, like: like)
        for place in pyramid.places(touching: view, in: level) {
          let tile = try coded.decode(place.row * level.columns + place.column).tile
          guard let seen = pyramid.core(place, in: level).intersection(view) else { continue }
          _ = coded.paste(tile, of: place, showing: seen, to: &canvas, left: view.x, top: view.y)
        }
        return canvas
      }
    }.bytes
  }
}

/// A level of the picture in files: one per tile, or one for all.
private struct CodedLevel {
  let pyramid: TilePyramid
  let level: TilePyramid.Level
  let places: [TilePyramid.Place]
  let codec: any ImageCodec
  let limits: ReadLimits
  /// Reads single tiles from the one file; nil if each tile has its own file.
  var grid: (any ImageReader)?
  var files: [[UInt8]] = []
  var encode = TimingSample(wallNanoseconds: 0, cpuNanoseconds: 0)
  var costs: [TileCost] = []
  var headerBytes = 0
  /// Decoded tiles, only for level 0.
  var tiles: [RasterImage] = []

  /// Nil if the codec does not know the files' container.
  var containerBytes: Int? {
    files.reduce(0) { sum, file in sum.flatMap { sum in codec.containerBytes(of: file).map { sum + $0 } } }
  }

  /// Decodes a tile by its number. The returned bytes are those that this needs.
  func decode(_ index: Int) throws(CodecError) -> (tile: RasterImage, bytes: Int) {
    guard let grid else { return (try codec.decode(files[index]), files[index].count) }
    let region = pyramid.core(places[index], in: level)
    let part = try grid.decode(files[0], .region(region), limits: limits)
    guard let tile = part.raster else { throw .unsupported("no picture") }
    return (tile, part.touchedBytes)
  }

  /// Corrects for the file's header, which each region has counted but which is fetched only once: everything around
  /// the coded pictures except the eight bytes of the box that holds them.
  mutating func countHeadOnce() {
    let head = costs.count > 1 ? max(0, (containerBytes ?? 0) - 8) : 0
    for index in costs.indices { costs[index].bytes -= min(head, costs[index].bytes) }
    headerBytes = max(0, files[0].count - costs.reduce(0) { $0 + $1.bytes })
  }

  /// Copies the part of a tile that shows `shown`, a region of the level, into a canvas that begins at `left` and
  /// `top`.
  func paste(
    _ tile: RasterImage, of place: TilePyramid.Place, showing shown: PixelRegion,
    to canvas: inout RasterCanvas, left: Int = 0, top: Int = 0
  ) -> Bool {
    let own = pyramid.region(place, in: level)
    let part = PixelRegion(x: shown.x - own.x, y: shown.y - own.y, width: shown.width, height: shown.height)
    return canvas.paste(tile, from: part, x: shown.x - left, y: shown.y - top)
  }
}
