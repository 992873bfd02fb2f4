package import Pixels

/// Builds PNG files of kinds that our writer does not write.
package enum PNGFile {
  /// A chunk of a file.
  package static func chunk(_ name: String, _ body: [UInt8], breakingChecksum: Bool = false) -> [UInt8] {
    let covered = Array(name.utf8) + body
    return bytes(UInt32(body.count)) + covered + bytes(crc32(covered) ^ (breakingChecksum ? 1 : 0))
  }

  /// Bytes in zlib's format without compression.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      let size = UInt16(block.count)
      stream.append(block.endIndex == bytes.count ? 1 : 0)
      for number in [size, ~size] { stream += [UInt8(number & 255), UInt8(number >> 8)] }
      stream += block
    }
    let sums = bytes.reduce(into: (low: 1 as UInt32, high: 0 as UInt32)) { sums, byte in
      sums.low = (sums.low + UInt32(byte)) % 65_521
      sums.high = (sums.high + sums.low) % 65_521
    }
    return stream + Self.bytes(sums.high << 16 | sums.low)
  }

  /// A file's first 33 bytes, claiming this size.
  package static func header(width: UInt32, height: UInt32) -> [UInt8] {
    let body = Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 2, 0, 0, 0]
    return signature + [0, 0, 0, 13] + body + bytes(crc32(body))
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  package static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = crc & 1 == 1
        crc >>= 1
        if isOdd { crc ^= 0xEDB8_8320 }
      }
    }
    return ~crc
  }

  /// A black picture of one bit per pixel, compressed to a thousandth: a small file that claims to be a large picture,
  /// and is.
  package static func black(width: Int, height: Int) -> [UInt8] {
    let count = ((width + 7) / 8 + 1) * height
    // RFC 1951, 3.2.6: a last block of fixed codes with a zero, followed by repetitions of 258 bytes.
    var bits =
      Array("11000110000") + Array(repeating: Array("1100010100000"), count: (count - 1) / 258).joined()
    bits += Array(repeating: Array("00110000"), count: (count - 1) % 258).joined() + Array("0000000")
    var data: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<min(start + 8, bits.count)]
      data.append(byte.reversed().reduce(0 as UInt8) { $0 << 1 | ($1 == "1" ? 1 : 0) })
    }
    let sum = UInt32(count % 65_521) << 16 | 1
    let header = bytes(UInt32(width)) + bytes(UInt32(height)) + [1, 0, 0, 0, 0]
    return signature + chunk("IHDR", header) + chunk("IDAT", data + bytes(sum)) + chunk("IEND", [])
  }

  /// An 8-bit picture in the seven passes of Adam7, without compression.
  package static func interlaced(_ image: RasterImage) -> [UInt8] {
    let (width, height, channels) = (image.width, image.height, image.format.layout.channels)
    guard case .bytes(let samples) = image.samples else { return [] }
    let passes: [(Int, Int, Int, Int)] = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
    var data: [UInt8] = []
    for (left, top, right, down) in passes where left < width {
      for y in stride(from: top, to: height, by: down) {
        data.append(0)
        for x in stride(from: left, to: width, by: right) {
          let start = (y * width + x) * channels
          data += samples[start..<start + channels]
        }
      }
    }
    let types: [ChannelLayout: UInt8] = [.gray: 0, .rgb: 2, .grayAlpha: 4, .rgba: 6]
    let kind: [UInt8] = [8, types[image.format.layout] ?? 2, 0, 0, 1]
    let header = bytes(UInt32(width)) + bytes(UInt32(height)) + kind
    return signature + chunk("IHDR", header) + chunk("IDAT", stored(data)) + chunk("IEND", [])
  }

  /// A complete file of RGB rows, with a chunk before the image data that declares them as PQ (BT.2100).
  package static func pq(width: Int, height: Int, rgb: [UInt8]) -> [UInt8] {
    var rows: [UInt8] = []
    for start in stride(from: 0, to: width * height * 3, by: width * 3) {
      rows.append(0)
      rows += rgb[start..<(start + width * 3)]
    }
    var file = header(width: UInt32(width), height: UInt32(height))
    file += chunk("cICP", [9, 16, 0, 1])
    file += chunk("IDAT", stored(rows))
    return file + chunk("IEND", [])
  }
}
