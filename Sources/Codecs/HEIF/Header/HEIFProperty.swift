import CodecKit

/// Item properties that describe an image's size and samples (ISO/IEC 23008-12, 6.5).
enum HEIFProperty: Hashable {
  /// `ispe`: columns and rows, before transformations.
  case size(width: Int, height: Int)
  /// `irot`: quarter turns counter-clockwise, 0 to 3.
  case rotation(quarterTurns: Int)
  /// `clap`: columns and rows left after cropping.
  case crop(width: Int, height: Int)
  /// `hvcC` or `av1C`: the format of the coded samples.
  case coding(isGray: Bool, bits: Int)
  /// `auxC`: the purpose of an auxiliary image.
  case auxiliary(String)

  /// Reads a property; nil for other types.
  init?(_ box: HEIFBox) throws(CodecError) {
    switch box.type {
    case "ispe":
      var reader = try box.full().reader
      guard let width = reader.number(4), let height = reader.number(4) else { throw box.broken }
      self = .size(width: width, height: height)
    case "irot":
      guard let angle = box.payload.first else { throw box.broken }
      self = .rotation(quarterTurns: Int(angle & 3))
    case "clap": self = try Self.crop(box)
    case "hvcC":
      // ISO/IEC 14496-15, 8.3.3.1: chroma_format_idc in byte 16, bit_depth_luma_minus8 in byte 17.
      let bytes = Array(box.payload.prefix(18))
      guard bytes.count == 18 else { throw box.broken }
      self = .coding(isGray: bytes[16] & 3 == 0, bits: Int(bytes[17] & 7) + 8)
    case "av1C":
      // AV1 in ISOBMFF, 2.3.3: high_bitdepth, twelve_bit and monochrome in byte 2.
      let bytes = Array(box.payload.prefix(3))
      guard bytes.count == 3 else { throw box.broken }
      let bits = bytes[2] & 0x40 == 0 ? 8 : bytes[2] & 0x20 == 0 ? 10 : 12
      self = .coding(isGray: bytes[2] & 0x10 != 0, bits: bits)
    case "auxC":
      var reader = try box.full().reader
      self = .auxiliary(reader.text())
    default: return nil
    }
  }

  private static func crop(_ box: HEIFBox) throws(CodecError) -> HEIFProperty {
    var reader = BoxScanner(box.payload)
    guard let widthOver = reader.number(4), let widthUnder = reader.number(4),
      let heightOver = reader.number(4), let heightUnder = reader.number(4), widthUnder > 0, heightUnder > 0
    else { throw box.broken }
    return .crop(width: widthOver / widthUnder, height: heightOver / heightUnder)
  }
}
