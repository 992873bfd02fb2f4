import CodecKit

struct PNMScanner {
  private let bytes: [UInt8]
  /// Start of the search for the next word; after a word, the first byte behind it.
  var position = 0

  init(_ bytes: [UInt8], position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  mutating func token() -> String? {
    skipBlanks()
    let start = position
    while position < bytes.count, !Self.isBlank(bytes[position]) { position += 1 }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  /// The next number of a header, at most 2^31 − 1.
  mutating func number(_ name: String) throws(CodecError) -> Int {
    guard let number = sample(), number <= Int(Int32.max) else { throw .malformed("PNM without its \(name)") }
    return number
  }

  /// The next unsigned number, nil if missing or longer than ten digits.
  mutating func sample() -> Int? {
    skipBlanks()
    var value = 0
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]), position - start < 11 {
      value = value * 10 + Int(bytes[position] - 0x30)
      position += 1
    }
    return position > start && position - start < 11 ? value : nil
  }

  /// The next digit of a text bitmap, which needs no blanks between digits.
  mutating func bit() -> Int? {
    skipBlanks()
    guard position < bytes.count, bytes[position] == 0x30 || bytes[position] == 0x31 else { return nil }
    position += 1
    return Int(bytes[position - 1] - 0x30)
  }

  mutating func skipLine() {
    while position < bytes.count, bytes[position] != 0x0A { position += 1 }
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "#") {
        skipLine()
      } else if Self.isBlank(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
