import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Tiles from grids, and grids from tiles.
struct TileTests {
  private static let limits = ReadLimits(maximumPixels: 50_000_000)

  private static func heic(_ spelling: String) throws -> EncodeSettings {
    EncodeSettings(
      variant: try CodecRegistry.standard.variant(spelling),
      quality: try #require(Quality(thousandths: 500)), traits: HEICCodec().traits)
  }

  private static func encode(_ image: RasterImage, _ spelling: String = "heic:preset=ultrafast") throws
    -> [UInt8]
  {
    try HEICCodec().encode(image, heic(spelling))
  }

  private static func square(_ side: Int = 64, seed: UInt64) throws -> RasterImage {
    try #require(SyntheticImage.waves(width: side, height: side, seed: seed))
  }

  /// A grid by heicbench has the pixels of its tiles, whatever is cut off at its edges.
  @Test(arguments: [(128, 128), (150, 100), (65, 129), (300, 31)]) func gridsHoldTheirTiles(
    width: Int, height: Int
  ) throws {
    let image = try #require(SyntheticImage.waves(width: width, height: height))
    let file = try Self.encode(image, "heic:preset=ultrafast,grid=64")
    let whole = try HEICCodec().decode(file)
    #expect((whole.width, whole.height) == (width, height))
    let pyramid = try #require(TilePyramid(width: width, height: height, tileSize: 64))
    let level = pyramid.levels[0]
    for place in pyramid.places(of: level) {
      let region = pyramid.region(place, in: level)
      let tile = try #require(image.cropped(to: region)?.extended(toWidth: 64, height: 64))
      let alone = try HEICCodec().decode(try Self.encode(tile))
      let cut = alone.cropped(to: PixelRegion(x: 0, y: 0, width: region.width, height: region.height))
      #expect(whole.cropped(to: region)?.samples == cut?.samples, "\(place)")
    }
  }

  /// A picture that fits into one tile is the same frame as without a grid.
  @Test func smallPicturesAreFrames() throws {
    let image = try Self.square(seed: 3)
    #expect(
      try Self.encode(image, "heic:preset=ultrafast,grid=64") == Self.encode(image))
  }

  @Test(arguments: ["heic:grid=63", "heic:grid=65", "heic:grid=-2", "heic:grid=9000"])
  func oddGridsAreRefused(spelling: String) {
    #expect(throws: CodecError.self) { try CodecRegistry.standard.variant(spelling) }
  }

  @Test func packedTilesAreThePicture() throws {
    let tiles = try (1...6).map { try Self.square(seed: $0) }
    let files = try tiles.map { try Self.encode($0) }
    let packed = try TilePacking.file(files, columns: 3, size: nil)
    let whole = try #require(try HEIFReader().decode(packed, .full, limits: Self.limits).raster)
    #expect((whole.width, whole.height) == (192, 128))
    for (index, file) in files.enumerated() {
      let region = PixelRegion(x: index % 3 * 64, y: index / 3 * 64, width: 64, height: 64)
      #expect(whole.cropped(to: region)?.samples == (try HEICCodec().decode(file)).samples)
    }
    let smaller = try TilePacking.file(files, columns: 3, size: (150, 100))
    let cut = try #require(try HEIFReader().decode(smaller, .full, limits: Self.limits).raster)
    #expect(cut.samples == whole.cropped(to: PixelRegion(x: 0, y: 0, width: 150, height: 100))?.samples)
  }

  /// A grid costs 44 bytes for each tile, plus a header of fixed size.
  @Test func packingCostsLittle() throws {
    let files = try [UInt8](1...2).map { try Self.encode(try Self.square(seed: UInt64($0))) }
    let (one, four) = (
      try TilePacking.file([files[0], files[1]], columns: 2, size: nil),
      try TilePacking.file([files[0], files[1], files[0], files[1]], columns: 2, size: nil)
    )
    let coded = four.count - one.count
    #expect(one.count - coded + 88 < 700)
  }

  @Test func whatIsNoGridIsRefused() throws {
    let tile = try Self.encode(try Self.square(seed: 1))
    let larger = try Self.encode(try Self.square(128, seed: 2))
    let deep = try Self.encode(try Self.square(seed: 1), "heic:preset=ultrafast,depth=10")
    let cases: [([[UInt8]], Int, (Int, Int)?, String)] = [
      ([tile, larger], 2, nil, "128×128"), ([tile, deep], 2, nil, "coded differently"),
      ([tile, tile, tile], 2, nil, "do not fill whole rows"), ([], 1, nil, "do not fill whole rows"),
      ([tile, tile], 2, (300, 64), "do not make a picture"), ([tile, tile], 2, (64, 64), "do not make"),
      ([tile, Array("no picture".utf8)], 2, nil, ""), ([tile, Array(tile.dropLast(20))], 2, nil, ""),
    ]
    for (files, columns, size, reason) in cases {
      let error = #expect(throws: TilePackingError.self) {
        try TilePacking.file(files, columns: columns, size: size)
      }
      if !reason.isEmpty { #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")") }
    }
  }

  /// A padded tile that shows fewer pixels can still be packed.
  @Test func cutTilesPack() throws {
    let image = try Self.square(seed: 9)
    let file = try Self.encode(image)
    let cut = try TilePacking.cut(file, width: 40, height: 21)
    let shown = try HEICCodec().decode(cut)
    #expect((shown.width, shown.height) == (40, 21))
    let region = PixelRegion(x: 0, y: 0, width: 40, height: 21)
    #expect(shown.samples == (try HEICCodec().decode(file)).cropped(to: region)?.samples)
    let packed = try TilePacking.file([file, cut], columns: 2, size: nil)
    let whole = try HEICCodec().decode(packed)
    #expect((whole.width, whole.height) == (104, 21))
  }

  /// Upright pictures by phones are stored sideways: each tile is rotated, and so is their grid.
  @Test(
    arguments: [
      [Orientation.right], [.left], [.down], [.upMirrored], [.downMirrored], [.left, .upMirrored],
      [.right, .downMirrored],
    ], [(150, 100), (128, 64), (65, 129)])
  func turnedGridsComeBack(turns: [Orientation], size: (Int, Int)) throws {
    let image = try #require(SyntheticImage.waves(width: size.0, height: size.1))
    let file = try Self.encode(image, "heic:preset=ultrafast,grid=64")
    let grid = try HEIFGrid(HEIFFileInfo(file, maximumPixels: 1_000_000))
    let turned = try HEIFGridFile(
      (0..<grid.rows).flatMap { row in (0..<grid.columns).compactMap { grid.tile(column: $0, row: row) } },
      columns: grid.columns, width: size.0, height: size.1, turns: turns
    ).bytes
    let whole = try HEICCodec().decode(turned)
    let tiles = try TileRewrap(turned, maximumPixels: 1_000_000)
    #expect(whole.width == tiles.width - tiles.origin.x && whole.height == tiles.height - tiles.origin.y)
    var files = (0..<tiles.rows).flatMap { row in
      (0..<tiles.columns).map { tiles.file(column: $0, row: row) }
    }
    // Tiles do not record padding at the front, so it shows unless the size is given.
    let padded = try HEICCodec().decode(try TilePacking.file(files, columns: tiles.columns, size: nil))
    #expect(padded.width == tiles.width && padded.height == tiles.height)
    let packed = try TilePacking.file(files, columns: tiles.columns, size: (whole.width, whole.height))
    #expect(packed == turned)
    #expect(try HEICCodec().decode(packed) == whole)
    // A tile with another rotation is named.
    files[1] = try #require(grid.tile(column: 0, row: 0)).file()
    let error = #expect(throws: TilePackingError.self) {
      try TilePacking.file(files, columns: tiles.columns, size: nil)
    }
    #expect(error?.file == 1 && error?.reason.contains("rotated differently") == true)
  }

  /// A grid may state colours that its tiles do not. Matrix and range stay those that the tiles are decoded with.
  @Test func tilesGetTheColoursOfTheirGrid() throws {
    typealias File = HEIFSyntheticFile
    let points = File.box(
      "colr", Array("nclx".utf8) + [12, 13, 1].flatMap { File.number($0, 2) } + [0x80])
    let coded = [1, 2].map { id in
      File.Item(
        id: id, type: "hvc1", properties: [File.size(64, 64), File.hevc()], data: [0, 0, 0, 1, 0])
    }
    let grid = File.Item(
      id: 3, type: "grid", properties: [File.size(128, 64), points], sources: [1, 2],
      data: File.grid(rows: 1, columns: 2, width: 128, height: 64))
    let file = HEIFSyntheticFile(primary: 3, items: coded + [grid]).bytes
    let tiles = try TileRewrap(file, maximumPixels: 1_000_000)
    for column in 0..<2 {
      let tile = try HEIFItems(tiles.file(column: column, row: 0))
      #expect(try tile.statedColour(of: tile.primary).points == CodePoints(primaries: 12, transfer: 13))
      let colour = try #require(tile.boxColour(of: tile.primary))
      #expect(colour.matrix == 2 && colour.isFullRange == false)
    }
  }

  /// No file is trusted: cut or altered anywhere, it gives a grid or an error, and never a trap.
  @Test func brokenGridsAreErrors() throws {
    let image = try #require(SyntheticImage.waves(width: 150, height: 100))
    let file = try Self.encode(image, "heic:preset=ultrafast,grid=64")
    var generator = SeededGenerator(seed: 41)
    var (grids, errors) = (0, 0)
    var (packed, refused) = (0, 0)
    for _ in 0..<300 {
      var broken = file
      for _ in 0..<3 {
        broken[Int(generator.unit() * 900)] = UInt8(truncatingIfNeeded: Int(generator.unit() * 256))
      }
      if generator.unit() < 0.3 { broken = Array(broken.prefix(Int(generator.unit() * Double(file.count)))) }
      guard let tiles = try? TileRewrap(broken, maximumPixels: 1_000_000) else {
        errors += 1
        continue
      }
      grids += 1
      for row in 0..<tiles.rows {
        for column in 0..<tiles.columns {
          let file = try? TilePacking.file([tiles.file(column: column, row: row)], columns: 1, size: nil)
          if file == nil { refused += 1 } else { packed += 1 }
        }
      }
    }
    #expect(grids > 0 && errors > 0 && grids + errors == 300, "\(grids) grids, \(errors) errors")
    #expect(packed > 0, "\(packed) tiles, \(refused) errors")
  }
}

/// Phones' grids, taken apart without decoding.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)))
struct SharedRewrapTests {
  private static let limits = ReadLimits(maximumPixels: 50_000_000)

  /// Each tile decoded alone is its part of the whole picture: rotated or not, whole or cut at the edge.
  @Test(arguments: [
    "device/arrow.heic", "device/IMG_2927.HEIC", "device/Issue_437_dotnet.heic",
  ])
  func tilesAreTheirPartsOfThePicture(file: String) throws {
    let bytes = try SharedFolder.bytes("inputs/\(file)")
    let whole = try #require(try HEIFReader().decode(bytes, .full, limits: Self.limits).raster)
    let tiles = try TileRewrap(bytes, maximumPixels: 50_000_000)
    #expect(tiles.width == tiles.origin.x + whole.width && tiles.height == tiles.origin.y + whole.height)
    var seen = 0
    for row in 0..<tiles.rows {
      for column in 0..<tiles.columns {
        let tile = try #require(
          try HEIFReader().decode(
            tiles.file(column: column, row: row), .full, limits: Self.limits
          ).raster)
        let (x, y) = (column * tiles.tileSize, row * tiles.tileSize)
        #expect(tile.width == min(tiles.tileSize, tiles.width - x))
        #expect(tile.height == min(tiles.tileSize, tiles.height - y))
        // Without the padding at the front.
        let inTile = PixelRegion(
          x: max(0, tiles.origin.x - x), y: max(0, tiles.origin.y - y),
          width: tile.width - max(0, tiles.origin.x - x), height: tile.height - max(0, tiles.origin.y - y))
        let inPicture = PixelRegion(
          x: x + inTile.x - tiles.origin.x, y: y + inTile.y - tiles.origin.y, width: inTile.width,
          height: inTile.height)
        #expect(tile.cropped(to: inTile)?.samples == whole.cropped(to: inPicture)?.samples)
        #expect(tile.profile == whole.profile)
        seen += inTile.width * inTile.height
      }
    }
    #expect(seen == whole.width * whole.height)
  }

  @Test(arguments: ["heif/C012.heic", "avif/kodim23_yuv420_8bpc.avif"]) func frameIsNoGrid(file: String)
    throws
  {
    let bytes = try SharedFolder.bytes("inputs/\(file)")
    #expect(throws: CodecError.self) { try TileRewrap(bytes, maximumPixels: 50_000_000) }
  }
}
