import Foundation
package import Pixels

/// A naming scheme for a pyramid's tiles on disk.
package enum TileLayout: String, Sendable, Hashable, Codable, CaseIterable {
  /// Deep Zoom: `NAME.dzi` and `NAME_files/LEVEL/COLUMN_ROW.EXTENSION`, with levels counted up from one pixel.
  case dzi
  /// IIIF Image API 3.0, level 0: `NAME/info.json` and `NAME/REGION/SIZE/0/default.EXTENSION`.
  case iiif
  /// `NAME/SIZE/NAME_SIZE_LEVEL_COLUMN_ROW.EXTENSION`, with levels counted up from 1 for the smallest, as in
  /// THTiledImageView.
  case names

  /// The smallest level of the layout's pyramids.
  package var end: TilePyramid.End { self == .dzi ? .onePixel : .oneTile }

  package func path(
    _ name: String, _ place: TilePyramid.Place, of pyramid: TilePyramid, fileExtension: String
  ) -> String {
    let levels = pyramid.levels
    let upward = levels.count - 1 - place.level
    switch self {
    case .dzi: return "\(name)_files/\(upward)/\(place.column)_\(place.row).\(fileExtension)"
    case .names:
      let places = "\(upward + 1)_\(place.column)_\(place.row)"
      return "\(name)/\(pyramid.tileSize)/\(name)_\(pyramid.tileSize)_\(places).\(fileExtension)"
    case .iiif:
      let level = levels[place.level]
      let (region, size) = Self.request(pyramid.core(place, in: level), level, pyramid)
      return "\(name)/\(region)/\(size)/0/default.\(fileExtension)"
    }
  }

  /// Region and size of a tile in the canonical request (IIIF Image API 3.0, 4.7): the region in pixels of the
  /// picture, clipped at its edge, the size in pixels of the level.
  private static func request(
    _ core: PixelRegion, _ level: TilePyramid.Level, _ pyramid: TilePyramid
  ) -> (region: String, size: String) {
    if level.tileCount == 1 {
      return ("full", level.index == 0 ? "max" : "\(level.width),\(level.height)")
    }
    let scale = 1 << level.index
    let (x, y) = (core.x * scale, core.y * scale)
    let width = min(core.width * scale, pyramid.width - x)
    let height = min(core.height * scale, pyramid.height - y)
    return ("\(x),\(y),\(width),\(height)", "\(core.width),\(core.height)")
  }

  /// The path of the whole picture in one file, which IIIF requires in addition to the tiles; nil if the layout does
  /// not need it or has it among the tiles.
  package func wholePath(_ name: String, of pyramid: TilePyramid, fileExtension: String) -> String? {
    guard self == .iiif, pyramid.levels.count > 1 else { return nil }
    return "\(name)/full/max/0/default.\(fileExtension)"
  }

  /// Text as part of a URI (RFC 3986): all bytes except letters, digits, `-._~` and those in `further` become `%NN`. A
  /// name is a single segment, in which percent signs are encoded too.
  private static func percentEncoded(_ text: String, but further: String = "") -> String {
    let plain = Set("0123456789-._~\(further)".utf8)
    return text.utf8.map { byte in
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      return isLetter || plain.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%" + byte.hexadecimal.uppercased()
    }.joined()
  }

  /// The file that describes the pyramid to viewers; nil if the layout has none.
  /// - Parameter address: The URL prefix under which `NAME/info.json` will be served; for IIIF only.
  package func descriptor(
    _ name: String, of pyramid: TilePyramid, fileExtension: String, address: String = ""
  ) -> (path: String, text: String)? {
    switch self {
    case .dzi:
      let image =
        "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\" Format=\"\(fileExtension)\""
        + " Overlap=\"\(pyramid.overlap)\" TileSize=\"\(pyramid.tileSize)\">"
      let size = "<Size Height=\"\(pyramid.height)\" Width=\"\(pyramid.width)\"/>"
      return ("\(name).dzi", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(image)\(size)</Image>\n")
    case .iiif:
      let prefix = Self.percentEncoded(address, but: ":/?#[]@!$&'()*+,;=%")
      let information = IIIFInformation(
        pyramid, id: prefix + Self.percentEncoded(name), fileExtension: fileExtension)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(information) else { return nil }
      return ("\(name)/info.json", String(decoding: data, as: UTF8.self) + "\n")
    case .names: return nil
    }
  }
}

/// The image information of IIIF Image API 3.0, chapter 5, for static tiles (compliance level 0).
private struct IIIFInformation: Encodable {
  struct Tiles: Encodable {
    var width: Int
    var scaleFactors: [Int]
  }

  struct Size: Encodable {
    var width, height: Int
  }

  private enum CodingKeys: String, CodingKey {
    case context = "@context"
    case id, type, `protocol`, profile, width, height, tiles, sizes, preferredFormats, extraFormats
  }

  let context = "http://iiif.io/api/image/3/context.json"
  let id: String
  let type = "ImageService3"
  let `protocol` = "http://iiif.io/api/image"
  let profile = "level0"
  let width, height: Int
  let tiles: [Tiles]
  let sizes: [Size]?
  let preferredFormats: [String]?
  let extraFormats: [String]?

  init(_ pyramid: TilePyramid, id: String, fileExtension: String) {
    self.id = id
    (width, height) = (pyramid.width, pyramid.height)
    let levels = pyramid.levels
    tiles = [Tiles(width: pyramid.tileSize, scaleFactors: levels.map { 1 << $0.index })]
    // A listed size must exist under its numeric name; the full size exists as “max”.
    let whole = levels.filter { $0.index > 0 && $0.tileCount == 1 }
    sizes = whole.isEmpty ? nil : whole.reversed().map { Size(width: $0.width, height: $0.height) }
    let others = fileExtension == "jpg" ? nil : [fileExtension]
    (preferredFormats, extraFormats) = (others, others)
  }
}
