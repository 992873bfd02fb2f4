import Pixels

/// Bytes of the boxes that heicbench writes (ISO/IEC 14496-12 and 23008-12). Numbers are big-endian.
enum HEIFBoxes {
  static func box(_ type: FourCC, _ payload: some Collection<UInt8>) -> [UInt8] {
    long(payload.count + 8) + type.bytes + payload
  }

  static func box(_ box: HEIFBox) -> [UInt8] { Self.box(box.type, box.payload) }

  static func fullBox(_ type: FourCC, version: UInt8 = 0, flags: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, flags] + payload)
  }

  static func short(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  static func long(_ number: Int) -> [UInt8] { short(number >> 16) + short(number) }

  /// A file with coded tiles as items from 1 up, unchanged after the minimum of boxes that a reader needs. Its picture
  /// is a single tile, the grid that all tiles form, or, with the `tmap` of a base and its gain map, the base.
  static func file(
    of tiles: [HEIFTile], _ properties: [UInt8], derived: (type: FourCC, data: [UInt8])? = nil
  ) -> [UInt8] {
    let brand: FourCC = tiles[0].type == "hvc1" ? "heic" : "avif"
    let isToneMap = derived?.type == "tmap"
    let start = box(
      "ftyp",
      brand.bytes + [0, 0, 0, 0] + (isToneMap ? FourCC("tmap").bytes : []) + FourCC("mif1").bytes
        + brand.bytes)
    let types = tiles.map(\.type) + (derived.map { [$0.type] } ?? [])
    let primary = isToneMap ? 1 : types.count
    let front =
      fullBox("hdlr", [0, 0, 0, 0] + FourCC("pict").bytes + [UInt8](repeating: 0, count: 13))
      + fullBox("pitm", short(primary))
    let entries = types.enumerated().flatMap { index, type in
      let isHidden = type != "tmap" && index + 1 != primary
      return fullBox(
        "infe", version: 2, flags: isHidden ? 1 : 0, short(index + 1) + [0, 0] + type.bytes + [0])
    }
    var back = fullBox("iinf", short(types.count) + entries) + properties
    if let derived {
      let references = short(types.count) + short(tiles.count) + (1...tiles.count).flatMap(short)
      back += fullBox("iref", box("dimg", references)) + box("idat", derived.data)
    }
    // Readers that know the tone-mapped picture show it instead of the base.
    if isToneMap {
      back += box("grpl", fullBox("altr", [types.count + 1, 2, types.count, primary].flatMap(long)))
    }
    // Only version 1 can locate data in the `idat` box.
    let method = derived == nil ? [] : short(0)
    // Each location takes 14 or 16 bytes, after 16 bytes of headers; the headers of `meta` and `mdat` take 12 and 8.
    var offset = start.count + 12 + front.count + 16 + (14 + method.count) * types.count + back.count + 8
    var locations: [UInt8] = [0x44, 0] + short(types.count)
    for (index, tile) in tiles.enumerated() {
      locations += short(index + 1) + method + [0, 0, 0, 1] + long(offset) + long(tile.byteCount)
      offset += tile.byteCount
    }
    if let derived {
      locations += short(types.count) + short(1) + [0, 0, 0, 1] + long(0) + long(derived.data.count)
    }
    let meta = fullBox("meta", front + fullBox("iloc", version: derived == nil ? 0 : 1, locations) + back)
    let head = long(tiles.reduce(8) { $0 + $1.byteCount }) + FourCC("mdat").bytes
    return tiles.reduce(into: start + meta + head) { $0 += $1.data }
  }

  static func size(_ width: Int, _ height: Int) -> [UInt8] { fullBox("ispe", long(width) + long(height)) }

  /// The `clap` box that crops an image to a rectangle: the size, and the offset of its centre from the image's in half
  /// pixels (ISO/IEC 14496-12, 12.1.4).
  static func cleanAperture(_ region: PixelRegion, _ width: Int, _ height: Int) -> [UInt8] {
    func rational(_ over: Int, _ under: Int) -> [UInt8] { long(over) + long(under) }
    return box(
      "clap",
      rational(region.width, 1) + rational(region.height, 1)
        + rational(2 * region.x + region.width - width, 2)
        + rational(2 * region.y + region.height - height, 2))
  }

  /// The `irot` and `imir` boxes that turn a stored image upright; empty if it already is.
  static func turn(_ orientation: Orientation) -> [[UInt8]] {
    let (quarters, mirror): (UInt8, UInt8?) =
      switch orientation {
      case .up: (0, nil)
      case .upMirrored: (0, 1)
      case .down: (2, nil)
      case .downMirrored: (0, 0)
      // Rotation comes first, then mirroring.
      case .leftMirrored: (1, 0)
      case .right: (3, nil)
      case .rightMirrored: (1, 1)
      case .left: (1, nil)
      }
    return (quarters == 0 ? [] : [box("irot", [quarters])]) + (mirror.map { [box("imir", [$0])] } ?? [])
  }
}

/// Builder of the `iprp` box: unique properties and their items.
struct HEIFProperties {
  private var boxes: [[UInt8]] = []

  /// A property's number, counted from 1; readers that do not know an essential property must give up.
  struct Index {
    var number: Int
    var isEssential: Bool
  }

  mutating func add(_ box: [UInt8], isEssential: Bool = false) -> Index {
    if let known = boxes.firstIndex(of: box) { return Index(number: known + 1, isEssential: isEssential) }
    boxes.append(box)
    return Index(number: boxes.count, isEssential: isEssential)
  }

  /// The `iprp` box; `associations` must be in ascending order of items.
  func box(associations: [(item: Int, indices: [Index])]) -> [UInt8] {
    let isWide = boxes.count > 127
    var payload = HEIFBoxes.long(associations.count)
    for (item, indices) in associations {
      payload += HEIFBoxes.short(item) + [UInt8(indices.count)]
      for index in indices {
        let essential = index.isEssential ? (isWide ? 0x8000 : 0x80) : 0
        payload += isWide ? HEIFBoxes.short(index.number | essential) : [UInt8(index.number | essential)]
      }
    }
    return HEIFBoxes.box(
      "iprp",
      HEIFBoxes.box("ipco", boxes.flatMap { $0 })
        + HEIFBoxes.fullBox("ipma", flags: isWide ? 1 : 0, payload))
  }
}
