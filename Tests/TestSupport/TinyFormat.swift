package import CodecKit
package import Model
package import Pixels
import Synchronization

/// A file format for tests: `TINY 12x34` and anything after it. It counts how many headers were read.
package final class TinyFormat: ImageReader {
  package let formats = ["test image"]

  private let reads = Mutex(0)

  package init() {}

  /// How many headers were read.
  package var headersRead: Int { reads.withLock { $0 } }

  package func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("TINY".utf8)) }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    reads.withLock { $0 += 1 }
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    let sides = text.split(separator: " ").dropFirst().first?.split(separator: "x").compactMap { Int($0) }
    guard let sides, sides.count == 2 else { throw .malformed("no size after the signature") }
    return ImageHeader(
      format: "tiny", width: sides[0], height: sides[1], bitDepth: 8, layout: .rgb, isLossy: false)
  }

  /// The salt is reported as the camera.
  package func contents(of bytes: [UInt8]) -> FileContents {
    var contents = FileContents()
    contents.making.camera = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst(2).first
      .map(String.init)
    return contents
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    throw .unsupported("headers only")
  }

  /// A file's bytes.
  package static func file(_ width: Int, _ height: Int, salt: String = "") -> [UInt8] {
    Array("TINY \(width)x\(height) \(salt)".utf8)
  }
}

/// Writes nothing.
package struct NullWriter: ImageWriter {
  package init() {}

  package func write(_ image: RasterImage) throws(CodecError) -> [UInt8] {
    throw .unsupported("writes nothing")
  }
}

/// A codec that only declares what it supports.
package struct SupportOnlyCodec: ImageCodec {
  package var id: String
  package var pixels: PixelSupport

  package init(id: String, pixels: PixelSupport) { (self.id, self.pixels) = (id, pixels) }

  package var traits: CodecTraits {
    CodecTraits(
      id: id, title: id, fileExtension: id, libraries: [LibraryVersion(name: id, version: "1.0")],
      nativeQuality: 0...100,
      settings: [
        SettingSpecification(
          key: "threads", values: .integer(1...64), defaultValue: "1", summary: "Encoder threads.")
      ])
  }
  package func support(for variant: CodecVariant) -> PixelSupport { pixels }
  package func validate(_ variant: CodecVariant) throws(CodecError) {}
  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    throw .unsupported("encodes nothing")
  }
  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    throw .unsupported("decodes nothing")
  }
}

extension CodecRegistry {
  /// A registry with one reader and codecs that only declare what they support.
  package static func tiny(_ reader: TinyFormat = TinyFormat(), codecs: [SupportOnlyCodec] = [])
    -> CodecRegistry
  {
    CodecRegistry(codecs: codecs, readers: [reader], writer: NullWriter())
  }
}
