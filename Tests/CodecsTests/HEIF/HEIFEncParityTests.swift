import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// With default settings our files are as long as heif-enc's, from the same libraries.
@Suite(
  .enabled(
    if: OutsideTool("heif-enc").path != nil && SharedFolder.isPresent,
    "SKIPPED: needs heif-enc (package libheif-examples) and ../shared"))
struct HEIFEncParityTests {
  /// From 1.16 on, heif-enc itself adds a colour box, which takes 20 bytes.
  private let colourBox = isLibheif115 ? 0 : 20

  /// A part of a photograph, since the slow preset takes seconds for the whole.
  private func photo() throws -> RasterImage {
    let file = try SharedFolder.bytes("corpus/kodak/kodim05.png")
    let whole = try PNGReader().read(file, limits: ReadLimits()).image
    return try #require(whole.cropped(to: PixelRegion(x: 200, y: 150, width: 264, height: 200)))
  }

  /// What heif-enc makes of it.
  private func file(_ image: RasterImage, as ending: String, _ arguments: [String]) throws -> [UInt8] {
    try OutsideTool("heif-enc").output(
      of: PNGWriter().write(image), named: "in.png", as: "out.\(ending)",
      arguments + (ending == "avif" ? ["-A"] : []) + ["-o", "{out}", "{in}"])
  }

  @Test(arguments: [25, 50, 75])
  func heicSizesEqual(quality: Int) throws {
    let (image, codec) = (try photo(), HEICCodec())
    let expected = try file(image, as: "heic", ["-q", String(quality)]).count
    for threads in ["0", "1"] {
      let bytes = try codec.encode(image, settings(of: codec, native: quality, ["threads": threads]))
      #expect(bytes.count + colourBox == expected, "threads=\(threads)")
    }
  }

  /// Any parameter of x265, with the bytes of heif-enc in all that is coded.
  @Test(arguments: ["aq-mode=3", "psy-rd=0", "no-sao=1"])
  func x265ParametersEqual(parameter: String) throws {
    let words = parameter.split(separator: "=").map(String.init)
    let (image, codec) = (try photo(), HEICCodec())
    let own = try codec.encode(image, settings(of: codec, native: 50, ["x265:" + words[0]: words[1]]))
    let tool = try file(image, as: "heic", ["-q", "50", "-p", "x265:\(parameter)"])
    let usual = try codec.encode(image, settings(of: codec, native: 50))
    #expect(codedData(of: own) == codedData(of: tool) && codedData(of: own) != codedData(of: usual))
  }

  /// What follows the head of the box of coded data, the last one of a file.
  private func codedData(of file: [UInt8]) -> ArraySlice<UInt8>? {
    file.lastRange(of: Array("mdat".utf8)).map { file[$0.upperBound...] }
  }

  /// The embedded thumbnail is the one that heif-enc embeds.
  @Test func heicSizesWithThumbnailEqual() throws {
    let (image, codec) = (try photo(), HEICCodec())
    let expected = try file(image, as: "heic", ["-q", "50", "-t", "120"]).count
    let bytes = try codec.encode(image, settings(of: codec, native: 50, ["thumbnail": "120"]))
    // heif-enc adds its colour box to both pictures.
    #expect(bytes.count + 2 * colourBox == expected)
  }

  @Test(arguments: [25, 50, 75])
  func avifSizesEqual(quality: Int) throws {
    let (image, codec) = (try photo(), AVIFCodec())
    let expected = try file(image, as: "avif", ["-q", String(quality), "-p", "threads=1"]).count
    let bytes = try codec.encode(image, settings(of: codec, native: quality))
    #expect(bytes.count + colourBox == expected)
  }
}
