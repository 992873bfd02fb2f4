import CodecKit
import Pixels

struct PNMHeader: Sendable {
  enum Encoding: Sendable {
    /// Decimal numbers separated by white space.
    case text
    /// One byte per sample, or two in big-endian order.
    case binary
    /// One character or bit per pixel, 1 for black; binary rows are padded to whole bytes.
    case textBits, packedBits
  }

  private(set) var encoding = Encoding.binary
  private(set) var width = 0
  private(set) var height = 0
  /// The maximum sample value, 1 to 65535.
  private(set) var maximum = 1
  private(set) var layout = ChannelLayout.gray
  private(set) var dataOffset = 0

  /// Reads the header: a magic number, then size and maximum, with comments anywhere between.
  init(_ bytes: [UInt8]) throws(CodecError) {
    let reader = ByteReader(bytes)
    var scanner = PNMScanner(reader)
    guard bytes.count > 2, reader.has("P".utf8, at: 0) else { throw .malformed("not a PNM file") }
    scanner.position = 2
    let kind = reader.byte(at: 1)
    switch kind {
    case 0x31: encoding = .textBits
    case 0x32: encoding = .text
    case 0x33: (encoding, layout) = (.text, .rgb)
    case 0x34: encoding = .packedBits
    case 0x35: break
    case 0x36: layout = .rgb
    case 0x37: try readPAM(&scanner)
    default: throw .malformed("not a PNM file")
    }
    if kind != 0x37 {
      (width, height) = (try scanner.number("width"), try scanner.number("height"))
      if !isBitmap { maximum = try scanner.number("maximum") }
      // Exactly one white-space character ends a binary header.
      dataOffset = scanner.position +| 1
    }
    guard width > 0, height > 0, (1...65535).contains(maximum) else {
      throw .malformed("PNM of \(width)×\(height) pixels with the maximum \(maximum)")
    }
  }

  /// True if pixels are single bits, which are stored inverted.
  var isBitmap: Bool { encoding == .textBits || encoding == .packedBits }

  var storedBits: Int { Int.bitWidth -| maximum.leadingZeroBitCount }

  /// Bits per sample of the raster: the stored ones, at least 8.
  var bitDepth: Int { max(8, storedBits) }

  /// True if the maximum is 2^n − 1, so that samples need no scaling.
  var fillsItsBits: Bool { maximum & (maximum +| 1) == 0 }

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
        guard let found = layouts.element(depth -| 1) else {
          throw .unsupported("PAM with \(depth) channels")
        }
        (layout, dataOffset) = (found, scanner.position +| 1)
        return
      default: throw .malformed("PAM header with “\(token.prefix(20))”")
      }
    }
    throw .malformed("PAM header without an end")
  }
}

struct PNMScanner {
  private let reader: ByteReader
  /// Where to search for the next word; after reading a word, the byte after it.
  var position = 0

  init(_ reader: ByteReader, position: Int = 0) {
    self.reader = reader
    self.position = position
  }

  mutating func token() -> String? {
    skipBlanks()
    let start = position
    position = reader.offset(from: start) { Self.isBlank($0) } ?? reader.count
    guard position > start, let word = reader.part(from: start, to: position) else { return nil }
    return String(decoding: word, as: UTF8.self)
  }

  /// The next number of a header, at most 2^31 − 1.
  mutating func number(_ name: String) throws(CodecError) -> Int {
    guard let number = sample(), number <= 0x7FFF_FFFF else { throw .malformed("PNM without its \(name)") }
    return number
  }

  /// The next unsigned number; nil if missing or longer than ten digits.
  mutating func sample() -> Int? {
    skipBlanks()
    var value = 0
    let start = position
    while let digit = reader.byte(at: position), (0x30...0x39).contains(digit), position -| start < 11 {
      value = value *| 10 +| digit -| 0x30
      position +|= 1
    }
    return position > start && position -| start < 11 ? value : nil
  }

  /// The next digit of a text bitmap, which needs no white space between digits.
  mutating func bit() -> Int? {
    skipBlanks()
    guard let digit = reader.byte(at: position), digit == 0x30 || digit == 0x31 else { return nil }
    position +|= 1
    return digit -| 0x30
  }

  mutating func skipLine() {
    position = reader.offset(of: 0x0A, from: position) ?? reader.count
  }

  private mutating func skipBlanks() {
    while let found = reader.offset(from: position, where: { !Self.isBlank($0) }) {
      position = found
      guard reader.byte(at: found) == 0x23 else { return }
      skipLine()
    }
    position = reader.count
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
