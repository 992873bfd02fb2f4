import CodecKit

/// Items of a file's `meta` box: types, properties and references (ISO/IEC 23008-12 and 14496-12, 8.11).
struct HEIFItems {
  struct Reference {
    /// `dimg` for derived from, `auxl` for auxiliary of.
    var type: FourCC
    var from: Int
    var to: [Int]
  }

  /// Most properties of an image, which every visit scans; a real one has about ten.
  static let maximumProperties = 1000

  private(set) var primary: Int?
  private(set) var types: [Int: FourCC] = [:]
  /// Content types of `mime` and `uri ` items, such as `application/rdf+xml`.
  private(set) var contentTypes: [Int: String] = [:]
  private(set) var properties: [Int: [HEIFProperty]] = [:]
  /// All properties of each item as stored, in order of application.
  private(set) var propertyBoxes: [Int: [HEIFBox]] = [:]
  private(set) var references: [Reference] = []
  private var derivations: [Int: [Int]] = [:]
  private var alphas: [Int: [Int]] = [:]
  private var thumbnails: [Int: [Int]] = [:]
  private var locations = HEIFItemLocations()

  init(meta: HEIFBox) throws(CodecError) {
    let boxes = try HEIFBox.list(in: meta.full().reader.rest)
    if let box = boxes.first("pitm") { primary = try Self.primary(box) }
    if let box = boxes.first("iinf") { (types, contentTypes) = try Self.types(box) }
    if let box = boxes.first("iref") { references = try Self.references(box) }
    if let box = boxes.first("iprp") { (properties, propertyBoxes) = try Self.properties(box) }
    for reference in references where reference.type == "dimg" {
      derivations[reference.from, default: []] += reference.to
    }
    for reference in references where reference.type == "auxl" && isAlpha(reference.from) {
      for item in reference.to { alphas[item, default: []].append(reference.from) }
    }
    for reference in references where reference.type == "thmb" {
      for item in reference.to { thumbnails[item, default: []].append(reference.from) }
    }
    if let box = boxes.first("iloc") { locations = try HEIFItemLocations(box) }
    locations.itemData = boxes.first("idat")?.payload
  }

  func data(of item: Int, in file: [UInt8], count: Int) -> ArraySlice<UInt8>? {
    locations.data(of: item, in: file, count: count)
  }

  func data(of item: Int, in file: [UInt8]) -> ArraySlice<UInt8>? { locations.data(of: item, in: file) }

  func start(of item: Int) -> Int? { locations.start(of: item) }

  func bytes(of item: Int, in file: [UInt8]) -> Int { locations.bytes(of: item, fileBytes: file.count) }

  func thumbnails(of item: Int) -> [Int] { thumbnails[item] ?? [] }

  /// Images that an image is derived from, in order.
  func sources(of item: Int) -> [Int] { derivations[item] ?? [] }

  /// Images whose luma is the alpha of an image.
  func alphas(of item: Int) -> [Int] { alphas[item] ?? [] }

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

  private static func primary(_ box: HEIFBox) throws(CodecError) -> Int {
    var (version, _, reader) = try box.full()
    guard let id = reader.number(version == 0 ? 2 : 4) else { throw box.broken }
    return id
  }

  private static func types(
    _ box: HEIFBox
  ) throws(CodecError) -> (types: [Int: FourCC], contentTypes: [Int: String]) {
    var (version, _, reader) = try box.full()
    guard reader.number(version == 0 ? 2 : 4) != nil else { throw box.broken }
    var types: [Int: FourCC] = [:]
    var contentTypes: [Int: String] = [:]
    for entry in try HEIFBox.list(in: reader.rest) where entry.type == "infe" {
      var (version, _, reader) = try entry.full()
      // Versions 0 and 1 have no item type and describe no images.
      guard version >= 2 else { continue }
      guard let id = reader.number(version == 2 ? 2 : 4), reader.number(2) != nil, let type = reader.code()
      else { throw entry.broken }
      types[id] = type
      guard type == "mime" || type == "uri " else { continue }
      _ = reader.text()
      contentTypes[id] = reader.text()
    }
    return (types, contentTypes)
  }

  private static func references(_ box: HEIFBox) throws(CodecError) -> [Reference] {
    let (version, _, reader) = try box.full()
    let width = version == 0 ? 2 : 4
    var references: [Reference] = []
    for entry in try HEIFBox.list(in: reader.rest) {
      var reader = BoxScanner(entry.payload)
      guard let from = reader.number(width), let count = reader.number(2) else { throw entry.broken }
      var to: [Int] = []
      for _ in 0..<count {
        guard let id = reader.number(width) else { throw entry.broken }
        to.append(id)
      }
      references.append(Reference(type: entry.type, from: from, to: to))
    }
    return references
  }

  private static func properties(
    _ box: HEIFBox
  ) throws(CodecError) -> (read: [Int: [HEIFProperty]], stored: [Int: [HEIFBox]]) {
    let boxes = try HEIFBox.list(in: box.payload)
    guard let container = boxes.first("ipco") else { return ([:], [:]) }
    let stored = try HEIFBox.list(in: container.payload)
    var all: [HEIFProperty?] = []
    for property in stored { all.append(try HEIFProperty(property)) }
    var properties: [Int: [HEIFProperty]] = [:]
    var propertyBoxes: [Int: [HEIFBox]] = [:]
    for association in boxes where association.type == "ipma" {
      var (version, flags, reader) = try association.full()
      guard let entries = reader.number(4) else { throw association.broken }
      for _ in 0..<entries {
        guard let item = reader.number(version == 0 ? 2 : 4), let count = reader.number(1) else {
          throw association.broken
        }
        for _ in 0..<count {
          guard let bits = reader.number(flags & 1 == 1 ? 2 : 1) else { throw association.broken }
          let index = bits & (flags & 1 == 1 ? 0x7FFF : 0x7F)
          guard index > 0, index <= all.count else { continue }
          propertyBoxes[item, default: []].append(stored[index - 1])
          if let property = all[index - 1] { properties[item, default: []].append(property) }
        }
        guard propertyBoxes[item, default: []].count <= maximumProperties else {
          throw .limitExceeded("an image with more than \(maximumProperties) properties")
        }
      }
    }
    return (properties, propertyBoxes)
  }
}
