import CodecKit
import Pixels

/// Writer of JPEG files with a gain map (Ultra HDR 1.0; ISO 21496-1, annex D; CIPA DC-007).
enum GainMapJPEG {
  /// The name of ISO's segment.
  static let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  /// Joins two coded pictures, unchanged except for the segments that describe them: the base gets the version, a
  /// directory and the index of both, and the map its parameters as XMP and in ISO's form.
  static func file(base: [UInt8], map: [UInt8], _ metadata: GainMapMetadata) throws(CodecError) -> [UInt8] {
    let second = try inserting(
      segment(0xE1, packet(parameters: metadata)) + segment(0xE2, name + metadata.isoBytes), into: map)
    // A base states only the minimum version for readers and the writer's version.
    let head = segment(0xE1, packet(mapBytes: second.count)) + segment(0xE2, name + [0, 0, 0, 0])
    let index = index(
      first: base.count + head.count + indexBytes, at: try start(of: base) + head.count, second: second.count)
    return try inserting(head + index, into: base) + second
  }

  /// The position for further segments: after the start of the picture and the JFIF segment, which must come first.
  private static func start(of file: [UInt8]) throws(CodecError) -> Int {
    guard file.count > 6, file.starts(with: [0xFF, 0xD8]) else { throw .malformed("a part is not JPEG") }
    return file[3] == 0xE0 ? 4 + Int(file[4]) << 8 + Int(file[5]) : 2
  }

  private static func inserting(_ segments: [UInt8], into file: [UInt8]) throws(CodecError) -> [UInt8] {
    let start = try start(of: file)
    return file.prefix(start) + segments + file.dropFirst(start)
  }

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + HEIFBoxes.short(body.count + 2) + body
  }

  // MARK: Index of pictures

  /// Marker, length, name, TIFF header, a directory with three entries, and two pictures.
  private static let indexBytes = 4 + 4 + 8 + 2 + 3 * 12 + 4 + 2 * 16

  /// The segment of the index (CIPA DC-007, 5.2), with offsets that count from the end of its name.
  private static func index(first: Int, at position: Int, second: Int) -> [UInt8] {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      HEIFBoxes.short(tag) + HEIFBoxes.short(type) + HEIFBoxes.long(count) + value
    }
    // The baseline primary picture, then a picture of unstated type.
    let pictures = [[0x03_0000, first, 0, 0], [0, second, first - position - 8, 0]]
    return segment(
      0xE2,
      Array("MPF\0MM".utf8) + HEIFBoxes.short(42) + HEIFBoxes.long(8) + HEIFBoxes.short(3)
        + entry(0xB000, 7, 4, Array("0100".utf8)) + entry(0xB001, 4, 1, HEIFBoxes.long(2))
        + entry(0xB002, 7, 32, HEIFBoxes.long(50)) + HEIFBoxes.long(0)
        + pictures.joined().flatMap(HEIFBoxes.long))
  }

  // MARK: XMP

  private static func packet(_ names: String, _ attributes: String, _ body: String) -> [UInt8] {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"\(names) \
      hdrgm:Version="1.0"\(attributes)>\(body)</rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(text.utf8)
  }

  private static func packet(mapBytes: Int) -> [UInt8] {
    func item(_ attributes: String) -> String {
      #"<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" \#(attributes)/></rdf:li>"#
    }
    let body =
      "<Container:Directory><rdf:Seq>" + item(#"Item:Semantic="Primary""#)
      + item(#"Item:Semantic="GainMap" Item:Length="\#(mapBytes)""#) + "</rdf:Seq></Container:Directory>"
    return packet(
      #" xmlns:Container="http://ns.google.com/photos/1.0/container/""#
        + #" xmlns:Item="http://ns.google.com/photos/1.0/container/item/""#, "", body)
  }

  private static func packet(parameters metadata: GainMapMetadata) -> [UInt8] {
    let values: [(String, [Double])] = [
      ("GainMapMin", metadata.channels.map(\.minimum)), ("GainMapMax", metadata.channels.map(\.maximum)),
      ("Gamma", metadata.channels.map(\.gamma)), ("OffsetSDR", metadata.channels.map(\.baseOffset)),
      ("OffsetHDR", metadata.channels.map(\.alternateOffset)),
      ("HDRCapacityMin", [metadata.baseHeadroom]), ("HDRCapacityMax", [metadata.alternateHeadroom]),
    ]
    // A value shared by all channels is an attribute, which every reader accepts.
    var (attributes, body) = (#" hdrgm:BaseRenditionIsHDR="False""#, "")
    for (name, numbers) in values {
      if Set(numbers).count == 1 {
        attributes += " hdrgm:\(name)=\"\(numbers[0])\""
      } else {
        let items = numbers.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        body += "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
      }
    }
    return packet("", attributes, body)
  }
}

extension GainMapMetadata {
  /// The bytes that `init(iso:)` reads, with numbers in fractions of 2^24.
  var isoBytes: [UInt8] {
    func fraction(_ value: Double) -> [UInt8] {
      HEIFBoxes.long(Int((value * 0x1p24).rounded())) + HEIFBoxes.long(1 << 24)
    }
    let isOne = Set(channels).count == 1
    let flags = (isOne ? 0 : Self.isMultichannel) | (usesBaseColours ? Self.usesBase : 0)
    return [0, 0, 0, 0, UInt8(flags)] + fraction(baseHeadroom) + fraction(alternateHeadroom)
      + channels.prefix(isOne ? 1 : 3).flatMap { channel in
        [channel.minimum, channel.maximum, channel.gamma, channel.baseOffset, channel.alternateOffset]
          .flatMap(fraction)
      }
  }
}
