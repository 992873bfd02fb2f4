import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// With default settings and the same libraries, our files are as long as heif-enc's.
@Suite(
  .enabled(
    if: OutsideTool("heif-enc").path != nil && SharedFolder.isPresent,
    "SKIPPED: needs heif-enc (package libheif-examples) and ../shared"))
struct HEIFEncParityTests {
  /// From 1.16 on, heif-enc itself adds a colour box of 20 bytes.
  private let colourBox = isLibheif115 ? 0 : 20

  /// A part of a photograph, since the slow preset takes seconds for the whole.
  private func photo() throws -> RasterImage {
    let file = try SharedFolder.bytes("corpus/kodak/kodim05.png")
    let whole = try PNGReader().read(file, limits: ReadLimits()).image
    return try #require(whole.cropped(to: PixelRegion(x: 200, y: 150, width: 264, height: 200)))
  }

  /// The file that heif-enc makes from it.
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

  /// Any parameter of x265 gives the same coded bytes as in heif-enc.
  @Test(arguments: ["aq-mode=3", "psy-rd=0", "no-sao=1"])
  func x265ParametersEqual(parameter: String) throws {
    let words = parameter.split(separator: "=").map(String.init)
    let (image, codec) = (try photo(), HEICCodec())
    let own = try codec.encode(image, settings(of: codec, native: 50, ["x265:" + words[0]: words[1]]))
    let tool = try file(image, as: "heic", ["-q", "50", "-p", "x265:\(parameter)"])
    let usual = try codec.encode(image, settings(of: codec, native: 50))
    #expect(codedData(of: own) == codedData(of: tool) && codedData(of: own) != codedData(of: usual))
  }

  /// heif-enc gives libheif JPEG's own luma and chroma, but only every other sample of the chroma, whatever its size.
  @Test(arguments: ["420", "444"], [HEICCodec() as any ImageCodec, AVIFCodec()])
  func jpegFilesEqual(chroma: String, codec: any ImageCodec) throws {
    // With odd sides, the last column has its own chroma.
    let image = try #require(photo().cropped(to: PixelRegion(x: 0, y: 0, width: 263, height: 199)))
    let jpeg = JPEGCodec()
    let file = try jpeg.encode(image, settings(of: jpeg, native: 92, ["chroma": chroma]))
    let decoded = try JPEGReader().read(file, limits: ReadLimits()).image
    let ending = codec.traits.fileExtension
    for whole in [[:], ["chroma": "444"]] {
      let own = try codec.encodeByProgram(file, of: decoded, settings(of: codec, native: 60, whole))
      let options = whole.isEmpty ? [] : ["-p", "chroma=444"]
      let tool = try OutsideTool("heif-enc").output(
        of: file, named: "in.jpg", as: "out.\(ending)",
        ["-q", "60", "-p", "threads=1"].filter { ending == "avif" || !["-p", "threads=1"].contains($0) }
          + options
          + (ending == "avif" ? ["-A"] : []) + ["-o", "{out}", "{in}"])
      #expect(own.map(codedData) == codedData(of: tool), "\(whole)")
      #expect(try own != codec.encode(decoded, settings(of: codec, native: 60, whole)))
    }
  }

  @Test func whatHeifEncDoesNotReadOrChangeIsTold() throws {
    let file = try SharedFolder.bytes("inputs/misc/cymk.jpg")
    let image = try JPEGReader().read(file, limits: ReadLimits()).image
    let codec = HEICCodec()
    #expect(throws: CodecError.unsupported("heif-enc does not read JPEG in CMYK or RGB")) {
      try codec.encodeByProgram(file, of: image, settings(of: codec, native: 50))
    }
    let gray = try #require(SyntheticImage.waves(width: 16, height: 16, layout: .gray))
    #expect(try codec.encodeByProgram(file, of: gray, settings(of: codec, native: 50)) == nil)
    #expect(
      try codec.encodeByProgram(file, of: image, settings(of: codec, native: 50, ["lossless": "true"])) == nil
    )
  }

  /// Qualities that make the same file as a lower one are recognized without an encode.
  @Test(arguments: [HEICCodec() as any ImageCodec, AVIFCodec()])
  func qualitiesThatMakeTheSameFileAreKnown(codec: any ImageCodec) throws {
    let image = try #require(photo().cropped(to: PixelRegion(x: 0, y: 0, width: 64, height: 64)))
    let fast = codec.traits.id == "heic" ? ["preset": "ultrafast"] : ["speed": "9", "tune": "ssim"]
    let variant = CodecVariant(codec: codec.traits.id, settings: fast)
    let files = try (0...100).map { try codec.encode(image, settings(of: codec, native: $0, fast)) }
    for native in 0...100 {
      let lowest = codec.lowestQuality(like: native, variant)
      #expect(files[native] == files[lowest], "\(native) and \(lowest)")
      // For a small picture, the highest qualities may be equal for other reasons.
      #expect(lowest == 0 || lowest > 90 || files[lowest - 1] != files[lowest], "\(lowest)")
    }
  }

  /// What follows the header of the coded data's box, which is a file's last box.
  private func codedData(of file: [UInt8]) -> ArraySlice<UInt8>? {
    file.lastRange(of: Array("mdat".utf8)).map { file[$0.upperBound...] }
  }

  /// The embedded thumbnail equals heif-enc's.
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
