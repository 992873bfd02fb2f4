package import CodecKit
import Model
package import Pixels

/// The original that pictures with a gain map are compared with.
package enum HDROriginal {
  /// Reads a PNG file of PQ or HLG by its `cICP` chunk, from a path's bytes.
  package static func read(_ path: [UInt8], limits: ReadLimits) throws -> RasterImage {
    let (bytes, reader) = (try SourceFile.bytes(at: path), PNGReader())
    guard reader.recognises(bytes) else {
      throw CodecError.unsupported("an HDR original has to be a PNG file of PQ with its cICP chunk")
    }
    var limits = limits
    limits.light = HDRViewing(source: .file)
    let image = try reader.read(bytes, limits: limits).image
    guard SourceColour.hdr(image.profile.codePoints) != nil else {
      throw CodecError.unsupported("the HDR original is a picture of SDR")
    }
    return image
  }
}
