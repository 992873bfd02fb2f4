import CodecKit
import Model

/// Contents of a HEIF or AVIF file besides its primary image, by its items and their references (ISO/IEC 23008-12).
struct HEIFContents {
  private let file: [UInt8]
  private let items: HEIFItems
  private let primary: Int
  /// Start offsets of the data counted so far: items may share data.
  private var counted: Set<Int> = []
  private(set) var contents = FileContents()

  /// Scans a file. One without items yields no contents.
  init(_ file: [UInt8]) throws(CodecError) {
    let boxes = try HEIFBox.list(in: file[...], isTruncationAllowed: true)
    guard let meta = boxes.first("meta") else { throw .malformed("the file has no “meta” box") }
    self.file = file
    items = try HEIFItems(meta: meta)
    primary = items.primary ?? 0
    addMetadata()
    addImages()
    addSamples()
    for box in boxes where box.type == "mpvd" { contents.add(.sequence, bytes: box.payload.count) }
    if boxes.first("moov") != nil { contents.add(.sequence, bytes: sequenceBytes(boxes)) }
  }

  /// Bytes of media data that no item claims. Tracks that share data with items count as those items.
  private func sequenceBytes(_ boxes: [HEIFBox]) -> Int {
    let media = boxes.filter { $0.type == "mdat" }.reduce(0) { $0 + $1.payload.count }
    let claimed = items.types.keys.reduce(0) { $0 + items.bytes(of: $1, in: file) }
    return max(media - claimed, boxes.first("moov")?.payload.count ?? 0)
  }

  private mutating func addMetadata() {
    for (item, type) in items.types {
      switch type {
      case "Exif": addExif(item)
      case "mime" where items.contentTypes[item] == "application/rdf+xml":
        contents.add(.xmp, bytes: items.bytes(of: item, in: file))
      case "mime", "uri ": contents.add(.other, bytes: items.bytes(of: item, in: file))
      default: break
      }
    }
  }

  private mutating func addExif(_ item: Int) {
    // ISO/IEC 23008-12, A.2.1: the offset of the TIFF header, then that many bytes.
    var reader = BoxScanner(items.data(of: item, in: file) ?? [])
    let tiff = reader.number(4).flatMap { reader.take($0) } == nil ? [] : reader.rest
    contents.addExif(tiff, bytes: items.bytes(of: item, in: file))
  }

  private static let imageTypes: Set<FourCC> = [
    "hvc1", "av01", "grid", "iovl", "iden", "avc1", "jpeg", "j2k1", "vvc1", "unci",
  ]

  /// Sorts images by the references to them. Sources of a derived image count with it.
  private mutating func addImages() {
    var kinds: [Int: FileContents.Kind] = [:]
    for reference in items.references {
      switch reference.type {
      case "thmb": kinds[reference.from] = .thumbnail
      case "auxl": kinds[reference.from] = kind(ofAuxiliary: reference.from)
      case "dimg" where items.types[reference.from] == "tmap":
        // ISO 21496-1 in HEIF: the picture, then its gain map.
        if reference.to.count > 1 { kinds[reference.to[1]] = .gainMap }
      default: break
      }
    }
    var claimed: Set<Int> = []
    claim(primary, &claimed)
    var parts: Set<Int> = []
    for (item, type) in items.types where Self.imageTypes.contains(type) && type != "tmap" {
      parts.formUnion(items.sources(of: item))
    }
    for item in items.types.keys.sorted() {
      guard let type = items.types[item], Self.imageTypes.contains(type), !claimed.contains(item) else {
        continue
      }
      let kind = kinds[item] ?? (parts.contains(item) ? nil : .pictures)
      guard let kind else { continue }
      let bytes = claim(item, &claimed)
      contents.add(kind, bytes: bytes)
    }
  }

  /// Bytes of an image and all its sources, each counted once.
  @discardableResult
  private mutating func claim(_ item: Int, _ claimed: inout Set<Int>) -> Int {
    var bytes = 0
    var open = [item]
    while let next = open.popLast() {
      guard claimed.insert(next).inserted else { continue }
      if items.start(of: next).map({ counted.insert($0).inserted }) ?? false {
        bytes += items.bytes(of: next, in: file)
      }
      open += items.sources(of: next)
    }
    return bytes
  }

  private func kind(ofAuxiliary item: Int) -> FileContents.Kind {
    for case .auxiliary(let name) in items.properties[item] ?? [] {
      if HEIFItems.alphaNames.contains(name) { return .alpha }
      if name.hasSuffix("aux:hdrgainmap") { return .gainMap }
      if Self.depthNames.contains(name) || name.hasSuffix(":depth") || name.hasSuffix(":disparity") {
        return .depth
      }
    }
    return .auxiliary
  }

  private static let depthNames: Set = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "urn:mpeg:hevc:2015:auxid:2",
    "urn:mpeg:avc:2015:auxid:2",
  ]

  /// Bit depth and profile of the primary image, or of the first image it is derived from.
  private mutating func addSamples() {
    let sources = [primary] + items.sources(of: primary).prefix(1)
    let depths = sources.flatMap { items.properties[$0] ?? [] }.compactMap { property in
      if case .coding(_, let bits) = property { bits } else { nil }
    }
    if depths.contains(where: { $0 > 8 }) { contents.add(.deepSamples, bytes: 0) }
    var profiles: [ArraySlice<UInt8>] = []
    for box in sources.flatMap({ items.propertyBoxes[$0] ?? [] }) where box.type == "colr" {
      var reader = BoxScanner(box.payload)
      if ["prof", "rICC"].contains(reader.code()), profiles.isEmpty { profiles.append(reader.rest) }
    }
    contents.add(.icc, bytes: profiles.first?.count ?? 0)
  }
}
