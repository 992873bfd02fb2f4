/// Reads untrusted bytes: reading past the end gives nil and never traps. File parsers access bytes only through it (a
/// test enforces that).
package struct ByteReader: Sendable {
  package let bytes: ArraySlice<UInt8>
  package var isLittleEndian = false

  /// Reads from a file or a part of one; offsets count from the part's beginning.
  package init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool = false) {
    self.bytes = bytes
    self.isLittleEndian = isLittleEndian
  }

  package init(_ bytes: [UInt8], isLittleEndian: Bool = false) {
    self.init(bytes[...], isLittleEndian: isLittleEndian)
  }

  package var count: Int { bytes.count }

  /// The offset of the first byte in the file that the bytes belong to.
  package var start: Int { bytes.startIndex }

  package func byte(at offset: Int) -> Int? {
    guard offset >= 0, offset < bytes.count else { return nil }
    return Int(bytes[bytes.startIndex + offset])
  }

  package func word(at offset: Int) -> Int? { number(at: offset, length: 2) }

  package func long(at offset: Int) -> Int? { number(at: offset, length: 4) }

  /// An unsigned number of up to 8 bytes; nil if it does not fit an `Int`.
  package func number(at offset: Int, length: Int) -> Int? {
    guard length <= 8, let part = part(at: offset, length: length) else { return nil }
    return Int(
      exactly: isLittleEndian
        ? part.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        : part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// A part, or nil unless it is complete.
  package func part(at offset: Int, length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + length]
  }

  /// The part between two offsets, or nil unless it is complete.
  package func part(from start: Int, to end: Int) -> ArraySlice<UInt8>? {
    part(at: start, length: end -| start)
  }

  /// All bytes from an offset on; nil if it is past the end.
  package func rest(from offset: Int) -> ArraySlice<UInt8>? { part(from: offset, to: count) }

  package func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
    part(at: offset, length: expected.count)?.elementsEqual(expected) ?? false
  }

  /// The offset of the first such byte at or after an offset.
  package func offset(of byte: UInt8, from offset: Int) -> Int? {
    rest(from: offset)?.firstIndex(of: byte).map { $0 - bytes.startIndex }
  }

  /// The offset of the first byte with a property at or after an offset.
  package func offset(from offset: Int, where isWanted: (UInt8) -> Bool) -> Int? {
    rest(from: offset)?.firstIndex(where: isWanted).map { $0 - bytes.startIndex }
  }

  /// Big-endian words; nil unless all are available.
  package func words(at offset: Int, count: Int) -> [UInt16]? {
    guard let part = part(at: offset, length: count *| 2) else { return nil }
    return [UInt16](unsafeUninitializedCapacity: count) { output, written in
      part.withUnsafeBytes { input in
        for index in 0..<count {
          output[index] = UInt16(
            bigEndian: input.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
      }
      written = count
    }
  }

  /// A copy with some of the bytes replaced; nil unless all of those exist.
  package func replacing(at offset: Int, with new: [UInt8]) -> [UInt8]? {
    guard part(at: offset, length: new.count) != nil else { return nil }
    var copy = Array(bytes)
    copy.replaceSubrange(offset..<offset + new.count, with: new)
    return copy
  }
}

extension Collection {
  /// Everything after the first `count` elements; nothing if there are fewer, everything if `count` is negative.
  package func skipping(_ count: Int) -> SubSequence { dropFirst(count < 0 ? 0 : count) }

  /// At most the first `count` elements; nothing if `count` is negative.
  package func beginning(_ count: Int) -> SubSequence { prefix(count < 0 ? 0 : count) }
}

extension Array {
  /// The element at a position; nil outside the array.
  package func element(_ position: Int) -> Element? { indices.contains(position) ? self[position] : nil }
}
