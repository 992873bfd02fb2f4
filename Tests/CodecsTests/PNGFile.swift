import Codecs
import Model
import Pixels
import Testing

/// Builds PNG files with chunks that our writer never writes.
enum PNGFile {
  /// A small file with these chunks between header and image data, and without the sRGB chunk.
  static func with(
    _ chunks: [(name: String, body: [UInt8])], layout: ChannelLayout = .rgb, breakingChecksums: Bool = false
  ) throws -> [UInt8] {
    let image = try #require(SyntheticPixels.image(layout))
    var file = try PNGWriter().write(image)
    let sRGBChunk = 33..<46
    try #require(file[37..<41].elementsEqual("sRGB".utf8))
    let added = chunks.flatMap { chunk($0.name, $0.body, breakingChecksum: breakingChecksums) }
    file.replaceSubrange(sRGBChunk, with: added)
    return file
  }

  /// A chunk of a file.
  static func chunk(_ name: String, _ body: [UInt8], breakingChecksum: Bool = false) -> [UInt8] {
    let covered = Array(name.utf8) + body
    return bytes(UInt32(body.count)) + covered + bytes(crc32(covered) ^ (breakingChecksum ? 1 : 0))
  }

  /// Bytes as zlib's format holds them when nothing is compressed.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      let size = UInt16(block.count)
      stream.append(block.endIndex == bytes.count ? 1 : 0)
      stream += [size, ~size].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + block
    }
    let sums = bytes.reduce(into: (low: 1 as UInt32, high: 0 as UInt32)) { sums, byte in
      sums.low = (sums.low + UInt32(byte)) % 65_521
      sums.high = (sums.high + sums.low) % 65_521
    }
    return stream + Self.bytes(sums.high << 16 | sums.low)
  }

  /// A file's first 33 bytes, claiming this size.
  static func header(width: UInt32, height: UInt32) -> [UInt8] {
    let body = Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + body + bytes(crc32(body))
  }

  static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
  }
}

/// A handful of pixels.
enum SyntheticPixels {
  static func image(_ layout: ChannelLayout) -> RasterImage? {
    RasterImage(width: 2, height: 2, layout: layout, bytes: (0..<UInt8(4 * layout.channels)).map { $0 * 15 })
  }
}
