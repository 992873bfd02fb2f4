import CodecKit
import Foundation
import Pixels

extension GainMapMetadata {
  /// Reads Adobe's and Google's properties (`http://ns.adobe.com/hdr-gain-map/1.0/`, Ultra HDR 1.0); nil if the packet
  /// has no properties of a map. Missing properties get the specification's defaults.
  init?(ultraHDR packet: XMPText) throws(CodecError) {
    guard packet.isGainMap, packet.values("hdrgm:Version") != nil else { return nil }
    func numbers(_ name: String, default usual: Double) throws(CodecError) -> [Double] {
      guard let texts = packet.values("hdrgm:" + name) else { return [usual, usual, usual] }
      var numbers: [Double] = []
      for text in texts {
        guard let number = Double(text) else {
          throw .malformed("the gain map's hdrgm:\(name) is not a number")
        }
        numbers.append(number)
      }
      guard numbers.count == 1 || numbers.count == 3 else {
        throw .malformed("the gain map's hdrgm:\(name) has \(numbers.count) values")
      }
      return numbers.count == 3 ? numbers : [numbers, numbers, numbers].flatMap { $0 }
    }
    let usual = Channel()
    let minima = try numbers("GainMapMin", default: usual.minimum)
    let maxima = try numbers("GainMapMax", default: usual.maximum)
    let gammas = try numbers("Gamma", default: usual.gamma)
    var (base, alternate) = (
      try numbers("OffsetSDR", default: usual.baseOffset),
      try numbers("OffsetHDR", default: usual.alternateOffset)
    )
    var (least, most) = (
      try numbers("HDRCapacityMin", default: 0).first ?? 0,
      try numbers("HDRCapacityMax", default: 1).first ?? 1
    )
    // The specification orders the headrooms by brightness, ISO 21496-1 by base and alternate.
    if packet.values("hdrgm:BaseRenditionIsHDR")?.first == "True" {
      swap(&base, &alternate)
      swap(&least, &most)
    }
    let channels = (0..<3).map { index in
      var channel = Channel()
      channel.minimum = minima.element(index) ?? channel.minimum
      channel.maximum = maxima.element(index) ?? channel.maximum
      channel.gamma = gammas.element(index) ?? channel.gamma
      channel.baseOffset = base.element(index) ?? channel.baseOffset
      channel.alternateOffset = alternate.element(index) ?? channel.alternateOffset
      return channel
    }
    self = try .checked(.ultraHDR, channels, least, most)
  }

  /// Reads Apple's headroom: a light factor in the map's XMP, or else stops from two maker notes of the picture.
  /// - Parameter tiff: The picture's Exif metadata.
  init(apple packets: [XMPText], tiff: ArraySlice<UInt8>?) throws(CodecError) {
    let factor = packets.lazy.compactMap { $0.values("HDRGainMap:HDRGainMapHeadroom")?.first }.first
    guard let stops = factor.map({ log2(Double($0) ?? .nan) }) ?? tiff.flatMap(AppleMakerNotes.headroom)
    else {
      throw .unsupported("Apple's gain map without its headroom")
    }
    var channel = Channel()
    (channel.maximum, channel.baseOffset, channel.alternateOffset) = (stops, 0, 0)
    self = try .checked(.apple, [channel], 0, stops)
  }
}

/// Headroom in Apple's maker notes, a big-endian image directory with offsets that count from the notes' first byte.
enum AppleMakerNotes {
  private static let head = Array("Apple iOS\0\0\u{1}MM".utf8)

  /// The stops from notes 33 and 48, one of which may be missing (Apple, “Applying Apple HDR effect to your photos”).
  static func headroom(in tiff: ArraySlice<UInt8>) -> Double? {
    guard let root = ExifDirectory(tiff), let place = root.long(0x8769),
      let exif = ExifDirectory(root.reader, at: place), let entry = exif.entry(0x927C, .undefined),
      let length = exif.reader.long(at: entry +| 4), let start = exif.reader.long(at: entry +| 8),
      let notes = exif.reader.part(at: start, length: length), notes.starts(with: head),
      let directory = ExifDirectory(ByteReader(notes), at: head.count)
    else { return nil }
    func number(_ tag: Int) -> Double? {
      guard let entry = directory.entry(tag, .signedRational),
        let place = directory.reader.long(at: entry +| 8), let over = directory.reader.long(at: place),
        let under = directory.reader.long(at: place +| 4), under != 0
      else { return nil }
      return Double(Int32(truncatingIfNeeded: over)) / Double(Int32(truncatingIfNeeded: under))
    }
    let (first, second) = (number(33), number(48))
    guard first != nil || second != nil else { return nil }
    let (m33, m48) = (first ?? 0, second ?? 0)
    return switch (m33 < 1, m48 <= 0.01) {
    case (true, true): -20.0 * m48 + 1.8
    case (true, false): -0.101 * m48 + 1.601
    case (false, true): -70.0 * m48 + 3.0
    case (false, false): -0.303 * m48 + 2.303
    }
  }
}

extension XMPText {
  /// The values of a simple property (an attribute or an element) or of an array; nil without the property.
  func values(_ name: String) -> [String]? {
    var (rest, tries) = (text[...], 0)
    // Limited, because each try may search everything that follows.
    while tries < 100, let found = rest.firstRange(of: name) {
      tries +|= 1
      rest = rest[found.upperBound...]
      let next = rest.drop { $0.isWhitespace }
      if next.first == "=" {
        let quoted = next.dropFirst().drop { $0.isWhitespace }
        guard let quote = quoted.first, quote == "\"" || quote == "'" else { continue }
        return [Self.trimmed(quoted.dropFirst().prefix { $0 != quote })]
      }
      guard next.first == ">", let end = next.firstRange(of: "</" + name) else { continue }
      var body = next[..<end.lowerBound].dropFirst()
      guard body.contains("<") else { return [Self.trimmed(body)] }
      var values: [String] = []
      while let item = body.firstRange(of: "<rdf:li>"), values.count <= 3 {
        body = body[item.upperBound...]
        values.append(Self.trimmed(body.prefix { $0 != "<" }))
      }
      return values
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.prefix(64).split { $0.isWhitespace }.joined(separator: " "))
  }
}
