import CodecKit
import Pixels

/// A coded tile of a HEIF file, which can be written as a separate file.
struct HEIFTile {
  /// Size, including padding.
  let width, height: Int
  /// Item type, which names the coding: `hvc1` or `av01`.
  let type: FourCC
  /// The `hvcC` or `av1C` box.
  let configuration: HEIFBox
  /// Matrix and range, on which the decoded RGB depends; nil if not stated.
  let colour: HEIFBox?
  let profile: HEIFBox?
  /// The visible part, if the tile's own properties crop it.
  let crop: PixelRegion?
  /// Turns from the tile's own properties, applied after `crop`.
  let turns: [Orientation]
  let data: ArraySlice<UInt8>

  var byteCount: Int { data.count }

  /// Finds a tile. Throws `unsupported` with the reason if it is not a plain coded picture.
  /// - Parameter isAlone: True if the item is a whole picture, which may be cropped and turned, rather than part of a
  ///   grid.
  init(_ item: Int, in items: HEIFItems, isAlone: Bool = false) throws(CodecError) {
    guard let type = items.types[item], type == "hvc1" || type == "av01" else {
      throw .unsupported("its tiles are not coded pictures")
    }
    guard items.alphas(of: item).isEmpty else { throw .unsupported("its tiles have their own alpha") }
    let properties = items.propertyBoxes[item] ?? []
    let transformations = properties.filter { ["irot", "imir", "clap"].contains($0.type) }
    guard let configuration = properties.first(type == "hvc1" ? "hvcC" : "av1C") else {
      throw .malformed("image \(item) lacks its decoder configuration")
    }
    guard let data = items.data(of: item), !data.isEmpty else {
      throw .unsupported("the bytes of its tiles are missing or in several pieces")
    }
    (width, height) = try items.size(of: item)
    guard isAlone || transformations.isEmpty else {
      throw .unsupported("its tiles are transformed individually")
    }
    let placement = try HEIFPlacement(width: width, height: height, properties: transformations)
    crop = placement.isCropped ? placement.visiblePart : nil
    turns = placement.turns
    self.type = type
    self.configuration = configuration
    self.data = data
    colour = properties.first(where: \.hasCodePoints)
    profile = properties.first { $0.isColour && !$0.hasCodePoints }
  }

  init(file: [UInt8]) throws(CodecError) {
    let items = try HEIFItems(file, isWhole: true)
    guard items.types[items.primary] != "grid" else {
      throw .unsupported(
        "it is itself a grid (libheif writes odd sizes as grids), not a single coded picture")
    }
    try self.init(items.primary, in: items, isAlone: true)
  }

  /// Decoder parameters that tiles of the same grid must share: chroma format and depths of `hvcC` (ISO/IEC 14496-15,
  /// 8.3.2.1.2); profile, level and sampling of `av1C`.
  var coding: [UInt8] {
    let payload = Array(configuration.payload)
    let shared = type == "hvc1" ? payload.dropFirst(16).prefix(3) : payload.dropFirst(1).prefix(2)
    return [type.bytes[...], shared].flatMap { $0 }
  }

  /// A file with this tile: its coded bytes, unchanged, after the minimum of boxes that a reader needs.
  /// - Parameter colour: The `colr` box of code points, if the tile has none of its own.
  func file(
    cut: PixelRegion? = nil, turns: [Orientation] = [], profile: HEIFBox? = nil, colour stated: [UInt8]? = nil
  ) -> [UInt8] {
    var properties = HEIFProperties()
    var indices = [properties.add(HEIFBoxes.size(width, height))]
    indices.append(properties.add(HEIFBoxes.box(configuration), isEssential: true))
    if let box = colour.map({ HEIFBoxes.box($0) }) ?? stated { indices.append(properties.add(box)) }
    if let profile { indices.append(properties.add(HEIFBoxes.box(profile))) }
    if let cut, cut.width < width || cut.height < height {
      indices.append(properties.add(HEIFBoxes.cleanAperture(cut, width, height), isEssential: true))
    }
    for turn in turns.flatMap(HEIFBoxes.turn) { indices.append(properties.add(turn, isEssential: true)) }
    return HEIFBoxes.file(of: [self], properties.box(associations: [(item: 1, indices: indices)]))
  }
}
