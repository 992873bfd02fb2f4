import CodecKit
import Model

/// Encoders' signatures in a HEVC stream: unregistered user data (ITU-T H.265, D.2.7), as x265 writes.
enum HEVCMessages {
  private static let prefixMessage = 39
  private static let suffixMessage = 40
  private static let unregisteredUserData = 5
  /// Most units searched; messages precede the picture.
  private static let searchedUnits = 64
  private static let longestMessage = 4096

  /// The encoder's text among length-prefixed units of a stream, if any.
  static func encoder(in stream: ArraySlice<UInt8>, lengthSize: Int) -> String? {
    var reader = BoxScanner(stream)
    for _ in 0..<searchedUnits {
      guard let length = reader.number(lengthSize), let unit = reader.take(length) else { return nil }
      if let name = encoder(inUnit: unit) { return name }
    }
    return nil
  }

  static func encoder(inUnit unit: ArraySlice<UInt8>) -> String? {
    guard let first = unit.first, [prefixMessage, suffixMessage].contains(Int(first >> 1 & 63)) else {
      return nil
    }
    var reader = BoxScanner(unescaped(unit.dropFirst(2).prefix(longestMessage))[...])
    while reader.remaining > 2 {
      guard let type = variable(&reader), let size = variable(&reader), let payload = reader.take(size) else {
        return nil
      }
      // The first sixteen bytes identify the data's owner.
      if type == unregisteredUserData, payload.count > 16, let name = name(payload.dropFirst(16)) {
        return name
      }
    }
    return nil
  }

  /// The sum of bytes up to the first one below 255.
  private static func variable(_ reader: inout BoxScanner) -> Int? {
    var sum = 0
    while let byte = reader.byte() {
      sum += Int(byte)
      if byte < 255 { return sum }
    }
    return nil
  }

  /// The payload without emulation prevention bytes (7.4.2).
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  /// Program and version from a line such as `x265 (build 199) - 3.5+1:[Linux] 8bit - H.265/HEVC codec - …`; other
  /// texts up to their first dash; nil if not text.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.prefix(8).allSatisfy({ (0x20...0x7E).contains($0) }), let text = ExifText.clean(bytes) else {
      return nil
    }
    let parts = text.split(separator: " - ", omittingEmptySubsequences: true)
    guard let program = parts.first else { return nil }
    guard program.hasPrefix("x265"), parts.count > 1 else { return String(program.prefix(80)) }
    return "x265 " + parts[1].prefix { $0 != ":" && $0 != " " }
  }
}
