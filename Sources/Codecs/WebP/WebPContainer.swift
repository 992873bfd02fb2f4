import CodecKit
import Pixels

/// The RIFF container of a WebP file (RFC 9649), read and written in pure Swift.
struct WebPContainer {
  private struct Chunk {
    var name: String
    var body: ArraySlice<UInt8>
  }

  private typealias Frame = (width: Int, height: Int, hasAlpha: Bool)

  let width: Int
  let height: Int
  let hasAlpha: Bool
  /// True if the image data are VP8L, which is lossless.
  let isLossless: Bool
  let isAnimated: Bool
  private let chunks: [Chunk]

  /// Walks the chunks. A truncated file's last chunk is shortened.
  init(_ bytes: [UInt8]) throws(CodecError) {
    let chunks = try Self.chunks(bytes)
    guard let first = chunks.first else { throw .malformed("WebP without an image") }
    let extended = first.name == "VP8X" ? ByteReader(first.body, isLittleEndian: true) : nil
    let flags = extended?.byte(at: 0) ?? 0
    isAnimated = flags & 0x02 != 0
    let data = chunks.first { $0.name == "VP8 " || $0.name == "VP8L" }
    isLossless = data?.name == "VP8L"
    let frame: Frame
    if let data {
      frame = try Self.frame(data)
    } else {
      guard isAnimated else { throw .malformed("WebP without an image") }
      frame = (0, 0, false)
    }
    if let low = extended?.word(at: 4), let high = extended?.byte(at: 6),
      let rows = extended?.word(at: 7), let rowsHigh = extended?.byte(at: 9)
    {
      (width, height) = (low +| high << 16 +| 1, rows +| rowsHigh << 16 +| 1)
      hasAlpha =
        isLossless ? frame.hasAlpha : flags & 0x10 != 0 || chunks.contains { $0.name == "ALPH" }
    } else {
      guard extended == nil else { throw .malformed("WebP with a broken header") }
      (width, height, hasAlpha) = (frame.width, frame.height, frame.hasAlpha)
    }
    self.chunks = chunks
  }

  var icc: [UInt8]? { chunks.first { $0.name == "ICCP" }.map { Array($0.body) } }

  /// The orientation from the first EXIF chunk that states one; `up` by default.
  var orientation: Orientation {
    chunks.lazy.filter { $0.name == "EXIF" }.compactMap { chunk in
      // Some writers keep the six-byte Exif prefix of JPEG.
      let hasPrefix = chunk.body.starts(with: "Exif\0\0".utf8)
      return ExifOrientation.find(in: hasPrefix ? chunk.body.dropFirst(6) : chunk.body)
    }.first ?? .up
  }

  /// The file with a profile, as `cwebp -metadata icc` writes it.
  func withProfile(_ icc: [UInt8], width: Int, height: Int) -> [UInt8] {
    var body: [UInt8] = Array("WEBP".utf8)
    func append(_ name: String, _ bytes: some Collection<UInt8>) {
      for part in [Array(name.utf8), Self.little(bytes.count, 4), Array(bytes)] {
        body.append(contentsOf: part)
      }
      if bytes.count & 1 == 1 { body.append(0) }
    }
    let flags: UInt8 = 0x20 | (hasAlpha ? 0x10 : 0)
    append(
      "VP8X", [[flags, 0, 0, 0], Self.little(width -| 1, 3), Self.little(height -| 1, 3)].flatMap { $0 })
    append("ICCP", icc)
    for chunk in chunks where chunk.name != "VP8X" { append(chunk.name, chunk.body) }
    return [Array("RIFF".utf8), Self.little(body.count, 4), body].flatMap { $0 }
  }

  private static func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    bytes.indices.map { UInt8(truncatingIfNeeded: value >> (8 *| $0)) }
  }

  private static func chunks(_ bytes: [UInt8]) throws(CodecError) -> [Chunk] {
    let reader = ByteReader(bytes, isLittleEndian: true)
    guard reader.has("RIFF".utf8, at: 0), reader.has("WEBP".utf8, at: 8) else {
      throw .malformed("not a WebP file")
    }
    var chunks: [Chunk] = []
    var position = 12
    // The limit is more than any still image has; an animation's frames are not needed.
    while chunks.count < 64, let name = reader.part(at: position, length: 4),
      let length = reader.long(at: position +| 4)
    {
      let body = reader.part(at: position +| 8, length: min(length, bytes.count -| position -| 8))
      chunks.append(Chunk(name: String(decoding: name, as: UTF8.self), body: body ?? []))
      position +|= 8 +| length +| length & 1
    }
    return chunks
  }

  /// Size and alpha from the image data's own header: a VP8 key frame's (RFC 6386, 9.1) or VP8L's.
  private static func frame(_ chunk: Chunk) throws(CodecError) -> Frame {
    let reader = ByteReader(chunk.body, isLittleEndian: true)
    if chunk.name == "VP8L", reader.byte(at: 0) == 0x2F, let bits = reader.long(at: 1) {
      return (bits & 0x3FFF +| 1, bits >> 14 & 0x3FFF +| 1, bits >> 28 & 1 == 1)
    }
    guard chunk.name == "VP8 ", reader.has([0x9D, 0x01, 0x2A], at: 3), let width = reader.word(at: 6),
      let height = reader.word(at: 8), width & 0x3FFF > 0, height & 0x3FFF > 0
    else { throw .malformed("WebP with a broken header") }
    return (width & 0x3FFF, height & 0x3FFF, false)
  }
}
