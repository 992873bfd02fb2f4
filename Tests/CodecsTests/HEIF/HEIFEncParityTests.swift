import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

/// With default settings our files are as long as heif-enc's, from the same libraries.
@Suite(.enabled(if: HEIFEncTool.isUsable, HEIFEncTool.reason))
struct HEIFEncParityTests {
  static let photo = "corpus/kodak/kodim05.png"

  /// From 1.16 on, heif-enc itself adds a colour box, which takes 20 bytes.
  private let colourBox = isLibheif115 ? 0 : 20

  private func photo() throws -> RasterImage {
    try PNGReader().read(SharedFolder.bytes(Self.photo), limits: ReadLimits()).image
  }

  @Test(arguments: [25, 50, 75])
  func heicSizesEqual(quality: Int) throws {
    let expected = try HEIFEncTool.encodedBytes(
      "\(SharedFolder.path)/\(Self.photo)", as: "heic", ["-q", String(quality)])
    let (image, codec) = (try photo(), HEICCodec())
    for threads in ["0", "1"] {
      let bytes = try codec.encode(image, settings(of: codec, native: quality, ["threads": threads]))
      #expect(bytes.count + colourBox == expected, "threads=\(threads)")
    }
  }

  /// The embedded thumbnail is the one that heif-enc embeds.
  @Test func heicSizesWithThumbnailEqual() throws {
    let expected = try HEIFEncTool.encodedBytes(
      "\(SharedFolder.path)/\(Self.photo)", as: "heic", ["-q", "50", "-t", "320"])
    let codec = HEICCodec()
    let bytes = try codec.encode(photo(), settings(of: codec, native: 50, ["thumbnail": "320"]))
    // heif-enc adds its colour box to both pictures.
    #expect(bytes.count + 2 * colourBox == expected)
  }

  @Test(arguments: [25, 50, 75])
  func avifSizesEqual(quality: Int) throws {
    let expected = try HEIFEncTool.encodedBytes(
      "\(SharedFolder.path)/\(Self.photo)", as: "avif", ["-q", String(quality), "-p", "threads=1"])
    let codec = AVIFCodec()
    let bytes = try codec.encode(photo(), settings(of: codec, native: quality))
    #expect(bytes.count + colourBox == expected)
  }
}
