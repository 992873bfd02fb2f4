import CodecKit
import Model
import Pixels

/// The first bytes of a null file: `NULL`, then width, height, kept rows and profile bytes as four bytes each, then the
/// layout's number and the bits per sample as one byte each.
struct NullHeader: Sendable {
  static let byteCount = 22
  private static let magic = Array("NULL".utf8)

  var width: Int
  var height: Int
  var format: PixelFormat
  var keptRows: Int
  var profileBytes: Int

  var bytes: [UInt8]? {
    let layout = ChannelLayout.allCases.firstIndex(of: format.layout) ?? 0
    let numbers = [width, height, keptRows, profileBytes].compactMap { UInt32(exactly: $0) }
    guard numbers.count == 4 else { return nil }
    return Self.magic + numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian, Array.init) }
      + [UInt8(truncatingIfNeeded: layout), UInt8(truncatingIfNeeded: format.bitDepth)]
  }

  var rowBytes: Int { width * format.bytesPerPixel }

  func keptRow(at y: Int) -> Int { y * keptRows / height }

  func firstRow(showing row: Int) -> Int { (row * height + keptRows - 1) / keptRows }
}

extension NullHeader {
  /// Reads a header and checks the file's length against it.
  init(_ bytes: [UInt8]) throws(CodecError) {
    let reader = ByteReader(bytes)
    guard reader.has(Self.magic, at: 0), let width = reader.long(at: 4), let height = reader.long(at: 8),
      let keptRows = reader.long(at: 12), let profileBytes = reader.long(at: 16),
      let layout = reader.byte(at: 20),
      let bitDepth = reader.byte(at: 21)
    else { throw .malformed("no null file") }
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height),
      (1...height).contains(keptRows), layout < ChannelLayout.allCases.count, (8...16).contains(bitDepth)
    else { throw .malformed("null file with a broken header") }
    self.init(
      width: width, height: height,
      format: PixelFormat(layout: ChannelLayout.allCases[layout], bitDepth: bitDepth), keptRows: keptRows,
      profileBytes: profileBytes)
    // At least one row of every hundred is kept, so that a small file cannot ask for a large image.
    let body = bytes.count - Self.byteCount - profileBytes
    guard body >= 0, body / keptRows == rowBytes, body % keptRows == 0, height / 200 <= keptRows else {
      throw .malformed("null file of the wrong length")
    }
  }
}
