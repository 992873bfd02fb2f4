package import CodecKit
import Model
package import Pixels

/// The original that pictures with a gain map are compared with.
package enum HDROriginal {
  /// Reads a PQ or HLG PNG file, identified by its `cICP` chunk, from a path given as bytes. The picture is upright,
  /// as pictures with their gain map applied are.
  package static func read(_ path: [UInt8], limits: ReadLimits) throws -> RasterImage {
    let (bytes, reader) = (try SourceFile.bytes(at: path), PNGReader())
    guard reader.recognises(bytes) else {
      throw CodecError.unsupported("an HDR original must be a PQ PNG file with a cICP chunk")
    }
    var limits = limits
    limits.light = HDRViewing(source: .file)
    let source = try reader.read(bytes, limits: limits)
    guard SourceColour.hdr(source.image.profile.codePoints) != nil else {
      throw CodecError.unsupported("the HDR original is an SDR picture")
    }
    return source.image.oriented(source.orientation)
  }
}
