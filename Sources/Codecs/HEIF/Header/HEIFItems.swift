import CodecKit
import Pixels

/// Items of a file's `meta` box: types, properties and references (ISO/IEC 23008-12 and 14496-12, 8.11).
struct HEIFItems {
  /// The maximum number of properties of an image, which every visit scans; a real image has about ten.
  static let maximumProperties = 1000

  let file: [UInt8]
  let boxes: [HEIFBox]
  let primary: Int
  private(set) var types: [Int: FourCC] = [:]
  /// Content types of `mime` and `uri ` items, such as `application/rdf+xml`.
  private(set) var contentTypes: [Int: String] = [:]
  private(set) var properties: [Int: [HEIFProperty]] = [:]
  /// All properties of each item as stored, in order of application.
  private(set) var propertyBoxes: [Int: [HEIFBox]] = [:]
  /// References such as `dimg` (derived from) and `auxl` (auxiliary of).
  private(set) var references: [(type: FourCC, from: Int, to: [Int])] = []
  private var derivations: [Int: [Int]] = [:]
  private var alphas: [Int: [Int]] = [:]
  private var thumbnails: [Int: [Int]] = [:]
  let locations: HEIFItemLocations

  /// Reads the boxes of a file. Its last box may be truncated unless `isWhole`.
  init(_ file: [UInt8], isWhole: Bool = false) throws(CodecError) {
    self.file = file
    boxes = try HEIFBox.list(in: file[...], isTruncationAllowed: !isWhole)
    guard boxes.first?.type == "ftyp" else { throw .malformed("not a HEIF file") }
    guard let meta = boxes.first("meta") else {
      guard boxes.first("moov") == nil else {
        throw .unsupported("an image sequence without a still image")
      }
      throw .malformed("the file has no “meta” box, or was cut off before it")
    }
    let parts = try HEIFBox.list(in: meta.full().reader.rest)
    guard let item = parts.first("pitm") else { throw .malformed("the file does not name a primary image") }
    var (version, _, reader) = try item.full()
    primary = try reader.number(version == 0 ? 2 : 4)
    locations = try HEIFItemLocations(parts.first("iloc"), itemData: parts.first("idat")?.payload)
    if let box = parts.first("iinf") { try readTypes(box) }
    if let box = parts.first("iprp") { try readProperties(box) }
    if let box = parts.first("iref") { try readReferences(box) }
  }

  /// The number of bytes of all boxes except coded data.
  var headerBytes: Int { boxes.reduce(0) { $0 +| ($1.type == "mdat" ? 0 : $1.payload.count +| 8) } }

  func thumbnails(of item: Int) -> [Int] { thumbnails[item] ?? [] }

  /// Images that an image is derived from, in order.
  func sources(of item: Int) -> [Int] { derivations[item] ?? [] }

  func alphas(of item: Int) -> [Int] { alphas[item] ?? [] }

  /// The size that the file states for an image, before cropping and turning.
  func size(of item: Int) throws(CodecError) -> (width: Int, height: Int) {
    for case .size(let width, let height) in properties[item] ?? [] where width > 0 && height > 0 {
      return (width, height)
    }
    throw .malformed("image \(item) does not state its size")
  }

  private func isAlpha(_ item: Int) -> Bool {
    (properties[item] ?? []).contains { property in
      if case .auxiliary(let name) = property { Self.alphaNames.contains(name) } else { false }
    }
  }

  static let alphaNames: Set = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    "urn:mpeg:avc:2015:auxid:1",
  ]

  var longestSide: Int {
    properties.values.joined().reduce(0) { longest, property in
      if case .size(let width, let height) = property { max(longest, width, height) } else { longest }
    }
  }

  private mutating func readTypes(_ box: HEIFBox) throws(CodecError) {
    var (version, _, reader) = try box.full()
    try reader.take(version == 0 ? 2 : 4)
    for entry in try HEIFBox.list(in: reader.rest) where entry.type == "infe" {
      var (version, _, reader) = try entry.full()
      // Versions 0 and 1 have no item type and describe no images.
      guard version >= 2 else { continue }
      let id = try reader.number(version == 2 ? 2 : 4)
      try reader.take(2)
      let type = try reader.code()
      types[id] = type
      guard type == "mime" || type == "uri " else { continue }
      _ = reader.text()
      contentTypes[id] = reader.text()
    }
  }

  /// Reads references. Must come after the properties, which identify alpha.
  private mutating func readReferences(_ box: HEIFBox) throws(CodecError) {
    let (version, _, reader) = try box.full()
    let width = version == 0 ? 2 : 4
    for entry in try HEIFBox.list(in: reader.rest) {
      var reader = entry.reader
      var reference = (type: entry.type, from: try reader.number(width), to: [Int]())
      for _ in try reader.number(2).indices { reference.to.append(try reader.number(width)) }
      references.append(reference)
      switch reference.type {
      case "dimg": derivations[reference.from, default: []].append(contentsOf: reference.to)
      case "auxl" where isAlpha(reference.from):
        for item in reference.to { alphas[item, default: []].append(reference.from) }
      case "thmb": for item in reference.to { thumbnails[item, default: []].append(reference.from) }
      default: break
      }
    }
  }

  private mutating func readProperties(_ box: HEIFBox) throws(CodecError) {
    let boxes = try HEIFBox.list(in: box.payload)
    guard let container = boxes.first("ipco") else { return }
    let stored = try HEIFBox.list(in: container.payload)
    var read: [HEIFProperty?] = []
    for property in stored { read.append(try HEIFProperty(property)) }
    for association in boxes where association.type == "ipma" {
      var (version, flags, reader) = try association.full()
      let isWide = flags & 1 == 1
      for _ in try reader.number(4).indices {
        let item = try reader.number(version == 0 ? 2 : 4)
        for _ in try reader.number(1).indices {
          let index = try reader.number(isWide ? 2 : 1) & (isWide ? 0x7FFF : 0x7F)
          guard let box = stored.element(index -| 1) else { continue }
          propertyBoxes[item, default: []].append(box)
          if let property = read.element(index -| 1) ?? nil {
            properties[item, default: []].append(property)
          }
        }
        guard propertyBoxes[item, default: []].count <= Self.maximumProperties else {
          throw .limitExceeded("an image with more than \(Self.maximumProperties) properties")
        }
      }
    }
  }
}

/// Item properties that describe an image's size and samples (ISO/IEC 23008-12, 6.5).
enum HEIFProperty {
  /// `ispe`: columns and rows, before transformations.
  case size(width: Int, height: Int)
  /// `irot`: quarter turns counter-clockwise, 0 to 3.
  case rotation(quarterTurns: Int)
  /// `clap`: columns and rows left after cropping.
  case crop(width: Int, height: Int)
  /// `hvcC` or `av1C`: the format of the coded samples.
  case coding(isGray: Bool, bits: Int)
  /// `auxC`: the purpose of an auxiliary image.
  case auxiliary(String)

  init?(_ box: HEIFBox) throws(CodecError) {
    var reader = box.reader
    switch box.type {
    case "ispe":
      try reader.take(4)
      self = .size(width: try reader.number(4), height: try reader.number(4))
    case "irot": self = .rotation(quarterTurns: try reader.number(1) & 3)
    case "clap":
      let (width, widthUnder) = (try reader.number(4), try reader.number(4))
      let (height, heightUnder) = (try reader.number(4), try reader.number(4))
      guard widthUnder > 0, heightUnder > 0 else { throw box.broken }
      self = .crop(width: width /| widthUnder, height: height /| heightUnder)
    case "hvcC":
      // ISO/IEC 14496-15, 8.3.3.1: chroma_format_idc in byte 16, bit_depth_luma_minus8 in byte 17.
      try reader.take(16)
      self = .coding(isGray: try reader.number(1) & 3 == 0, bits: try reader.number(1) & 7 +| 8)
    case "av1C":
      // AV1 in ISOBMFF, 2.3.3: high_bitdepth, twelve_bit and monochrome in byte 2.
      try reader.take(2)
      let flags = try reader.number(1)
      let bits = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
      self = .coding(isGray: flags & 0x10 != 0, bits: bits)
    case "auxC":
      try reader.take(4)
      self = .auxiliary(reader.text())
    default: return nil
    }
  }
}
