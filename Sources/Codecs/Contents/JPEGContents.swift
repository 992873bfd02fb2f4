import Model
import Pixels

/// Contents of a JPEG file other than its picture: its segments, and data after the end of the picture (multi-picture
/// files of CIPA DC-007, gain maps, motion photos).
struct JPEGContents {
  /// The maximum number of pictures to examine after the first; a burst has a few dozen.
  private static let maximumPictures = 1000

  private let reader: ByteReader
  private(set) var contents = FileContents()
  let first: JPEGSegments
  /// The first gain map after the primary picture, and its bytes.
  private(set) var gainMap: (picture: JPEGSegments, file: ArraySlice<UInt8>)?

  init(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
    first = JPEGSegments(reader, at: 0)
    contents = first.contents
    if first.precision > 8 { contents.add(.deepSamples, bytes: 0) }
    lookBehind(first)
  }

  private mutating func lookBehind(_ first: JPEGSegments) {
    // The index of a file that was truncated or stripped of pictures points beyond its end.
    let starts = first.pictures.map(\.start).filter { $0 < reader.count }.sorted()
    let semantics = first.xmp.last?.semantics ?? []
    var position = first.end
    var count = 0
    while position < reader.count, count < Self.maximumPictures {
      if isPicture(at: position) {
        let picture = JPEGSegments(reader, at: position)
        let kind = Self.kind(
          of: picture, said: first.pictures.first { $0.start == position }?.type,
          semantics: semantics.element(count))
        contents.add(kind, bytes: picture.end -| position)
        if kind == .gainMap, gainMap == nil, let file = reader.part(from: position, to: picture.end) {
          gainMap = (picture, file)
        }
        position = max(picture.end, position +| 2)
        count +|= 1
      } else if isVideo(at: position) {
        contents.add(.sequence, bytes: reader.count -| position)
        return
      } else {
        // Skips to the next picture, whether the index states it or it was found.
        let next = starts.first { $0 > position } ?? nextStart(after: position) ?? reader.count
        if reader.part(from: position, to: next)?.contains(where: { $0 != 0 }) == true {
          contents.add(.other, bytes: next -| position)
        }
        position = next
      }
    }
  }

  /// True if a box with a video's brand begins here, as in motion photos.
  private func isVideo(at position: Int) -> Bool { reader.has("ftyp".utf8, at: position +| 4) }

  private func isPicture(at position: Int) -> Bool { reader.has([0xFF, 0xD8, 0xFF], at: position) }

  private func nextStart(after position: Int) -> Int? {
    var index = position +| 1
    while let found = reader.offset(from: index, where: { $0 == 0xFF || $0 == 0x66 }) {
      if isPicture(at: found) { return found }
      if found >= position +| 5, isVideo(at: found -| 4) { return found -| 4 }
      index = found +| 1
    }
    return nil
  }

  /// The purpose of a further picture: by its own metadata, else by the first picture's description of it.
  private static func kind(
    of picture: JPEGSegments, said type: Int?, semantics: String?
  ) -> FileContents.Kind {
    if picture.isoMetadata != nil || picture.xmp.contains(where: \.isGainMap) { return .gainMap }
    if picture.xmp.contains(where: \.isDepthMap) { return .depth }
    switch semantics {
    case "GainMap": return .gainMap
    case "Depth", "DepthMap": return .depth
    default: break
    }
    // CIPA DC-007, 5.2.3.3.1: large thumbnails have type 0x01….
    if let type, type & 0xFF_0000 == 0x01_0000 { return .thumbnail }
    return .pictures
  }
}

/// The segments of one picture in a JPEG file (ITU-T T.81, annex B).
struct JPEGSegments {
  private(set) var contents = FileContents()
  private(set) var end: Int
  /// Bits per sample; 0 without a frame header.
  private(set) var precision = 0
  private(set) var pictures: [(start: Int, type: Int)] = []
  private(set) var xmp: [XMPText] = []
  /// The ISO 21496-1 metadata of a gain map.
  private(set) var isoMetadata: ArraySlice<UInt8>?
  private(set) var exif: ArraySlice<UInt8>?
  /// Bytes of the segments that exist for a gain map.
  private(set) var gainMapBytes = 0
  private let isFirst: Bool
  private var hasScan = false

  /// Walks the segments of the picture at `start`, to the end of the picture or the file.
  init(_ reader: ByteReader, at start: Int) {
    var walk = JPEGWalk(reader, at: start)
    (isFirst, end) = (start == 0, reader.count)
    while let segment = walk.next() { read(segment) }
    if walk.isAtEnd { end = walk.position }
  }

  private mutating func read(_ segment: JPEGSegment) {
    let body = segment.body
    // Bytes in the file: marker, length and body.
    let bytes = body.count +| 4
    switch segment.marker {
    case _ where segment.isFrame: precision = max(precision, body.byte(at: 0) ?? 0)
    case _ where segment.isScan: hasScan = true
    // libjpeg, and with it every program, stops reading metadata when the first scan begins.
    case 0xE0...0xEF where hasScan: contents.add(.other, bytes: bytes)
    case 0xE1: readMetadata(body, bytes)
    case 0xE2: readColour(body, bytes)
    case 0xED: contents.add(body.has("Photoshop 3.0\0".utf8, at: 0) ? .iptc : .other, bytes: bytes)
    case 0xFE:
      contents.add(.comment, bytes: bytes)
      contents.making.software = contents.making.software ?? ExifText.clean(body.bytes)
    // JFIF and Adobe's segment describe the coding of samples.
    case 0xE0 where body.has("JFIF\0".utf8, at: 0), 0xEE where body.has("Adobe".utf8, at: 0): break
    case 0xE0...0xEF: contents.add(.other, bytes: bytes)
    default: break
    }
  }

  private mutating func readMetadata(_ body: ByteReader, _ bytes: Int) {
    if body.has("Exif\0\0".utf8, at: 0) {
      exif = exif ?? body.bytes.dropFirst(6)
      contents.addExif(body.bytes.dropFirst(6), bytes: bytes)
    } else if body.has("http://ns.adobe.com/xap/1.0/\0".utf8, at: 0) {
      contents.addXMP(bytes: bytes)
      let packet = XMPText(body.bytes)
      xmp.append(packet)
      // A base's packet without a directory mostly has other purposes.
      if packet.announcesGainMap || packet.isGainMap && !isFirst { gainMapBytes +|= bytes }
    } else if body.has("http://ns.adobe.com/xmp/extension/\0".utf8, at: 0) {
      // The extension of a packet with a depth map is that map in base 64.
      addPart(of: xmp.contains(where: \.holdsDepth) ? .depth : .furtherXMP, bytes)
    } else {
      contents.add(.other, bytes: bytes)
    }
  }

  /// Adds a segment of content that may span several segments but counts only once.
  private mutating func addPart(of kind: FileContents.Kind, _ bytes: Int) {
    contents.add(kind, bytes: bytes, count: contents.shares[kind] == nil ? 1 : 0)
  }

  private mutating func readColour(_ body: ByteReader, _ bytes: Int) {
    if body.has("ICC_PROFILE\0".utf8, at: 0) {
      addPart(of: .icc, bytes)
    } else if body.has("MPF\0".utf8, at: 0) {
      pictures = Self.index(body.bytes.dropFirst(4))
      gainMapBytes +|= bytes
    } else if body.has("urn:iso:std:iso:ts:21496:-1\0".utf8, at: 0) {
      // The first picture has only the version, and the gain map has the parameters.
      if body.count > 32 { isoMetadata = body.bytes.dropFirst(28) }
      gainMapBytes +|= bytes
    } else {
      contents.add(.other, bytes: bytes)
    }
  }

  /// Pictures after the first in a multi-picture index (CIPA DC-007, 5.2), whose offsets count from its first byte.
  private static func index(_ tiff: ArraySlice<UInt8>) -> [(start: Int, type: Int)] {
    guard let directory = ExifDirectory(tiff), let entry = directory.entry(0xB002, .undefined),
      let length = directory.reader.long(at: entry +| 4), let start = directory.reader.long(at: entry +| 8)
    else { return [] }
    return min(length / 16, 1000).indices.dropFirst().compactMap { picture in
      let place = start +| 16 *| picture
      guard let type = directory.reader.long(at: place),
        let offset = directory.reader.long(at: place +| 8), offset > 0
      else { return nil }
      return (tiff.startIndex +| offset, type & 0xFF_FFFF)
    }
  }
}

/// Purposes of further images according to an XMP packet. Searches the packet instead of parsing it, which limits the
/// cost.
struct XMPText {
  /// The number of bytes to search; the relevant parts come first.
  private static let searched = 1 << 16

  let text: String

  init(_ bytes: ArraySlice<UInt8>) { text = String(decoding: bytes.prefix(Self.searched), as: UTF8.self) }

  /// True for a gain map by Adobe's, Google's or Apple's properties. A primary picture also has the version, but with a
  /// directory.
  var isGainMap: Bool {
    if isApple { return true }
    return text.contains("hdrgm:GainMapMax") || (text.contains("hdrgm:Version") && semantics.isEmpty)
  }

  var isApple: Bool { text.contains("aux:hdrgainmap") || text.contains("HDRGainMap:HDRGainMapVersion") }

  /// True for a primary picture that has a gain map.
  var announcesGainMap: Bool { semantics.contains("GainMap") }

  /// True for a depth map, by the auxiliary image type that Apple writes.
  var isDepthMap: Bool {
    guard let name = text.firstRange(of: "AuxiliaryImageType") else { return false }
    let type = text[name.upperBound...].prefix(64).lowercased()
    return ["depth", "disparity", "urn:mpeg:hevc:2015:auxid:2"].contains { type.contains($0) }
  }

  /// True if the packet's extension contains a depth map, as in Google's GDepth.
  var holdsDepth: Bool { text.contains("GDepth:Mime") || text.contains("GDepth:Format") }

  /// Purposes of the pictures after the first, by the container directory of Ultra HDR and dynamic depth.
  var semantics: [String] {
    var found: [String] = []
    var rest = text[...]
    while let range = rest.firstRange(of: "Item:Semantic=\""), found.count < 100 {
      rest = rest[range.upperBound...]
      found.append(String(rest.prefix { $0 != "\"" }))
    }
    return Array(found.drop { $0 == "Primary" })
  }
}
