import Foundation
import Model
import Pixels
import TestSupport
import Testing

struct TilePyramidTests {
  /// The sizes that libvips and OpenSeadragon give a phone's picture in tiles of 512 pixels.
  @Test func hasTheLevelsOfDeepZoom() throws {
    let pyramid = try #require(TilePyramid(width: 3024, height: 4032, tileSize: 512, end: .onePixel))
    let sizes = pyramid.levels.map { [$0.width, $0.height, $0.columns, $0.rows] }
    #expect(
      sizes.prefix(4) == [[3024, 4032, 6, 8], [1512, 2016, 3, 4], [756, 1008, 2, 2], [378, 504, 1, 1]])
    #expect(sizes[5] == [95, 126, 1, 1])
    #expect(sizes.last == [1, 1, 1, 1])
    #expect(pyramid.levels.count == 13)
    #expect(pyramid.tileCount == 74)
  }

  @Test func levelsEndAtOneTile() throws {
    let pyramid = try #require(TilePyramid(width: 1025, height: 100, tileSize: 256))
    #expect(pyramid.levels.map(\.width) == [1025, 513, 257, 129])
    #expect(TilePyramid(width: 256, height: 256, tileSize: 256)?.levels.count == 1)
  }

  @Test(arguments: [
    (0, 0, 512, 0), (10, 10, 8, 0), (10, 10, 512, 257), (10, 10, 512, -1), (1 << 25, 1, 512, 0),
  ])
  func whatCannotBeIsNil(width: Int, height: Int, tileSize: Int, overlap: Int) {
    #expect(TilePyramid(width: width, height: height, tileSize: tileSize, overlap: overlap) == nil)
  }

  @Test func overlapIsOnSidesWithNeighbours() throws {
    let pyramid = try #require(TilePyramid(width: 600, height: 300, tileSize: 254, overlap: 1))
    let level = pyramid.levels[0]
    let regions = pyramid.places(of: level).map { pyramid.region($0, in: level) }
    #expect(regions[0] == PixelRegion(x: 0, y: 0, width: 255, height: 255))
    #expect(regions[1] == PixelRegion(x: 253, y: 0, width: 256, height: 255))
    #expect(regions[2] == PixelRegion(x: 507, y: 0, width: 93, height: 255))
    #expect(regions[5] == PixelRegion(x: 507, y: 253, width: 93, height: 47))
  }

  /// Each pixel of each level belongs to one tile, and a tile without its overlap lies inside it.
  @Test func coresCoverEachLevelOnce() throws {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<40 {
      let (width, height) = (1 + Int(generator.unit() * 300), 1 + Int(generator.unit() * 300))
      let tileSize = 16 + Int(generator.unit() * 100)
      let pyramid = try #require(
        TilePyramid(width: width, height: height, tileSize: tileSize, overlap: Int(generator.unit() * 8)))
      for level in pyramid.levels {
        var area = 0
        for place in pyramid.places(of: level) {
          let (core, region) = (pyramid.core(place, in: level), pyramid.region(place, in: level))
          #expect(core.intersection(region) == core)
          #expect(region.fits(width: level.width, height: level.height))
          #expect(pyramid.places(touching: core, in: level) == [place])
          area += core.width * core.height
        }
        #expect(area == level.width * level.height)
      }
    }
  }

  @Test func namesOfTiles() throws {
    let pyramid = try #require(TilePyramid(width: 3024, height: 4032, tileSize: 512))
    let deep = try #require(TilePyramid(width: 3024, height: 4032, tileSize: 512, end: .onePixel))
    let place = TilePyramid.Place(level: 1, column: 2, row: 3)
    #expect(TileLayout.dzi.path("a", place, of: deep, fileExtension: "jpg") == "a_files/11/2_3.jpg")
    #expect(TileLayout.names.path("a", place, of: pyramid, fileExtension: "heic") == "a/512/a_512_3_2_3.heic")
    let paths = [
      TilePyramid.Place(level: 0, column: 0, row: 0): "a/0,0,512,512/512,512/0/default.jpg",
      TilePyramid.Place(level: 1, column: 2, row: 1): "a/2048,1024,976,1024/488,512/0/default.jpg",
      TilePyramid.Place(level: 3, column: 0, row: 0): "a/full/378,504/0/default.jpg",
    ]
    for (place, path) in paths {
      #expect(TileLayout.iiif.path("a", place, of: pyramid, fileExtension: "jpg") == path)
    }
    let small = try #require(TilePyramid(width: 100, height: 90, tileSize: 512))
    let only = TilePyramid.Place(level: 0, column: 0, row: 0)
    #expect(
      TileLayout.iiif.path("a", only, of: small, fileExtension: "jpg") == "a/full/max/0/default.jpg")
    #expect(TileLayout.iiif.wholePath("a", of: small, fileExtension: "jpg") == nil)
    #expect(TileLayout.iiif.wholePath("a", of: pyramid, fileExtension: "jpg") == "a/full/max/0/default.jpg")
  }

  /// No two tiles of a pyramid share a path, in any layout.
  @Test(arguments: TileLayout.allCases) func pathsDiffer(layout: TileLayout) throws {
    let pyramid = try #require(TilePyramid(width: 777, height: 1234, tileSize: 64, end: layout.end))
    let paths = pyramid.levels.flatMap { level in
      pyramid.places(of: level).map { layout.path("x", $0, of: pyramid, fileExtension: "jpg") }
    }
    #expect(Set(paths).count == pyramid.tileCount)
  }

  @Test func writesDescriptors() throws {
    let pyramid = try #require(
      TilePyramid(width: 3024, height: 4032, tileSize: 254, overlap: 1, end: .onePixel))
    let dzi = try #require(TileLayout.dzi.descriptor("a", of: pyramid, fileExtension: "jpeg"))
    #expect(dzi.path == "a.dzi")
    #expect(
      dzi.text.contains(
        "Format=\"jpeg\" Overlap=\"1\" TileSize=\"254\"><Size Height=\"4032\" Width=\"3024\"/>"))
    let tiles = try #require(TilePyramid(width: 3024, height: 4032, tileSize: 512))
    let iiif = try #require(TileLayout.iiif.descriptor("a", of: tiles, fileExtension: "jpg", address: "./"))
    #expect(iiif.path == "a/info.json")
    for part in ["\"type\" : \"ImageService3\"", "\"profile\" : \"level0\"", "\"width\" : 3024"] {
      #expect(iiif.text.contains(part))
    }
    // A level of a single tile is available only as “max”, which is not listed.
    #expect(iiif.text.contains("\"sizes\""))
    let small = try #require(TilePyramid(width: 100, height: 90, tileSize: 512))
    #expect(
      TileLayout.iiif.descriptor("a", of: small, fileExtension: "jpg")?.text.contains("\"sizes\"") == false)
    #expect(TileLayout.names.descriptor("a", of: tiles, fileExtension: "jpg") == nil)
  }

  @Test(arguments: [
    ("a b-c", "a%20b-c"), ("ünï", "%C3%BCn%C3%AF"), ("a#b?c", "a%23b%3Fc"), ("a%20b", "a%2520b"),
    ("a/b~_.", "a%2Fb~_."),
    ("日", "%E6%97%A5"), ("aªb", "a%C2%AAb"),
  ])
  func namesAreSegmentsOfURIs(name: String, encoded: String) throws {
    let pyramid = try #require(TilePyramid(width: 100, height: 90, tileSize: 512))
    let written = try #require(
      TileLayout.iiif.descriptor(name, of: pyramid, fileExtension: "jpg", address: "https://x/"))
    #expect(written.text.contains("\"id\" : \"https://x/\(encoded)\""), "\(written.text)")
    let address = "https://x:8/ü a%20b/?c=d#"
    let elsewhere = try #require(
      TileLayout.iiif.descriptor(name, of: pyramid, fileExtension: "jpg", address: address))
    #expect(elsewhere.text.contains("\"https://x:8/%C3%BC%20a%20b/?c=d#\(encoded)\""), "\(elsewhere.text)")
  }

  @Test(
    "an impossible pyramid is refused",
    arguments: [
      #"{"tileSize":0,"overlap":0,"width":5,"height":5,"end":"oneTile"}"#,
      #"{"tileSize":256,"overlap":-9223372036854775808,"width":5,"height":5,"end":"oneTile"}"#,
      #"{"tileSize":256,"overlap":0,"width":9223372036854775807,"height":5,"end":"oneTile"}"#,
      #"{"tileSize":256,"overlap":0,"width":5,"height":0,"end":"onePixel"}"#,
    ])
  func refusesImpossiblePyramids(_ text: String) throws {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(TilePyramid.self, from: Data(text.utf8)) }
    let sound = try #require(TilePyramid(width: 5, height: 7, tileSize: 16, overlap: 2, end: .onePixel))
    #expect(try JSONDecoder().decode(TilePyramid.self, from: JSONEncoder().encode(sound)) == sound)
  }
}

struct HalvingTests {
  /// The tables for plain pictures give the same as a power function for each pixel.
  @Test(arguments: [ChannelLayout.gray, .rgb], [(64, 48), (33, 17), (1, 9), (2, 1)])
  func tablesAgreeWithTheCurve(layout: ChannelLayout, size: (Int, Int)) throws {
    let image = try #require(SyntheticImage.waves(width: size.0, height: size.1, layout: layout))
    let halved = try image.halved()
    #expect(halved.width == (size.0 + 1) / 2 && halved.height == (size.1 + 1) / 2)
    let even = try #require(
      image.extended(toWidth: halved.width * 2, height: halved.height * 2))
    let boxes = try even.downscaled(by: 2)
    #expect(halved == boxes)
  }

  @Test func everyLightRoundsToTheNearestValue() throws {
    // Each pair of values is a column of two pixels: 65,536 lights.
    let samples = (0..<2).flatMap { row in
      (0..<65_536).flatMap { index -> [UInt8] in
        let value = UInt8(row == 0 ? index / 256 : index % 256)
        return [value, value]
      }
    }
    let image = try #require(RasterImage(width: 131_072, height: 2, layout: .gray, bytes: samples))
    let (halved, boxes) = (try image.halved(), try image.downscaled(by: 2))
    let (a, b) = (try halved.samples.eightBits(), try boxes.samples.eightBits())
    let differences = zip(a, b).map { abs(Int($0) - Int($1)) }
    #expect(differences.max() ?? 0 <= 1)
    // Adding floats in another order makes a difference only at the very borders.
    #expect(differences.reduce(0, +) <= 8)
  }

  @Test(arguments: [ChannelLayout.rgba, .grayAlpha, .rgb], [8, 12]) func halvesOtherFormats(
    layout: ChannelLayout, depth: Int
  ) throws {
    let image = try #require(SyntheticImage.waves(width: 30, height: 20, layout: layout, bitDepth: depth))
    let (halved, boxes) = (try image.halved(), try image.downscaled(by: 2))
    #expect(halved == boxes)
  }

  @Test func extendingRepeatsTheEdge() throws {
    let image = try #require(RasterImage(width: 2, height: 1, layout: .gray, bytes: [1, 2]))
    #expect(image.extended(toWidth: 4, height: 2)?.samples == .bytes([1, 2, 2, 2, 1, 2, 2, 2]))
    #expect(image.extended(toWidth: 1, height: 1) == nil)
  }
}
