package import CodecKit
import Codecs
package import Model
package import Pixels
import Sweep
import Workers

/// Images that commands read themselves, upright, at full depth and with their alpha.
package enum ImageInput {
  /// What heicbench reads, for messages.
  package static let readableFormats = "PNG, JPEG, PNM, HEIC, AVIF, WebP and JPEG XL"

  /// Reads an image.
  /// - Parameter path: the path's bytes.
  package static func read(_ path: [UInt8], limits: ReadLimits = ReadLimits()) throws(Failure) -> RasterImage
  {
    let bytes = try SourceFile.bytes(at: path)
    guard let reader = CodecRegistry.standard.reader(for: bytes) else {
      throw Failure(kind: .source, message: "is no PNG, JPEG, PNM, HEIC, AVIF, WebP or JPEG XL image")
    }
    let source: SourceImage
    do {
      source = try reader.read(bytes, limits: limits)
    } catch {
      throw Failure(kind: .source, message: error.description)
    }
    return try Preparer(Preparation(keepsAlpha: true, maximumBitDepth: 16)).prepare(source).image
  }
}
