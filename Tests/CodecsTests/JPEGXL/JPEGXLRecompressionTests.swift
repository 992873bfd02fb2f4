import CodecKit
import Foundation
import Model
import TestSupport
import Testing

@testable import Codecs

/// Losslessly recompressed JPEG files: `jxl:recompress=true`.
@Suite(.enabled(if: OpenedLibrary.jpegXL.absence == nil, "SKIPPED: \(OpenedLibrary.jpegXL.absence ?? "")"))
struct JPEGXLRecompressionTests {
  private static let tool = OutsideTool("cjxl")
  private let registry = CodecRegistry.standard

  private func settings(_ spelling: String = "jxl:recompress=true") throws -> EncodeSettings {
    EncodeSettings(
      variant: try registry.variant(spelling), quality: try #require(Quality(native: 50)),
      traits: JPEGXLCodec().traits)
  }

  private func photograph(_ spelling: String, side: Int = 120) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: side, height: side / 2 + 7, seed: 4))
    return try registry.encode(image, spelling, native: 85)
  }

  @Test(arguments: ["jpeg", "jpeg:progressive=true", "jpeg:chroma=444"])
  func theSameBytesComeBack(spelling: String) throws {
    let file = try photograph(spelling)
    let packed = try JPEGXLCodec().recompress(file, settings())
    #expect(packed.count < file.count && packed.starts(with: JPEGXLHeader.signature))
    #expect(try JPEGXLCodec().restore(packed) == file)
  }

  @Test func metadataAndWhatIsBehindThePictureComeBackToo() throws {
    var file = SegmentedJPEG(picture: try photograph("jpeg"), tail: try photograph("jpeg", side: 60))
    file.segments = [
      SegmentedJPEG.exif(thumbnail: try photograph("jpeg", side: 32)), SegmentedJPEG.xmp("x"),
      SegmentedJPEG.comment("hello"),
    ]
    let packed = try JPEGXLCodec().recompress(file.bytes, settings())
    #expect(try JPEGXLCodec().restore(packed) == file.bytes)
  }

  @Test(.enabled(if: tool.path != nil, "SKIPPED: cjxl (package libjxl-tools) is not installed"))
  func sizesAreThoseOfCjxl() throws {
    let file = try photograph("jpeg", side: 400)
    let expected = try Self.tool.output(
      of: file, named: "in.jpg", as: "out.jxl", ["--quiet", "--num_threads=0", "{in}", "{out}"])
    let packed = try JPEGXLCodec().recompress(file, settings())
    // cjxl 0.7 splits the codestream around the reconstruction data, but the picture's bytes are the same.
    #expect(
      abs(packed.count - expected.count) * 100 <= expected.count, "\(packed.count) and \(expected.count)")
  }

  @Test func whatIsNoJPEGIsRefused() throws {
    let png = try registry.writer.write(try #require(SyntheticImage.waves(width: 20, height: 20)))
    #expect(throws: CodecError.self) { try JPEGXLCodec().recompress(png, settings()) }
    let cut = try photograph("jpeg").dropLast(300)
    #expect(throws: CodecError.self) { try JPEGXLCodec().recompress(Array(cut.prefix(200)), settings()) }
    #expect(throws: CodecError.self) { try JPEGXLCodec().restore(Array("no file".utf8)) }
  }

  @Test func pixelsThatWereEncodedHaveNoFileToRestore() throws {
    let image = try #require(SyntheticImage.waves(width: 40, height: 40))
    let encoded = try registry.encode(image, "jxl", native: 80)
    #expect(throws: CodecError.self) { try JPEGXLCodec().restore(encoded) }
  }

  @Test(.enabled(if: SharedFolder.isPresent, .init(rawValue: SharedFolder.reason)))
  func camerasFilesComeBack() throws {
    for name in ["exif/Landscape_6.jpg", "misc/down_sampled_grayscale_prog.jpg"] {
      let file = try SharedFolder.bytes("inputs/\(name)")
      let packed = try JPEGXLCodec().recompress(file, settings())
      #expect(packed.count < file.count, "\(name)")
      #expect(try JPEGXLCodec().restore(packed) == file, "\(name)")
    }
    // JPEG XL cannot store 4:1:0, and cjxl refuses it, too.
    for (name, reason) in [
      ("fox410.jpg", "sampled 4×2, 1×1, 1×1"), ("cymk.jpg", "has 4"), ("four_components.jpg", "has 4"),
    ] {
      let odd = try SharedFolder.bytes("inputs/misc/\(name)")
      let error = #expect(throws: CodecError.self) { try JPEGXLCodec().recompress(odd, settings()) }
      guard case .unsupported(let said) = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(said.hasSuffix(reason), "\(name): \(said)")
    }
  }
}
