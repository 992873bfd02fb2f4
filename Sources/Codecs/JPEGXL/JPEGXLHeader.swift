import CodecKit
import Pixels

/// Header of a JPEG XL image (ISO/IEC 18181-1 for the codestream, 18181-2 for the boxes around it). Pure Swift.
struct JPEGXLHeader {
  /// Columns and rows as stored, before orientation.
  private(set) var width = 0
  private(set) var height = 0
  /// Exif orientation, which libjxl applies itself.
  private(set) var orientation = 1
  /// Bits per sample, 1 to 32.
  private(set) var bitDepth = 8
  /// Code points of HDR; nil unless the transfer function is PQ or HLG, or if a profile describes it.
  private(set) var codePoints: CodePoints?
  private(set) var hasProfile = false
  private(set) var isGray = false
  private(set) var hasAlpha = false
  /// True if there is a fourth ink.
  private(set) var hasBlack = false
  private(set) var isAnimated = false
  /// True if coded in XYB, which is never exact, or made from a JPEG.
  private(set) var isLossy = true

  /// The first twelve bytes of a file with boxes.
  static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  /// Reads up to the image's colour encoding.
  init(_ bytes: [UInt8]) throws(CodecError) {
    var wasJPEG = false
    let codestream = try Self.codestream(bytes, wasJPEG: &wasJPEG)
    guard codestream.starts(with: [0xFF, 0x0A]) else { throw .malformed("JPEG XL without an image") }
    var reader = BitReader(codestream.dropFirst(2))
    guard let size = Self.size(&reader), readMetadata(&reader) != nil else {
      throw .malformed("JPEG XL with a broken header")
    }
    (width, height) = size
    if wasJPEG { isLossy = true }
  }

  /// The codestream, or its first part, which has the headers.
  private static func codestream(
    _ bytes: [UInt8], wasJPEG: inout Bool
  ) throws(CodecError) -> ArraySlice<UInt8> {
    guard bytes.starts(with: signature) else { return bytes[...] }
    let reader = ByteReader(bytes)
    var position = 0
    while let short = reader.long(at: position), let name = reader.part(at: position + 4, length: 4) {
      var (start, length) = (position + 8, short)
      if short == 1, let high = reader.long(at: position + 8), let low = reader.long(at: position + 12) {
        guard high < 1 << 30 else { break }
        (start, length) = (position + 16, high << 32 | low)
      }
      let end = short == 0 ? bytes.count : position + length
      guard end > start || short == 0 else { break }
      let body = bytes[min(start, bytes.count)..<min(max(start, end), bytes.count)]
      if name.elementsEqual("jbrd".utf8) { wasJPEG = true }
      if name.elementsEqual("jxlc".utf8) { return body }
      if name.elementsEqual("jxlp".utf8) { return body.dropFirst(4) }
      position = end
    }
    throw .malformed("JPEG XL without an image")
  }

  /// A SizeHeader.
  private static func size(_ reader: inout BitReader) -> (width: Int, height: Int)? {
    guard let isSmall = reader.flag(), let height = side(&reader, isSmall: isSmall),
      let ratio = reader.number(3)
    else { return nil }
    if ratio == 0 { return side(&reader, isSmall: isSmall).map { ($0, height) } }
    return (ratioWidth(height, ratio), height)
  }

  private static func side(_ reader: inout BitReader, isSmall: Bool) -> Int? {
    isSmall
      ? reader.number(5).map { ($0 + 1) * 8 }
      : reader.number(.bits(9, plus: 1), .bits(13, plus: 1), .bits(18, plus: 1), .bits(30, plus: 1))
  }

  /// Width from the height and one of seven common aspect ratios.
  private static func ratioWidth(_ height: Int, _ ratio: Int) -> Int {
    let shapes = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let shape = shapes[ratio - 1]
    return height * shape.0 / shape.1
  }

  /// An ImageMetadata up to the colour encoding; nil if the file ends early.
  private mutating func readMetadata(_ reader: inout BitReader) -> Void? {
    guard let isDefault = reader.flag() else { return nil }
    guard !isDefault else { return () }
    guard let hasExtraFields = reader.flag() else { return nil }
    if hasExtraFields, readExtraFields(&reader) == nil { return nil }
    // Animations are refused, and the rest would need their header.
    if isAnimated { return () }
    guard let depth = Self.bitDepth(&reader), reader.flag() != nil,
      let channels = reader.number(.value(0), .value(1), .bits(4, plus: 2), .bits(12, plus: 1))
    else { return nil }
    bitDepth = depth
    for _ in 0..<channels {
      guard readExtraChannel(&reader) != nil else { return nil }
    }
    guard let isXYB = reader.flag(), let isDefaultColour = reader.flag() else { return nil }
    isLossy = isXYB
    guard !isDefaultColour else { return () }
    guard let hasProfile = reader.flag(), let space = reader.enumeration() else { return nil }
    (self.hasProfile, isGray) = (hasProfile, space == 1)
    return hasProfile || space == 2 ? () : readColour(&reader)
  }

  /// The rest of a ColourEncoding without a profile, up to the transfer function, numbered as in H.273.
  private mutating func readColour(_ reader: inout BitReader) -> Void? {
    func skip(_ colours: Int) -> Void? {
      for _ in 0..<(2 * colours)
      where reader.number(
        .bits(19), .bits(19, plus: 1 << 19), .bits(20, plus: 1 << 20), .bits(21, plus: 1 << 21))
        == nil
      { return nil }
      return ()
    }
    guard let white = reader.enumeration(), white != 2 || skip(1) != nil else { return nil }
    var primaries = 1
    if !isGray {
      guard let number = reader.enumeration(), number != 2 || skip(3) != nil else { return nil }
      // 11 is P3 with the white point read above, usually D65.
      primaries = number == 11 ? 12 : number
    }
    guard let hasGamma = reader.flag() else { return nil }
    guard !hasGamma else { return () }
    guard let transfer = reader.enumeration() else { return nil }
    if [16, 18].contains(transfer) { codePoints = CodePoints(primaries: primaries, transfer: transfer) }
    return ()
  }

  private mutating func readExtraFields(_ reader: inout BitReader) -> Void? {
    guard let turn = reader.number(3), let hasIntrinsicSize = reader.flag() else { return nil }
    orientation = turn + 1
    if hasIntrinsicSize, Self.size(&reader) == nil { return nil }
    guard let hasPreview = reader.flag() else { return nil }
    if hasPreview, Self.readPreview(&reader) == nil { return nil }
    guard let isAnimated = reader.flag() else { return nil }
    self.isAnimated = isAnimated
    return ()
  }

  /// Skips a PreviewHeader.
  private static func readPreview(_ reader: inout BitReader) -> Void? {
    guard let isDivided = reader.flag() else { return nil }
    func side(_ reader: inout BitReader) -> Int? {
      isDivided
        ? reader.number(.value(16), .value(32), .bits(5, plus: 1), .bits(9, plus: 33))
        : reader.number(.bits(6, plus: 1), .bits(8, plus: 65), .bits(10, plus: 321), .bits(12, plus: 1345))
    }
    guard side(&reader) != nil, let ratio = reader.number(3) else { return nil }
    return ratio != 0 || side(&reader) != nil ? () : nil
  }

  /// A BitDepth.
  private static func bitDepth(_ reader: inout BitReader) -> Int? {
    guard let isFloat = reader.flag() else { return nil }
    guard isFloat else { return reader.number(.value(8), .value(10), .value(12), .bits(6, plus: 1)) }
    let bits = reader.number(.value(32), .value(16), .value(24), .bits(6, plus: 1))
    return reader.number(4) == nil ? nil : bits
  }

  /// An ExtraChannelInfo.
  private mutating func readExtraChannel(_ reader: inout BitReader) -> Void? {
    guard let isDefault = reader.flag() else { return nil }
    if isDefault {
      hasAlpha = true
      return ()
    }
    guard let type = reader.enumeration(), Self.bitDepth(&reader) != nil,
      reader.number(.value(0), .value(3), .value(4), .bits(3, plus: 1)) != nil,
      let nameLength = reader.number(.value(0), .bits(4), .bits(5, plus: 16), .bits(10, plus: 48))
    else { return nil }
    for _ in 0..<nameLength where reader.number(8) == nil { return nil }
    switch type {
    case 0:
      hasAlpha = true
      return reader.flag().map { _ in () }
    case 2: return reader.number(32) == nil ? nil : reader.number(32).map { _ in () }
    case 4:
      hasBlack = true
      return ()
    case 5:
      return reader.number(.value(1), .bits(2), .bits(4, plus: 3), .bits(8, plus: 19)).map { _ in () }
    default: return ()
    }
  }
}
