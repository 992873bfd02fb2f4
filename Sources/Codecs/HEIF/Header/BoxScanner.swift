import CodecKit
import Pixels

/// Reads a box sequentially: big-endian numbers, codes and text. Reading past the end throws.
struct BoxScanner {
  private let bytes: ByteReader
  private let fault: CodecError
  /// Offset of the next byte, from 0.
  private(set) var position = 0

  init(_ bytes: ArraySlice<UInt8>, fault: CodecError = .malformed("a box ends early")) {
    (self.bytes, self.fault) = (ByteReader(bytes), fault)
  }

  var remaining: Int { bytes.count -| position }

  var rest: ArraySlice<UInt8> { bytes.rest(from: position) ?? [] }

  /// An unsigned number of `count` bytes, 0 to 8, that fits an `Int`.
  mutating func number(_ count: Int) throws(CodecError) -> Int {
    guard let number = bytes.number(at: position, length: count) else { throw fault }
    position +|= count
    return number
  }

  mutating func code() throws(CodecError) -> FourCC { FourCC(UInt32(truncatingIfNeeded: try number(4))) }

  @discardableResult
  mutating func take(_ count: Int) throws(CodecError) -> ArraySlice<UInt8> {
    guard let part = bytes.part(at: position, length: count) else { throw fault }
    position +|= count
    return part
  }

  /// Text up to a zero byte or the end.
  mutating func text() -> String {
    let end = bytes.offset(of: 0, from: position) ?? bytes.count
    defer { position = min(end +| 1, bytes.count) }
    return String(decoding: bytes.part(from: position, to: end) ?? [], as: UTF8.self)
  }
}

/// A four-character code: a box type, brand or item type.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let value: UInt32

  init(_ value: UInt32) { self.value = value }

  /// Creates a code from text, padded with spaces.
  init(stringLiteral text: String) {
    value = "\(text)    ".utf8.prefix(4).reduce(0) { $0 << 8 | UInt32(truncatingIfNeeded: $1) }
  }

  var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  /// The four characters, with a dot for each unprintable one.
  var description: String {
    String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : 0x2E }, as: UTF8.self)
  }
}

/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
struct HEIFBox {
  let type: FourCC
  /// The bytes after size and type.
  let payload: ArraySlice<UInt8>

  /// True for a colour box, with code points or with an ICC profile.
  var isColour: Bool { type == "colr" }
  var hasCodePoints: Bool { isColour && payload.starts(with: "nclx".utf8) }

  /// The maximum number of sibling boxes to read; a real file has a few hundred properties.
  static let maximumCount = 20_000

  /// Sibling boxes in `bytes`. Throws for a box longer than the remaining bytes, unless `isTruncationAllowed` (for the
  /// last box of a truncated file).
  static func list(
    in bytes: ArraySlice<UInt8>, isTruncationAllowed: Bool = false
  ) throws(CodecError) -> [HEIFBox] {
    var boxes: [HEIFBox] = []
    var reader = BoxScanner(bytes)
    while reader.remaining >= 8 {
      guard boxes.count < maximumCount else { throw .limitExceeded("more than \(maximumCount) boxes") }
      boxes.append(try HEIFBox(next: &reader, isTruncationAllowed: isTruncationAllowed))
    }
    return boxes
  }

  init(next reader: inout BoxScanner, isTruncationAllowed: Bool) throws(CodecError) {
    let (available, start) = (reader.remaining, reader.position)
    var size = try reader.number(4)
    type = try reader.code()
    if size == 1 {
      guard let large = try? reader.number(8) else { throw .malformed("the size of box “\(type)” is broken") }
      size = large
    } else if size == 0 {
      size = available
    }
    let headerSize = reader.position -| start
    guard size >= headerSize else { throw .malformed("box “\(type)” is shorter than its own header") }
    guard size <= available || isTruncationAllowed else {
      throw .malformed("box “\(type)” is longer than its container")
    }
    payload = try reader.take(min(size, available) -| headerSize)
  }

  var reader: BoxScanner { BoxScanner(payload, fault: broken) }

  func full() throws(CodecError) -> (version: Int, flags: Int, reader: BoxScanner) {
    var reader = reader
    return (try reader.number(1), try reader.number(3), reader)
  }

  var broken: CodecError { .malformed("box “\(type)” is broken") }
}

extension [HEIFBox] {
  func first(_ type: FourCC) -> HEIFBox? { first { $0.type == type } }
}
