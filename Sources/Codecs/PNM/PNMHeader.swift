import CodecKit
import Model
import Pixels

/// The header of a Netpbm file: PBM, PGM, PPM or PAM.
struct PNMHeader: Sendable {
  enum Encoding: Sendable {
    /// Decimal numbers separated by blanks.
    case text
    /// One byte a sample, or two, big-endian.
    case binary
    /// One character or bit a pixel, 1 for black; binary rows are padded to whole bytes.
    case textBits, packedBits
  }

  private(set) var encoding = Encoding.binary
  private(set) var width = 0
  private(set) var height = 0
  /// Value of a full sample, 1 to 65535.
  private(set) var maximum = 1
  private(set) var layout = ChannelLayout.gray
  private(set) var dataOffset = 0

  /// Reads the header: a magic number, then size and maximum, with comments anywhere between.
  init(_ bytes: [UInt8]) throws(CodecError) {
    var scanner = PNMScanner(bytes)
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "P") else { throw .malformed("no PNM file") }
    scanner.position = 2
    switch bytes[1] {
    case UInt8(ascii: "1"): encoding = .textBits
    case UInt8(ascii: "2"): encoding = .text
    case UInt8(ascii: "3"): (encoding, layout) = (.text, .rgb)
    case UInt8(ascii: "4"): encoding = .packedBits
    case UInt8(ascii: "5"): break
    case UInt8(ascii: "6"): layout = .rgb
    case UInt8(ascii: "7"): try readPAM(&scanner)
    default: throw .malformed("no PNM file")
    }
    if bytes[1] != UInt8(ascii: "7") {
      (width, height) = (try scanner.number("width"), try scanner.number("height"))
      if !isBitmap { maximum = try scanner.number("maximum") }
      // Exactly one blank ends a binary header.
      dataOffset = scanner.position + 1
    }
    guard width > 0, height > 0, (1...65535).contains(maximum) else {
      throw .malformed("PNM of \(width)×\(height) pixels with the maximum \(maximum)")
    }
  }

  /// True if pixels are single bits, which are stored inverted.
  var isBitmap: Bool { encoding == .textBits || encoding == .packedBits }

  /// Bits that hold the maximum.
  var storedBits: Int { Int.bitWidth - maximum.leadingZeroBitCount }

  /// Bits per sample of the raster: the stored ones, at least 8.
  var bitDepth: Int { max(8, storedBits) }

  /// True if the maximum is 2^n − 1, so that samples need no stretching.
  var fillsItsBits: Bool { maximum & (maximum + 1) == 0 }

  private mutating func readPAM(_ scanner: inout PNMScanner) throws(CodecError) {
    var depth = 0
    while let token = scanner.token() {
      switch token {
      case "WIDTH": width = try scanner.number("WIDTH")
      case "HEIGHT": height = try scanner.number("HEIGHT")
      case "DEPTH": depth = try scanner.number("DEPTH")
      case "MAXVAL": maximum = try scanner.number("MAXVAL")
      case "TUPLTYPE": scanner.skipLine()
      case "ENDHDR":
        let layouts: [ChannelLayout] = [.gray, .grayAlpha, .rgb, .rgba]
        guard (1...4).contains(depth) else { throw .unsupported("PAM with \(depth) channels") }
        (layout, dataOffset) = (layouts[depth - 1], scanner.position + 1)
        return
      default: throw .malformed("PAM header with “\(token.prefix(20))”")
      }
    }
    throw .malformed("PAM header without an end")
  }
}
