package import CodecKit
import Model
package import Pixels

/// A picture whose light pictures with a gain map are held against.
package enum HDROriginal {
  /// Reads a PNG file of PQ or HLG by its `cICP` chunk, from a path's bytes.
  package static func read(_ path: [UInt8], limits: ReadLimits) throws -> RasterImage {
    let bytes = try SourceFile.bytes(at: path)
    guard PNGReader().recognises(bytes) else {
      throw CodecError.unsupported("an HDR original has to be a PNG file of PQ with its cICP chunk")
    }
    do throws(CodecError) {
      let image = try PNGReader().read(bytes, limits: limits).image
      guard case .light = image.profile else { throw .unsupported("the HDR original is a picture of SDR") }
      return image
    } catch .highDynamicRange(let points) {
      // Readers refuse such samples, as they do wherever scores of SDR could be made of them.
      let picture = try PNGDecompressor.decode(bytes, limits: limits)
      guard let light = HDRViewing(source: .file).light(of: points) else {
        throw CodecError.highDynamicRange(points)
      }
      return try picture.samples.image(
        by: "libpng", width: picture.head.width, height: picture.head.height, format: picture.head.format,
        profile: .light(light))
    }
  }
}
