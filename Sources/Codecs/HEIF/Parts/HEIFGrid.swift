import CodecKit
import Pixels

/// A picture that a HEIF file puts together from coded tiles of one size, each of which decodes by itself
/// (ISO/IEC 23008-12, 6.6.2.3).
struct HEIFGrid {
  /// Columns and rows of the canvas, before the picture's transformations.
  let width, height: Int
  /// Columns and rows of a tile.
  let tileWidth, tileHeight: Int
  /// How many tiles there are from left to right.
  let columns: Int
  /// How the canvas becomes the picture.
  let placement: HEIFPlacement
  /// Bytes of the file in front of and around the coded pictures that have to be read to find them.
  let headerBytes: Int

  private let tiles: [HEIFTile]

  /// Finds the tiles of a file's primary image. Throws `unsupported` with the reason where it has none, or
  /// where they do not decode apart from each other to just the pixels of the whole.
  init(_ file: [UInt8], info: HEIFFileInfo) throws(CodecError) {
    let boxes = try HEIFBox.list(in: file[...], isTruncationAllowed: true)
    guard let meta = boxes.first("meta") else { throw .malformed("the file has no “meta” box") }
    let items = try HEIFItems(meta: meta)
    guard let primary = items.primary, items.types[primary] == "grid" else {
      throw .unsupported("the picture is not coded in tiles")
    }
    guard info.alpha == .absent, !info.isGray else {
      throw .unsupported("tiles of gray pictures and of pictures with alpha are not taken apart")
    }
    let description = try Self.description(items.data(of: primary, in: file))
    let sources = items.sources(of: primary)
    guard sources.count == description.rows * description.columns, let first = sources.first else {
      throw .malformed("a grid with \(sources.count) instead of its tiles")
    }
    (width, height, columns) = (description.width, description.height, description.columns)
    (tileWidth, tileHeight) = try HEIFTile.size(of: first, in: items)
    guard tileWidth * columns >= width, tileHeight * description.rows >= height else {
      throw .malformed("tiles that do not cover the picture")
    }
    placement = try HEIFPlacement(
      width: width, height: height, properties: items.propertyBoxes[primary] ?? [])
    guard placement.width == info.width, placement.height == info.height else {
      throw .unsupported("its transformations do not give the size that it states")
    }
    var tiles: [HEIFTile] = []
    for item in sources {
      let tile = try HEIFTile(item, in: items, file: file)
      guard tile.width == tileWidth, tile.height == tileHeight else {
        throw .unsupported("its tiles differ in size")
      }
      tiles.append(tile)
    }
    self.tiles = tiles
    headerBytes = boxes.filter { $0.type != "mdat" }.reduce(0) { $0 + $1.payload.count + 8 }
  }

  /// Rows, columns and the canvas, from a grid's data.
  private static func description(
    _ data: ArraySlice<UInt8>?
  ) throws(CodecError) -> (rows: Int, columns: Int, width: Int, height: Int) {
    var reader = BoxScanner(data ?? [])
    guard reader.number(1) == 0, let flags = reader.number(1), let rows = reader.number(1),
      let columns = reader.number(1), let width = reader.number(flags & 1 == 1 ? 4 : 2),
      let height = reader.number(flags & 1 == 1 ? 4 : 2), width > 0, height > 0
    else { throw .malformed("the description of the grid is broken") }
    return (rows + 1, columns + 1, width, height)
  }

  /// A tile with what of it is inside the canvas.
  struct Part {
    /// The tile.
    var tile: HEIFTile
    /// Where it lies on the canvas, without the padding of the last column and row.
    var region: PixelRegion
  }

  /// The tiles that a rectangle of the canvas touches.
  func parts(touching region: PixelRegion) -> [Part] {
    guard region.fits(width: width, height: height) else { return [] }
    var parts: [Part] = []
    for row in (region.y / tileHeight)...((region.maximumY - 1) / tileHeight) {
      for column in (region.x / tileWidth)...((region.maximumX - 1) / tileWidth) {
        let (x, y) = (column * tileWidth, row * tileHeight)
        let inside = PixelRegion(
          x: x, y: y, width: min(tileWidth, width - x), height: min(tileHeight, height - y))
        parts.append(Part(tile: tiles[row * columns + column], region: inside))
      }
    }
    return parts
  }
}

/// A coded tile of a HEIF file, and the file that it becomes by itself.
struct HEIFTile {
  /// Columns and rows, padding included.
  let width, height: Int
  private let type: FourCC
  private let configuration: HEIFBox
  private let colour: HEIFBox?
  private let data: ArraySlice<UInt8>

  /// Bytes of the coded picture.
  var byteCount: Int { data.count }

  /// Finds a tile. Throws `unsupported` with the reason where it is more than a coded picture.
  init(_ item: Int, in items: HEIFItems, file: [UInt8]) throws(CodecError) {
    guard let type = items.types[item], type == "hvc1" || type == "av01" else {
      throw .unsupported("its tiles are no coded pictures")
    }
    guard items.alphas(of: item).isEmpty else { throw .unsupported("its tiles have alpha of their own") }
    let properties = items.propertyBoxes[item] ?? []
    guard properties.allSatisfy({ !["irot", "imir", "clap"].contains($0.type) }) else {
      throw .unsupported("its tiles are transformed one by one")
    }
    guard let configuration = properties.first(type == "hvc1" ? "hvcC" : "av1C") else {
      throw .malformed("image \(item) lacks its decoder configuration")
    }
    guard let data = items.data(of: item, in: file), !data.isEmpty else {
      throw .unsupported("the bytes of its tiles are missing or in several pieces")
    }
    (width, height) = try Self.size(of: item, in: items)
    self.type = type
    self.configuration = configuration
    self.data = data
    // Matrix and range decide on the decoded RGB; an ICC profile does not, and is the whole picture's.
    colour = properties.first { $0.type == "colr" && $0.payload.starts(with: "nclx".utf8) }
  }

  /// The size that an item states.
  static func size(of item: Int, in items: HEIFItems) throws(CodecError) -> (width: Int, height: Int) {
    for case .size(let width, let height) in items.properties[item] ?? [] where width > 0 && height > 0 {
      return (width, height)
    }
    throw .malformed("image \(item) does not tell its size")
  }

  /// The tile as a file: its coded bytes unchanged behind the least of boxes that a reader needs.
  var file: [UInt8] {
    let brand: FourCC = type == "hvc1" ? "heic" : "avif"
    let start = Self.box(
      "ftyp", Self.joined(brand.bytes, [0, 0, 0, 0], Self.generalBrand.bytes, brand.bytes))
    let handler = Self.joined([0, 0, 0, 0], Self.picture.bytes, [UInt8](repeating: 0, count: 13))
    let front = Self.joined(Self.fullBox("hdlr", handler), Self.fullBox("pitm", [0, 1]))
    let entry = Self.fullBox("infe", version: 2, Self.joined([0, 1, 0, 0], type.bytes, [0]))
    let back = Self.joined(Self.fullBox("iinf", Self.joined([0, 1], entry)), properties)
    // The location box is 30 bytes long, the heads of `meta` and `mdat` 12 and 8.
    let offset = start.count + 12 + front.count + 30 + back.count + 8
    let location = Self.joined(
      [0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1], Self.long(offset), Self.long(data.count))
    let meta = Self.fullBox("meta", Self.joined(front, Self.fullBox("iloc", location), back))
    return Self.joined(start, meta, Self.box("mdat", data))
  }

  private static let generalBrand: FourCC = "mif1"
  private static let picture: FourCC = "pict"

  /// The `iprp` box: size, decoder configuration, and matrix and range where they are told.
  private var properties: [UInt8] {
    let size = Self.fullBox("ispe", Self.joined(Self.long(width), Self.long(height)))
    let container = Self.joined(size, Self.box(configuration), colour.map(Self.box) ?? [])
    // The configuration is essential, which is the top bit.
    let indices: [UInt8] = colour == nil ? [1, 0x82] : [1, 0x82, 3]
    let associations = Self.joined([0, 0, 0, 1, 0, 1, UInt8(indices.count)], indices)
    return Self.box("iprp", Self.joined(Self.box("ipco", container), Self.fullBox("ipma", associations)))
  }

  private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  private static func box(_ type: FourCC, _ payload: some Collection<UInt8>) -> [UInt8] {
    joined(long(payload.count + 8), type.bytes, Array(payload))
  }

  private static func box(_ box: HEIFBox) -> [UInt8] { Self.box(box.type, box.payload) }

  private static func fullBox(_ type: FourCC, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, joined([version, 0, 0, 0], payload))
  }

  private static func long(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
