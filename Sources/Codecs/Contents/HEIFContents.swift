import CodecKit
import Model
import Pixels

/// Contents of a HEIF or AVIF file other than its primary image, by its items and their references (ISO/IEC 23008-12).
struct HEIFContents {
  private let items: HEIFItems
  /// Start offsets of the data counted so far: items may share data.
  private var counted: Set<Int> = []
  private(set) var contents = FileContents()

  init(_ file: [UInt8]) throws(CodecError) {
    items = try HEIFItems(file)
    addMetadata()
    addImages()
    addSamples()
    for box in items.boxes where box.type == "mpvd" { contents.add(.sequence, bytes: box.payload.count) }
    if let tracks = items.boxes.first("moov") { addSequence(tracks) }
  }

  /// Adds media data that no item claims. Tracks that share data with items count as those items.
  private mutating func addSequence(_ tracks: HEIFBox) {
    let media = items.boxes.reduce(0) { $0 +| ($1.type == "mdat" ? $1.payload.count : 0) }
    let claimed = items.types.keys.reduce(0) { $0 +| items.bytes(of: $1) }
    contents.add(.sequence, bytes: max(media -| claimed, tracks.payload.count))
  }

  private mutating func addMetadata() {
    for (item, type) in items.types.sorted(by: { $0.key < $1.key }) {
      switch type {
      // Metadata of other pictures in the file counts with those pictures.
      case "Exif" where !describesPrimary(item): contents.add(.other, bytes: items.bytes(of: item))
      case "mime"
      where items.contentTypes[item] == "application/rdf+xml"
        && (!describesPrimary(item) || items.bytes(of: item) > Self.longestPacket):
        contents.add(.furtherXMP, bytes: items.bytes(of: item))
      case "Exif":
        let tiff = items.data(of: item).flatMap(HEIFItems.tiff)
        contents.addExif(tiff ?? [], bytes: items.bytes(of: item))
      case "mime" where items.contentTypes[item] == "application/rdf+xml":
        contents.addXMP(bytes: items.bytes(of: item))
      case "mime", "uri ": contents.add(.other, bytes: items.bytes(of: item))
      default: break
      }
    }
  }

  /// The number of bytes of XMP that a JPEG segment can hold. Conversion to JPEG loses a longer packet, as it would an
  /// extension.
  private static let longestPacket = 65_502

  /// False if an item describes only other pictures.
  private func describesPrimary(_ item: Int) -> Bool {
    let described = items.references.filter { $0.type == "cdsc" && $0.from == item }.flatMap(\.to)
    return described.isEmpty || described.contains(items.primary)
  }

  private static let imageTypes: Set<FourCC> = [
    "hvc1", "av01", "grid", "iovl", "iden", "avc1", "jpeg", "j2k1", "vvc1", "unci",
  ]

  /// Classifies images by the references to them. Sources of a derived image count with it.
  private mutating func addImages() {
    var kinds: [Int: FileContents.Kind] = [:]
    for reference in items.references {
      switch reference.type {
      case "thmb": kinds[reference.from] = .thumbnail
      case "auxl": kinds[reference.from] = kind(ofAuxiliary: reference.from)
      case "dimg" where items.types[reference.from] == "tmap":
        // ISO 21496-1 in HEIF: the picture, then its gain map.
        if let map = reference.to.element(1) { kinds[map] = .gainMap }
      default: break
      }
    }
    var claimed: Set<Int> = []
    claim(items.primary, &claimed)
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

  /// Returns the bytes of an image and all its sources, each counted once.
  @discardableResult
  private mutating func claim(_ item: Int, _ claimed: inout Set<Int>) -> Int {
    var bytes = 0
    var open = [item]
    while let next = open.popLast() {
      guard claimed.insert(next).inserted else { continue }
      if items.start(of: next).map({ counted.insert($0).inserted }) ?? false {
        bytes +|= items.bytes(of: next)
      }
      open.append(contentsOf: items.sources(of: next))
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

  /// Adds bit depth and profile of the primary image, or of the first image it is derived from.
  private mutating func addSamples() {
    let sources = items.withFirstSource(items.primary)
    let depths = sources.flatMap { items.properties[$0] ?? [] }.compactMap { property in
      if case .coding(_, let bits) = property { bits } else { nil }
    }
    if depths.contains(where: { $0 > 8 }) { contents.add(.deepSamples, bytes: 0) }
    let profile = items.profileBox(of: items.primary)
    contents.add(.icc, bytes: max((profile?.payload.count ?? 0) -| 4, 0))
  }
}
