import CodecKit
import Pixels

/// The length of compressed data after decompression. Follows the codes of literals and copies without copying anything
/// (RFC 1950 and 1951).
struct DeflatedLength {
  private var bits: BitReader
  /// Bits read so far.
  private var position = 0
  private var length = 0

  /// The number of bytes in a zlib stream's content; nil if the stream is broken or truncated.
  static func bytes(ofZlib stream: ArraySlice<UInt8>) -> Int? {
    // The method and flags, a byte each, come first.
    var counter = DeflatedLength(bits: BitReader(stream.dropFirst(2), isLeastFirst: true))
    do throws(CodecError) { try counter.countBlocks() } catch { return nil }
    return counter.length
  }

  private init(bits: BitReader) { self.bits = bits }

  private mutating func number(_ count: Int) throws(CodecError) -> Int {
    position +|= count
    return try bits.number(count)
  }

  private mutating func countBlocks() throws(CodecError) {
    while true {
      let isLast = try number(1) == 1
      switch try number(2) {
      case 0: try countStored()
      case 1: try countCoded(Self.fixedLiterals, Self.fixedDistances)
      case 2:
        let (literals, distances) = try codes()
        try countCoded(literals, distances)
      default: throw Self.broken
      }
      if isLast { return }
    }
  }

  private mutating func countStored() throws(CodecError) {
    // Skips to the next whole byte.
    _ = try number((8 -| position % 8) % 8)
    let bytes = try number(16)
    _ = try number(16)
    try bits.skip(bytes *| 8)
    position +|= bytes *| 8
    length +|= bytes
  }

  private mutating func countCoded(_ literals: Code, _ distances: Code) throws(CodecError) {
    while true {
      let symbol = try next(literals)
      if symbol == 256 { return }
      guard symbol > 256 else {
        length +|= 1
        continue
      }
      guard symbol < 286 else { throw Self.broken }
      // Lengths come in groups of four, each group with one more extra bit; the last length is alone.
      let index = symbol -| 257
      let further = index < 8 || index == 28 ? 0 : index / 4 -| 1
      let base = index < 8 ? index +| 3 : index == 28 ? 258 : 3 +| (4 +| index % 4) << further
      length +|= base +| (try number(further))
      let distance = try next(distances)
      guard distance < 30 else { throw Self.broken }
      _ = try number(distance < 4 ? 0 : distance / 2 -| 1)
    }
  }

  // MARK: Codes

  /// A canonical code: the number of symbols by length, and the symbols in the order of their codes.
  private struct Code {
    var counts: [Int: Int] = [:]
    let symbols: [Int]

    init(_ lengths: some Sequence<Int>) {
      let used = lengths.enumerated().filter { $0.element > 0 }
      for symbol in used { counts[symbol.element, default: 0] +|= 1 }
      symbols = used.sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    }
  }

  private static let broken = CodecError.malformed("broken compressed data")
  private static let fixedLiterals = Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code([Int](repeating: 5, count: 30))

  private mutating func next(_ code: Code) throws(CodecError) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= try number(1)
      let count = code.counts[length] ?? 0
      // Negative if there are more codes than possible.
      let place = value -| first
      if place >= 0, place < count {
        guard let symbol = code.symbols.element(index +| place) else { throw Self.broken }
        return symbol
      }
      index +|= count
      first = (first +| count) << 1
      value <<= 1
    }
    throw Self.broken
  }

  /// The order in which the lengths of the code-length code are stored.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Reads the two codes of a block.
  private mutating func codes() throws(CodecError) -> (literals: Code, distances: Code) {
    let (literals, distances) = (try number(5) +| 257, try number(5) +| 1)
    let stored = try number(4) +| 4
    var own: [Int: Int] = [:]
    for place in Self.order.beginning(stored) { own[place] = try number(3) }
    let code = Code((0..<19).map { own[$0] ?? 0 })
    var lengths: [Int] = []
    while lengths.count < literals +| distances {
      switch try next(code) {
      case 16:
        guard let last = lengths.last else { throw Self.broken }
        lengths.append(contentsOf: [Int](repeating: last, count: 3 +| (try number(2))))
      case 17: lengths.append(contentsOf: [Int](repeating: 0, count: 3 +| (try number(3))))
      case 18: lengths.append(contentsOf: [Int](repeating: 0, count: 11 +| (try number(7))))
      case let length: lengths.append(length)
      }
    }
    return (Code(lengths.beginning(literals)), Code(lengths.skipping(literals)))
  }
}
