/// Packs numbers and texts as bytes, for messages about many files: JSON would take as long as reading small files.
package struct BytePacker {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Adds a number with seven bits per byte, lowest first.
  package mutating func add(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func add(_ text: String) { add(text.utf8) }

  package mutating func add(_ part: some Collection<UInt8>) {
    add(part.count)
    bytes += part
  }
}

/// Reads what `BytePacker` wrote, from an untrusted process.
package struct ByteUnpacker {
  package struct Invalid: Error {
    package init() {}
  }

  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  package mutating func number() throws(Invalid) -> Int {
    var (number, shift) = (UInt64(0), UInt64(0))
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int(Int64(bitPattern: number)) }
      shift += 7
    }
    throw Invalid()
  }

  package mutating func text() throws(Invalid) -> String { String(decoding: try slice(), as: UTF8.self) }

  package mutating func part() throws(Invalid) -> [UInt8] { Array(try slice()) }

  private mutating func slice() throws(Invalid) -> ArraySlice<UInt8> {
    let count = try number()
    guard (0...bytes.count - position).contains(count) else { throw Invalid() }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
