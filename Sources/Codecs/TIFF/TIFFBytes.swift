import Model
import Pixels

/// The bytes of a TIFF file, read by offset: reading past the end gives nil and never traps. A mapped file is not
/// copied as a whole.
struct TIFFBytes {
  let count: Int
  var isLittleEndian = false
  private let read: (_ offset: Int, _ length: Int) -> ArraySlice<UInt8>?

  init(_ bytes: [UInt8]) {
    let reader = ByteReader(bytes)
    (count, read) = (bytes.count, { reader.part(at: $0, length: $1) })
  }

  init(_ file: FileMapping) { (count, read) = (file.bytes.count, file.part) }

  func part(at offset: Int, length: Int) -> ArraySlice<UInt8>? { read(offset, length) }

  /// An unsigned number of 1 to 8 bytes; nil if it exceeds `Int.max`.
  func number(at offset: Int, length: Int) -> Int? { numbers(at: offset, length: length, count: 1)?.first }

  /// `count` consecutive numbers; nil unless all are in the file and none exceeds `Int.max`.
  func numbers(at offset: Int, length: Int, count: Int) -> [Int]? {
    guard let part = part(at: offset, length: length *| count) else { return nil }
    let reader = ByteReader(part, isLittleEndian: isLittleEndian)
    let numbers = count.indices.compactMap { reader.number(at: $0 *| length, length: length) }
    return numbers.count == count ? numbers : nil
  }
}
