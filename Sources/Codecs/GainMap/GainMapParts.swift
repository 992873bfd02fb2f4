import CodecKit
import Pixels

extension JPEGContents {
  /// The base, the first gain map after it, and the metadata of either (CIPA DC-007; Ultra HDR 1.0; ISO 21496-1, annex
  /// D). Nil without a map.
  func gainMapParts() throws(CodecError) -> GainMapFile.Parts? {
    guard let map = gainMap else {
      guard !first.xmp.contains(where: \.announcesGainMap) else {
        throw .unsupported("it announces a gain map but has none, as can happen in edited copies")
      }
      return nil
    }
    var metadata: [GainMapMetadata] = []
    if let iso = map.picture.isoMetadata { metadata.append(try GainMapMetadata(iso: iso)) }
    for packet in map.picture.xmp {
      if let ultraHDR = try GainMapMetadata(ultraHDR: packet) { metadata.append(ultraHDR) }
    }
    if metadata.isEmpty || map.picture.xmp.contains(where: \.isApple) {
      metadata.append(try GainMapMetadata(apple: map.picture.xmp, tiff: first.exif))
    }
    let own = (first.gainMapBytes, map.picture.gainMapBytes)
    return GainMapFile.Parts(
      metadata: metadata,
      sizes: .init(base: first.end -| own.0, map: map.file.count -| own.1, metadata: own.0 +| own.1),
      mapFile: Array(map.file))
  }
}

extension HEIFItems {
  /// The base, the map and the metadata of a tone-mapped image (ISO/IEC 23008-12, `tmap`), or of Apple's auxiliary image.
  /// Nil without a map.
  func gainMapParts() throws(CodecError) -> GainMapFile.Parts? {
    if let item = types.filter({ $0.value == "tmap" }).keys.min() { return try toneMapParts(item) }
    guard let map = appleMap else { return nil }
    let packet = metadata(of: map) ?? []
    let tiff = exif.first.flatMap { data(of: $0) }.flatMap(HEIFItems.tiff)
    let found = try GainMapMetadata(apple: [XMPText(packet)], tiff: tiff)
    return try parts([found], map: map, bytes: packet.count)
  }

  private func toneMapParts(_ item: Int) throws(CodecError) -> GainMapFile.Parts {
    let sources = sources(of: item)
    guard sources.count == 2, let base = sources.first, let map = sources.last, types[base] != nil,
      types[map] != nil
    else {
      throw .malformed("a tone-mapped image without its base or its gain map")
    }
    guard base == primary, map != primary else {
      throw .unsupported("a gain map whose base is not the file's picture")
    }
    guard let data = data(of: item) else {
      throw .malformed("the gain map's metadata are missing or in several pieces")
    }
    var found = [try GainMapMetadata(item: data)]
    // Apple's devices describe the same map in both ways.
    if appleMap == map, let packet = metadata(of: map),
      let apple = try? GainMapMetadata(apple: [XMPText(packet)], tiff: nil)
    {
      found.append(apple)
    }
    var parts = try parts(found, map: map, bytes: data.count)
    parts.alternateProfile = profile(of: item)
    return parts
  }

  private func parts(
    _ metadata: [GainMapMetadata], map: Int, bytes: Int
  ) throws(CodecError) -> GainMapFile.Parts {
    guard turns(of: map) == turns(of: primary), try showSameScene(map, primary) else {
      throw .unsupported("its gain map is cropped or rotated differently from the picture")
    }
    return GainMapFile.Parts(
      metadata: metadata,
      sizes: .init(base: bytesWithSources(primary), map: bytesWithSources(map), metadata: bytes),
      mapFile: try file(showing: map))
  }

  private var appleMap: Int? {
    references.first { reference in
      reference.type == "auxl" && reference.to.contains(primary)
        && (properties[reference.from] ?? []).contains {
          if case .auxiliary(let name) = $0 { name.hasSuffix("aux:hdrgainmap") } else { false }
        }
    }?.from
  }

  /// The XMP that describes an item.
  private func metadata(of item: Int) -> ArraySlice<UInt8>? {
    references.lazy.filter { $0.type == "cdsc" && $0.to.contains(item) }
      .filter { contentTypes[$0.from] == "application/rdf+xml" }.compactMap { data(of: $0.from) }.first
  }

  /// True if the crops of two items keep the same part of the scene.
  private func showSameScene(_ one: Int, _ other: Int) throws(CodecError) -> Bool {
    let (sizes, parts) = (
      try (size(of: one), size(of: other)), try (visiblePart(of: one), visiblePart(of: other))
    )
    return Self.areSame(
      (parts.0.x, parts.0.width, sizes.0.width), (parts.1.x, parts.1.width, sizes.1.width))
      && Self.areSame(
        (parts.0.y, parts.0.height, sizes.0.height), (parts.1.y, parts.1.height, sizes.1.height))
  }

  private func visiblePart(of item: Int) throws(CodecError) -> PixelRegion {
    let (width, height) = try size(of: item)
    return try HEIFPlacement(width: width, height: height, properties: propertyBoxes[item] ?? []).visiblePart
  }

  private typealias Span = (start: Int, length: Int, side: Int)

  /// Compares spans as shares of their sides, each of which is known to a sample. What lies behind a span may also be
  /// padding up to a multiple of at most 64 samples, which is no part of the scene.
  private static func areSame(_ one: Span, _ other: Span) -> Bool {
    func isSame(_ a: Int, _ b: Int) -> Bool {
      abs((a *| other.side) -| (b *| one.side)) <= one.side +| other.side
    }
    return ends(one).contains { a in
      ends(other).contains { b in isSame(a.first, b.first) && isSame(a.last, b.last) }
    }
  }

  private static func ends(_ span: Span) -> [(first: Int, last: Int)] {
    let isPadded = [2, 4, 8, 16, 32, 64].contains {
      span.side.isMultiple(of: $0) && span.side -| span.length < $0
    }
    let own = (span.start, span.start +| span.length)
    return span.start == 0 && isPadded ? [own, (0, span.side)] : [own]
  }

  /// The stored boxes that rotate and mirror an item. Crops are left out, since they differ with the size.
  private func turns(of item: Int) -> [[UInt8]] {
    (propertyBoxes[item] ?? []).filter { ["irot", "imir"].contains($0.type) }
      .map { HEIFBoxes.box($0) }
  }

  /// A profile with an item's primaries; its transfer function is meaningless.
  private func profile(of item: Int) -> ColorProfile? {
    for box in propertyBoxes[item] ?? [] where box.type == "colr" {
      var reader = box.reader
      switch try? reader.code() {
      case "prof", "rICC": return .icc(Array(reader.rest))
      case "nclx":
        guard let primaries = try? reader.number(2), primaries != 2 else { continue }
        return ColorProfiles.profile(primaries: primaries, transfer: 8, for: .rgb)
      default: continue
      }
    }
    return nil
  }

  private func bytesWithSources(_ item: Int) -> Int {
    var (seen, open, bytes) = (Set<Int>(), [item], 0)
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      bytes = min(bytes +| self.bytes(of: next), file.count)
      open.append(contentsOf: sources(of: next))
    }
    return bytes
  }

  /// The file with another item as its picture, which is the only way to decode hidden and auxiliary images with
  /// libheif 1.15.
  func file(showing item: Int) throws(CodecError) -> [UInt8] {
    var copy = file
    guard let meta = boxes.first("meta") else { return copy }
    let parts = try HEIFBox.list(in: meta.full().reader.rest)
    if let box = parts.first("pitm") {
      let version = try box.full().version
      let number = version == 0 ? HEIFBoxes.short(item) : HEIFBoxes.long(item)
      guard version != 0 || item < 1 << 16 else { throw .unsupported("an image numbered above 65,535") }
      guard let changed = ByteReader(copy).replacing(at: box.payload.startIndex +| 4, with: number) else {
        throw box.broken
      }
      copy = changed
    }
    guard let infos = parts.first("iinf") else { return copy }
    var (version, _, reader) = try infos.full()
    try reader.take(version == 0 ? 2 : 4)
    for entry in try HEIFBox.list(in: reader.rest) where entry.type == "infe" {
      let (version, _, body) = try entry.full()
      var reader = body
      guard version >= 2, try reader.number(version == 2 ? 2 : 4) == item else { continue }
      // The lowest flag hides an item.
      let place = entry.payload.startIndex +| 3
      guard let flags = ByteReader(copy).byte(at: place) else { throw entry.broken }
      copy = ByteReader(copy).replacing(at: place, with: [UInt8(truncatingIfNeeded: flags & 0xFE)]) ?? copy
    }
    return copy
  }
}
