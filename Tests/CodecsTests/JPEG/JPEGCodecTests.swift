import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

@Suite struct JPEGCodecTests {
  private func encode(_ image: RasterImage, _ spelling: String, _ quality: Int) throws -> [UInt8] {
    let codec = JPEGCodec()
    return try codec.encode(
      image,
      EncodeSettings(
        variant: try CodecRegistry.standard.variant(spelling),
        quality: try #require(Quality(native: quality)),
        traits: codec.traits))
  }

  @Test(
    .enabled(if: CJPEGTool.path != nil, "SKIPPED: cjpeg is not installed"),
    arguments: [1, 10, 25, 50, 75, 100],
    [
      ("jpeg", ["-sample", "2x2"]), ("jpeg:chroma=422", ["-sample", "2x1"]),
      ("jpeg:chroma=444", ["-sample", "1x1"]), ("jpeg:optimise", ["-optimize"]),
      ("jpeg:progressive", ["-progressive"]),
    ])
  func bytesEqualThoseOfCjpeg(quality: Int, variant: (spelling: String, arguments: [String])) throws {
    let arguments = ["-baseline", "-quality", "\(quality)"] + variant.arguments
    let color = try #require(SyntheticImage.waves(width: 131, height: 77))
    #expect(try encode(color, variant.spelling, quality) == CJPEGTool.encode(color, arguments))
    // Gray has nothing to subsample, but cjpeg would still mark it as subsampled.
    let grayArguments = arguments.filter { $0 != "-sample" && !$0.contains("x") }
    let gray = try #require(SyntheticImage.waves(width: 131, height: 77, layout: .gray))
    #expect(try encode(gray, variant.spelling, quality) == CJPEGTool.encode(gray, grayArguments))
  }

  @Test(
    .enabled(if: CJPEGTool.path != nil && SharedFolder.isPresent, "SKIPPED: needs cjpeg and ../shared"),
    arguments: [25, 50, 75])
  func aPhotographEqualsThatOfCjpeg(quality: Int) throws {
    let source = try SharedFolder.bytes("corpus/kodak/kodim05.png")
    let image = try PNGReader().read(source, limits: ReadLimits()).image
    let expected = try CJPEGTool.encode(image, ["-baseline", "-quality", "\(quality)", "-sample", "2x2"])
    #expect(try encode(image, "jpeg", quality) == expected)
  }

  @Test func settingsChangeTheFile() throws {
    let image = try #require(SyntheticImage.waves(width: 128, height: 96))
    let plain = try encode(image, "jpeg", 80)
    #expect(try encode(image, "jpeg:optimise", 80).count < plain.count)
    #expect(try encode(image, "jpeg:chroma=444", 80).count > plain.count)
    #expect(try encode(image, "jpeg:progressive", 80).contains(sequence: [0xFF, 0xC2]))
    #expect(plain.contains(sequence: [0xFF, 0xC0]))
  }

  /// ITU-T T.81, B.1.1.2: any marker may follow fill bytes.
  @Test(arguments: ["jpeg", "jpeg:progressive"])
  func fillBytesAreNoCodedSamples(spelling: String) throws {
    let file = try encode(try #require(SyntheticImage.waves(width: 131, height: 77)), spelling, 50)
    let container = try #require(JPEGCodec().containerBytes(of: file))
    #expect((100..<file.count - 1000).contains(container))
    let filled = file.prefix(2) + [0xFF, 0xFF] + file.dropFirst(2).dropLast(2) + [0xFF] + file.suffix(2)
    #expect(JPEGCodec().containerBytes(of: Array(filled)) == container + 3)
  }

  @Test func aSecondNameForTheSameFilesIsRefused() {
    #expect(throws: CodecError.self) { try CodecRegistry.standard.variant("jpeg:optimise,progressive") }
  }

  @Test func tooLongASideIsUnsupported() throws {
    let image = try #require(SyntheticImage.waves(width: 65_501, height: 1, layout: .gray))
    #expect { _ = try encode(image, "jpeg", 50) } throws: { error in
      if case CodecError.unsupported = error { true } else { false }
    }
  }

  @Test func outputLargerThanTheRasterIsWhole() throws {
    // A profile far larger than the pixels, which exceeds any estimate based on them.
    let image = try #require(RasterImage(width: 1, height: 1, layout: .rgb, bytes: [1, 2, 3]))
    let profile = [UInt8](repeating: 7, count: 300_000)
    let bytes = try encode(image.tagged(.icc(profile)), "jpeg", 90)
    #expect(bytes.count > 300_000)
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
  }
}

extension [UInt8] {
  fileprivate func contains(sequence: [UInt8]) -> Bool {
    indices.dropLast(sequence.count - 1).contains { self[$0...].starts(with: sequence) }
  }
}
