package import CodecKit
package import Pixels

/// An image of the generated corpus: its path, purpose and generator.
package struct CorpusImage: Sendable {
  package let path: String
  /// The codec behaviour that it exposes.
  package let purpose: String
  /// Makes the pixels; nil only if a scene's size and layout do not match, which the tests rule out.
  package let make: @Sendable () -> RasterImage?

  package static let all: [CorpusImage] = [
    CorpusImage("photo/coast.png", "smooth sky above busy stones") { PhotoScenes.coast.paint().raster() },
    CorpusImage("photo/foliage.png", "fine detail everywhere: the hardest photo-like scene") {
      PhotoScenes.foliage.paint().raster()
    },
    CorpusImage("photo/market.png", "saturated colours with hard edges: the cost of 4:2:0") {
      PhotoScenes.market.paint().raster()
    },
    CorpusImage("photo/night.png", "dark and noisy: codecs discard noise first") {
      PhotoScenes.night.paint().raster()
    },
    CorpusImage("photo/portrait.png", "large soft shapes, upright: the easiest photo-like scene") {
      PhotoScenes.portrait.paint().raster()
    },
    CorpusImage("gray/ruins.png", "one channel: gray must stay gray") {
      PhotoScenes.ruins.paint().grayRaster()
    },
    CorpusImage("deep/dusk.png", "16 bits per sample: reduced the same way for every codec") {
      DrawnScenes.gradient(width: 256, height: 192).deepRaster()
    },
    CorpusImage("drawn/gradient.png", "no noise, slow changes: banding and blocking") {
      DrawnScenes.gradient(width: 448, height: 320).raster()
    },
    CorpusImage("drawn/lines.png", "thin anti-aliased lines and flat fills: ringing") {
      DrawnScenes.lineArt(width: 400, height: 400).raster()
    },
    CorpusImage("drawn/screen.png", "text and interface: sharp edges on flat ground") {
      DrawnScenes.screen(width: 512, height: 320).raster()
    },
    CorpusImage("alpha/badge.png", "straight alpha with soft edges: flattened or kept, the same for all") {
      DrawnScenes.badge(side: 256)
    },
    CorpusImage("odd/127x93.png", "odd on both sides: padding and chroma at the edge") {
      DrawnScenes.lineArt(width: 127, height: 93).raster()
    },
    CorpusImage("odd/1x37.png", "one pixel wide") { DrawnScenes.ramp(height: 37) },
    CorpusImage("odd/1x1.png", "one pixel: the size of an empty file") { DrawnScenes.ramp(height: 1) },
  ]

  /// The file, byte for byte the same as in the committed corpus.
  package func file(_ writer: any ImageWriter) throws(CodecError) -> [UInt8] {
    guard let raster = make() else { throw .malformed("\(path): the scene's size and layout disagree") }
    return try writer.write(raster)
  }

  private init(_ path: String, _ purpose: String, make: @escaping @Sendable () -> RasterImage?) {
    (self.path, self.purpose, self.make) = (path, purpose, make)
  }
}
