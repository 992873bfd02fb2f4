import CodecKit
import Pixels

/// Header of a JPEG XL image (ISO/IEC 18181-1 for the codestream, 18181-2 for the boxes around it). Pure Swift.
struct JPEGXLHeader {
  /// Columns and rows as stored, before orientation.
  private(set) var width = 0
  private(set) var height = 0
  /// The Exif orientation, which libjxl applies itself.
  private(set) var orientation = 1
  /// Bits per sample, 1 to 32.
  private(set) var bitDepth = 8
  /// Code points of HDR; nil unless the transfer function is PQ or HLG, and nil if a profile describes it.
  private(set) var codePoints: CodePoints?
  private(set) var hasProfile = false
  private(set) var isGray = false
  private(set) var hasAlpha = false
  private(set) var hasBlack = false
  private(set) var isAnimated = false
  /// True if coded in XYB, which is never exact, or made from a JPEG.
  private(set) var isLossy = true
  private var isFromJPEG = false

  /// The first twelve bytes of a file with boxes.
  static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  init(_ bytes: [UInt8]) throws(CodecError) {
    let codestream = try codestream(bytes)
    guard codestream.starts(with: [0xFF, 0x0A]) else { throw .malformed("JPEG XL without an image") }
    var reader = BitReader(codestream.dropFirst(2), isLeastFirst: true)
    do throws(CodecError) {
      (width, height) = try Self.size(&reader)
      try readMetadata(&reader)
    } catch {
      throw .malformed("JPEG XL with a broken header")
    }
    if isFromJPEG { isLossy = true }
  }

  /// The codestream, or its first part, which has the headers.
  private mutating func codestream(_ bytes: [UInt8]) throws(CodecError) -> ArraySlice<UInt8> {
    guard bytes.starts(with: Self.signature) else { return bytes[...] }
    var reader = BoxScanner(bytes[...])
    while let box = try? HEIFBox(next: &reader, isTruncationAllowed: true) {
      switch box.type {
      case "jbrd": isFromJPEG = true
      case "jxlc": return box.payload
      case "jxlp": return box.payload.dropFirst(4)
      default: break
      }
    }
    throw .malformed("JPEG XL without an image")
  }

  private static func size(_ reader: inout BitReader) throws(CodecError) -> (width: Int, height: Int) {
    let isSmall = try reader.flag()
    func side() throws(CodecError) -> Int {
      try isSmall
        ? (reader.number(5) +| 1) *| 8
        : reader.number(.bits(9, plus: 1), .bits(13, plus: 1), .bits(18, plus: 1), .bits(30, plus: 1))
    }
    let (height, ratio) = (try side(), try reader.number(3))
    guard ratio > 0 else { return (try side(), height) }
    let shapes = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    guard let shape = shapes.element(ratio -| 1) else { throw .malformed("an unknown aspect ratio") }
    return (height *| shape.0 /| shape.1, height)
  }

  /// An ImageMetadata up to the colour encoding.
  private mutating func readMetadata(_ reader: inout BitReader) throws(CodecError) {
    if try reader.flag() { return }
    if try reader.flag() { try readExtraFields(&reader) }
    // Animations are refused, and reading on would need their header.
    if isAnimated { return }
    bitDepth = try Self.bitDepth(&reader)
    try reader.skip(1)
    let channels = try reader.number(.value(0), .value(1), .bits(4, plus: 2), .bits(12, plus: 1))
    for _ in channels.indices {
      try readExtraChannel(&reader)
    }
    isLossy = try reader.flag()
    if try reader.flag() { return }
    hasProfile = try reader.flag()
    let space = try reader.enumeration()
    isGray = space == 1
    if !hasProfile, space != 2 { try readColour(&reader) }
  }

  /// The rest of a ColourEncoding without a profile, up to the transfer function, numbered as in H.273.
  private mutating func readColour(_ reader: inout BitReader) throws(CodecError) {
    func skip(_ colours: Int) throws(CodecError) {
      for _ in (2 *| colours).indices {
        _ = try reader.number(
          .bits(19), .bits(19, plus: 1 << 19), .bits(20, plus: 1 << 20), .bits(21, plus: 1 << 21))
      }
    }
    if try reader.enumeration() == 2 { try skip(1) }
    var primaries = 1
    if !isGray {
      primaries = try reader.enumeration()
      if primaries == 2 { try skip(3) }
      // 11 is P3 with the white point read above, usually D65.
      if primaries == 11 { primaries = 12 }
    }
    if try reader.flag() { return }
    let transfer = try reader.enumeration()
    if [16, 18].contains(transfer) { codePoints = CodePoints(primaries: primaries, transfer: transfer) }
  }

  private mutating func readExtraFields(_ reader: inout BitReader) throws(CodecError) {
    orientation = try reader.number(3) +| 1
    if try reader.flag() { _ = try Self.size(&reader) }
    if try reader.flag() { try Self.skipPreview(&reader) }
    isAnimated = try reader.flag()
  }

  private static func skipPreview(_ reader: inout BitReader) throws(CodecError) {
    let isDivided = try reader.flag()
    func skipSide() throws(CodecError) {
      _ =
        try isDivided
        ? reader.number(.value(16), .value(32), .bits(5, plus: 1), .bits(9, plus: 33))
        : reader.number(.bits(6, plus: 1), .bits(8, plus: 65), .bits(10, plus: 321), .bits(12, plus: 1345))
    }
    try skipSide()
    if try reader.number(3) == 0 { try skipSide() }
  }

  private static func bitDepth(_ reader: inout BitReader) throws(CodecError) -> Int {
    guard try reader.flag() else {
      return try reader.number(.value(8), .value(10), .value(12), .bits(6, plus: 1))
    }
    let bits = try reader.number(.value(32), .value(16), .value(24), .bits(6, plus: 1))
    try reader.skip(4)
    return bits
  }

  private mutating func readExtraChannel(_ reader: inout BitReader) throws(CodecError) {
    guard try !reader.flag() else {
      hasAlpha = true
      return
    }
    let type = try reader.enumeration()
    _ = try Self.bitDepth(&reader)
    _ = try reader.number(.value(0), .value(3), .value(4), .bits(3, plus: 1))
    try reader.skip(8 *| reader.number(.value(0), .bits(4), .bits(5, plus: 16), .bits(10, plus: 48)))
    switch type {
    case 0:
      hasAlpha = true
      try reader.skip(1)
    case 2: try reader.skip(64)
    case 4: hasBlack = true
    case 5: _ = try reader.number(.value(1), .bits(2), .bits(4, plus: 3), .bits(8, plus: 19))
    default: break
    }
  }
}

extension BitReader {
  /// One of the four ranges of a U32 field of JPEG XL.
  fileprivate enum Range {
    case value(Int)
    /// A bit count, and an offset added to the bits read.
    case bits(Int, plus: Int = 0)
  }

  /// A U32 field: two bits that choose one of four ranges, then the value.
  fileprivate mutating func number(_ ranges: Range...) throws(CodecError) -> Int {
    switch ranges.element(try number(2)) {
    case .value(let value): return value
    case .bits(let count, let offset): return try number(count) +| offset
    case nil: throw .malformed("an unknown field")
    }
  }

  fileprivate mutating func enumeration() throws(CodecError) -> Int {
    try number(.value(0), .value(1), .bits(4, plus: 2), .bits(6, plus: 18))
  }
}
