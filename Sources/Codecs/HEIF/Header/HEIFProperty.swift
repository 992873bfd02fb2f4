import CodecKit

/// Item properties that describe an image's size and samples (ISO/IEC 23008-12, 6.5).
enum HEIFProperty {
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

  init?(_ box: HEIFBox) throws(CodecError) {
    var reader = box.reader
    switch box.type {
    case "ispe":
      try reader.take(4)
      self = .size(width: try reader.number(4), height: try reader.number(4))
    case "irot": self = .rotation(quarterTurns: try reader.number(1) & 3)
    case "clap":
      let (width, widthUnder) = (try reader.number(4), try reader.number(4))
      let (height, heightUnder) = (try reader.number(4), try reader.number(4))
      guard widthUnder > 0, heightUnder > 0 else { throw box.broken }
      self = .crop(width: width / widthUnder, height: height / heightUnder)
    case "hvcC":
      // ISO/IEC 14496-15, 8.3.3.1: chroma_format_idc in byte 16, bit_depth_luma_minus8 in byte 17.
      try reader.take(16)
      self = .coding(isGray: try reader.number(1) & 3 == 0, bits: try reader.number(1) & 7 + 8)
    case "av1C":
      // AV1 in ISOBMFF, 2.3.3: high_bitdepth, twelve_bit and monochrome in byte 2.
      try reader.take(2)
      let flags = try reader.number(1)
      let bits = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
      self = .coding(isGray: flags & 0x10 != 0, bits: bits)
    case "auxC":
      try reader.take(4)
      self = .auxiliary(reader.text())
    default: return nil
    }
  }
}
