import Codecs
import Model
import Pixels
import TestSupport
import Testing

extension PNGFile {
  /// A small file with these chunks between header and image data, and without an sRGB chunk.
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
}

/// A handful of pixels.
enum SyntheticPixels {
  static func image(_ layout: ChannelLayout) -> RasterImage? {
    RasterImage(width: 2, height: 2, layout: layout, bytes: (0..<UInt8(4 * layout.channels)).map { $0 * 15 })
  }
}
