import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Model
import Pixels
import TestSupport
import Testing

/// The tiles that viewers request exist and show the picture. Their names come from each layout's rules, not from our
/// code.
struct TileLayoutProgramTests {
  private static let tileSize = 64
  private static let size = (width: 301, height: 203)

  /// A tile that a viewer requests, and the pixels of its level that it must show.
  private struct Asked {
    var path: String
    var level: Int
    var region: PixelRegion
  }

  private let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  // MARK: Sources

  /// Files of every kind that is read row by row, and of other kinds, by the names of their tiles.
  private static func sources() throws -> [String: (ending: String, bytes: [UInt8])] {
    func waves(_ layout: ChannelLayout, bitDepth: Int = 8) throws -> RasterImage {
      try #require(
        SyntheticImage.waves(width: size.width, height: size.height, layout: layout, bitDepth: bitDepth))
    }
    let rgb = try waves(.rgb)
    return [
      "plain": ("png", try PNGWriter().write(rgb)), "interlaced": ("png", PNGFile.interlaced(rgb)),
      "gray": ("png", try PNGWriter().write(waves(.gray))),
      "alpha": ("png", try PNGWriter().write(waves(.rgba))),
      "clear": ("png", try PNGWriter().write(waves(.grayAlpha))),
      "deep": ("png", try PNGWriter().write(waves(.rgb, bitDepth: 16))),
      "jpeg": ("jpg", try encoded(rgb, "jpeg")),
      "heic": ("heic", try encoded(rgb, "heic:preset=ultrafast")),
      "grid": ("heic", try encoded(rgb, "heic:preset=ultrafast,grid=64")),
    ]
  }

  private static func encoded(_ image: RasterImage, _ spelling: String) throws -> [UInt8] {
    let variant = try CodecRegistry.standard.variant(spelling)
    let codec = try #require(CodecRegistry.standard.codec(variant.codec))
    return try codec.encode(image, EncodeSettings(variant: variant, quality: 0.9, traits: codec.traits))
  }

  private func picture(_ path: String) throws -> RasterImage {
    let bytes = [UInt8](try desk.data(path))
    let reader = try #require(CodecRegistry.standard.reader(for: bytes), "\(path)")
    return try reader.read(bytes, limits: ReadLimits()).image
  }

  // MARK: Layouts

  private func asked(_ name: String, _ layout: TileLayout, overlap: Int) throws -> [Asked] {
    switch layout {
    case .dzi: try deepZoom(name)
    case .iiif: try iiif(name)
    case .names: named(name, overlap: overlap)
    }
  }

  private func number(_ attribute: String, of text: String) throws -> Int {
    let match = try #require(try Regex("\(attribute)=\"([0-9]+)\"").firstMatch(in: text))
    return try #require(match.output[1].substring.flatMap { Int($0) })
  }

  private func tiles(
    of size: (width: Int, height: Int), level: Int, side: Int, overlap: Int, path: (Int, Int) -> String
  ) -> [Asked] {
    let (columns, rows) = ((size.width + side - 1) / side, (size.height + side - 1) / side)
    return (0..<rows).flatMap { row in
      (0..<columns).map { column in
        let (x, y) = (max(0, column * side - overlap), max(0, row * side - overlap))
        let right = min(size.width, (column + 1) * side + overlap)
        let bottom = min(size.height, (row + 1) * side + overlap)
        return Asked(
          path: path(column, row), level: level,
          region: PixelRegion(x: x, y: y, width: right - x, height: bottom - y))
      }
    }
  }

  private func scaled(_ size: (width: Int, height: Int), by scale: Int) -> (width: Int, height: Int) {
    ((size.width + scale - 1) / scale, (size.height + scale - 1) / scale)
  }

  /// Levels are numbered upwards from the level of a single pixel.
  private func deepZoom(_ name: String) throws -> [Asked] {
    let text = try desk.text("out/\(name).dzi")
    let size = (width: try number("Width", of: text), height: try number("Height", of: text))
    let (side, overlap) = (try number("TileSize", of: text), try number("Overlap", of: text))
    var last = 0
    while 1 << last < max(size.width, size.height) { last += 1 }
    return (0...last).flatMap { level in
      tiles(of: scaled(size, by: 1 << level), level: level, side: side, overlap: overlap) { column, row in
        "\(name)_files/\(last - level)/\(column)_\(row).webp"
      }
    }
  }

  /// Levels are numbered upwards from 1, the level of a single tile.
  private func named(_ name: String, overlap: Int) -> [Asked] {
    var sizes = [Self.size]
    while let last = sizes.last, max(last.width, last.height) > Self.tileSize {
      sizes.append(scaled(Self.size, by: 1 << sizes.count))
    }
    return sizes.indices.flatMap { level in
      tiles(of: sizes[level], level: level, side: Self.tileSize, overlap: overlap) { column, row in
        "\(name)/64/\(name)_64_\(sizes.count - level)_\(column)_\(row).webp"
      }
    }
  }

  private struct Information: Decodable {
    struct Tiles: Decodable {
      var width: Int
      var scaleFactors: [Int]
    }
    struct Size: Decodable { var width, height: Int }
    var width, height: Int
    var tiles: [Tiles]
    var sizes: [Size]
  }

  /// Tiles and sizes as chapters 5.3 and 5.4 of IIIF Image API 3.0 have clients request them, in canonical form (4.7).
  private func iiif(_ name: String) throws -> [Asked] {
    let data = try desk.data("out/\(name)/info.json")
    let information = try JSONDecoder().decode(Information.self, from: data)
    let all = (width: information.width, height: information.height)
    // Every level of compliance serves the whole picture as “max”.
    var asked = [
      Asked(
        path: "\(name)/full/max/0/default.webp", level: 0,
        region: PixelRegion(x: 0, y: 0, width: all.width, height: all.height))
    ]
    for size in information.sizes {
      let level = try #require((0..<16).first { scaled(all, by: 1 << $0) == (size.width, size.height) })
      asked.append(
        Asked(
          path: "\(name)/full/\(size.width),\(size.height)/0/default.webp", level: level,
          region: PixelRegion(x: 0, y: 0, width: size.width, height: size.height)))
    }
    let tile = try #require(information.tiles.first)
    for factor in tile.scaleFactors {
      let level = factor.trailingZeroBitCount
      let size = scaled(all, by: factor)
      // A tile that is the whole picture is requested as “full”, which is among the sizes.
      if max(size.width, size.height) <= tile.width { continue }
      for part in tiles(of: size, level: level, side: tile.width, overlap: 0, path: { _, _ in "" }) {
        let (x, y) = (part.region.x * factor, part.region.y * factor)
        let width = min(tile.width * factor, all.width - x)
        let height = min(tile.width * factor, all.height - y)
        let words = "\(x),\(y),\(width),\(height)/\(part.region.width),\(part.region.height)"
        asked.append(Asked(path: "\(name)/\(words)/0/default.webp", level: level, region: part.region))
      }
    }
    return asked
  }

  // MARK: Tests

  private func files(_ name: String) throws -> Set<String> {
    let root = desk.folder.path + "/out"
    let all = try FileManager.default.subpathsOfDirectory(atPath: root)
    return Set(all.filter { $0.hasPrefix(name) && $0.hasSuffix(".webp") })
  }

  @Test(
    "shows every kind of source",
    .enabled(if: CodecRegistry.standard.codec("webp")?.traits.absence == nil, "SKIPPED: needs libwebp"),
    arguments: [(TileLayout.dzi, 0), (.dzi, 3), (.iiif, 0), (.names, 0), (.names, 3)])
  func writesEveryLayout(layout: TileLayout, overlap: Int) throws {
    let sources = try Self.sources()
    let names = sources.keys.sorted()
    for name in names {
      let file = try #require(sources[name])
      try Data(file.bytes).write(to: desk.folder.url.appending(path: "\(name).\(file.ending)"))
    }
    let result = try desk.run(
      ["tiles", "export"] + names.map { "\($0).\(sources[$0]?.ending ?? "")" } + [
        "out", "--layout", layout.rawValue, "--tile-size", "\(Self.tileSize)", "--overlap", "\(overlap)",
        "--codec", "webp:lossless=true,method=0",
      ])
    #expect(result.status == 0, "\(result.errors)")
    for name in names {
      var levels = [try picture("\(name).\(sources[name]?.ending ?? "")")]
      levels[0] = levels[0].scaledDepth(to: 8)
      let asked = try asked(name, layout, overlap: overlap)
      #expect(try files(name) == Set(asked.map(\.path)), "\(name)")
      for tile in asked {
        while levels.count <= tile.level { levels.append(try levels[levels.count - 1].halved()) }
        let expected = try #require(levels[tile.level].cropped(to: tile.region), "\(tile.path)")
        let shown = try picture("out/\(tile.path)")
        #expect((shown.width, shown.height) == (tile.region.width, tile.region.height), "\(tile.path)")
        let isSame = try shown.shows(expected)
        #expect(isSame, "\(tile.path)")
      }
    }
  }
}
