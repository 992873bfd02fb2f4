/// Builds the boxes of a HEIF file, valid or deliberately broken, without any image data.
struct HEIFSyntheticFile {
  /// An item: its type, its own properties and the images that it is derived from.
  struct Item {
    var id: Int
    var type: String
    var properties: [[UInt8]]
    var sources: [Int] = []
    /// The image that this one is the alpha of.
    var alphaOf: Int?
    /// Data in the `idat` box.
    var data: [UInt8] = []
    /// The image that this one is a thumbnail of.
    var thumbnailOf: Int?
    /// The content type of an item of type `mime`.
    var contentType: String?
    /// The image that the data describe.
    var describes: Int?
  }

  var brand = "heic"
  var primary: Int? = 1
  var items: [Item] = []

  /// A file with one coded image of this size.
  static func single(width: Int, height: Int, more properties: [[UInt8]] = []) -> HEIFSyntheticFile {
    HEIFSyntheticFile(items: [
      Item(id: 1, type: "hvc1", properties: [size(width, height), hevc()] + properties)
    ])
  }

  /// The whole file.
  var bytes: [UInt8] {
    let brands = Array("\(brand)\u{0}\u{0}\u{0}\u{0}mif1".utf8)
    return Self.box("ftyp", brands) + Self.box("meta", [0, 0, 0, 0] + metaChildren)
  }

  private var metaChildren: [UInt8] {
    var children: [UInt8] = []
    if let primary { children += Self.fullBox("pitm", Self.number(primary, 2)) }
    let entries = items.flatMap { item in
      Self.fullBox(
        "infe", version: 2,
        Self.number(item.id, 2) + [0, 0] + Array(item.type.utf8) + [0]
          + (item.contentType.map { Array($0.utf8) + [0] } ?? []))
    }
    children += Self.fullBox("iinf", Self.number(items.count, 2) + entries)
    children += Self.fullBox("iref", items.flatMap(references))
    let properties = items.flatMap(\.properties)
    var next = 0
    let associations = items.flatMap { item in
      let indices = item.properties.indices.map { UInt8(next + $0 + 1) }
      next += item.properties.count
      return Self.number(item.id, 2) + [UInt8(indices.count)] + indices
    }
    children += Self.box(
      "iprp",
      Self.box("ipco", properties.flatMap { $0 })
        + Self.fullBox("ipma", Self.number(items.count, 4) + associations))
    return children + locations
  }

  private var locations: [UInt8] {
    var data: [UInt8] = []
    var entries: [UInt8] = []
    for item in items {
      entries += Self.number(item.id, 2) + [0, 1, 0, 0, 0, 1]
      entries += Self.number(data.count, 4) + Self.number(item.data.count, 4)
      data += item.data
    }
    return Self.fullBox("iloc", version: 1, [0x44, 0x00] + Self.number(items.count, 2) + entries)
      + Self.box("idat", data)
  }

  private func references(_ item: Item) -> [UInt8] {
    var boxes: [UInt8] = []
    if !item.sources.isEmpty {
      boxes += Self.box(
        "dimg",
        Self.number(item.id, 2) + Self.number(item.sources.count, 2)
          + item.sources.flatMap { Self.number($0, 2) })
    }
    for (type, main) in [("auxl", item.alphaOf), ("thmb", item.thumbnailOf), ("cdsc", item.describes)] {
      guard let main else { continue }
      boxes += Self.box(type, Self.number(item.id, 2) + Self.number(1, 2) + Self.number(main, 2))
    }
    return boxes
  }

  // MARK: Boxes

  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    number(payload.count + 8, 4) + Array(type.utf8) + payload
  }

  static func fullBox(_ type: String, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, 0] + payload)
  }

  static func size(_ width: Int, _ height: Int) -> [UInt8] {
    fullBox("ispe", number(width, 4) + number(height, 4))
  }

  static func rotation(_ turns: UInt8) -> [UInt8] { box("irot", [turns]) }

  static func crop(_ width: Int, _ height: Int) -> [UInt8] {
    box("clap", [width, 1, height, 1, 0, 1, 0, 1].flatMap { number($0, 4) })
  }

  static func hevc(chroma: UInt8 = 1, bits: UInt8 = 8) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 23)
    payload[16] = 0xFC | chroma
    payload[17] = 0xF8 | (bits - 8)
    return box("hvcC", payload)
  }

  static func av1(_ flags: UInt8) -> [UInt8] { box("av1C", [0x81, 0, flags, 0]) }

  static let alphaKind = auxiliary("urn:mpeg:hevc:2015:auxid:1")

  /// The box that states the purpose of an auxiliary image.
  static func auxiliary(_ name: String) -> [UInt8] { fullBox("auxC", Array("\(name)\u{0}".utf8)) }

  /// A grid's description.
  static func grid(rows: Int, columns: Int, width: Int, height: Int) -> [UInt8] {
    [0, 1, UInt8(rows - 1), UInt8(columns - 1)] + number(width, 4) + number(height, 4)
  }
}
