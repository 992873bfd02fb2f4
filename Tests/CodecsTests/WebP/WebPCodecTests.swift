import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

@Suite(.enabled(if: OpenedLibrary.webP.absence == nil, "SKIPPED: \(OpenedLibrary.webP.absence ?? "")"))
struct WebPCodecTests {
  private static let tool = OutsideTool("cwebp")
  private let registry = CodecRegistry.standard

  @Test(
    .enabled(if: tool.path != nil, "SKIPPED: cwebp (package webp) is not installed"),
    arguments: [
      ("webp", []), ("webp:method=0", ["-m", "0"]), ("webp:method=6", ["-m", "6"]),
      ("webp:sharp", ["-sharp_yuv"]), ("webp:lossless", ["-lossless", "-exact"]),
      ("webp:lossless,method=6", ["-lossless", "-exact", "-m", "6"]),
    ])
  func bytesEqualThoseOfCwebp(variant: (spelling: String, arguments: [String])) throws {
    for quality in variant.spelling.contains("lossless") ? [75] : [0, 30, 75, 100] {
      try expectBytesOfCwebp(quality, variant.spelling, variant.arguments)
    }
  }

  private func expectBytesOfCwebp(_ quality: Int, _ spelling: String, _ arguments: [String]) throws {
    for layout in [ChannelLayout.rgb, .rgba] {
      let image = try #require(SyntheticImage.waves(width: 131, height: 77, layout: layout))
      let expected = try Self.tool.output(
        of: PNGWriter().write(image), named: "in.png", as: "out.webp",
        ["-quiet", "-q", "\(quality)"] + arguments + ["{in}", "-o", "{out}"])
      #expect(
        try registry.encode(image, spelling, native: quality) == expected, "\(quality), \(layout)")
    }
  }

  @Test(.enabled(if: tool.path != nil, "SKIPPED: cwebp (package webp) is not installed"))
  func aProfileIsWrittenAsCwebpWritesIt() throws {
    let profile = try #require(TestProfiles.displayP3)
    for layout in [ChannelLayout.rgb, .rgba] {
      let image = try #require(SyntheticImage.waves(width: 60, height: 45, layout: layout)).tagged(profile)
      for (spelling, arguments) in [("webp", [String]()), ("webp:lossless", ["-lossless", "-exact"])] {
        let expected = try Self.tool.output(
          of: PNGWriter().write(image), named: "in.png", as: "out.webp",
          ["-quiet", "-metadata", "icc"] + arguments + ["{in}", "-o", "{out}"])
        #expect(try registry.encode(image, spelling, native: 75) == expected, "\(layout) \(spelling)")
      }
    }
  }

  @Test(arguments: [ChannelLayout.rgb, .rgba]) func losslessIsExact(layout: ChannelLayout) throws {
    let image = try #require(SyntheticImage.waves(width: 97, height: 64, layout: layout))
    #expect(try WebPCodec().decode(registry.encode(image, "webp:lossless", native: 10)) == image)
  }

  /// WebP has no gray, so the file gets a profile for RGB with the same curve.
  @Test(arguments: [ChannelLayout.gray, .grayAlpha]) func aProfileForGrayBecomesOneForRGB(
    layout: ChannelLayout
  ) throws {
    let profile = try #require(TestProfiles.linearGray)
    let image = try #require(SyntheticImage.waves(width: 40, height: 30, layout: layout)).tagged(profile)
    let file = try registry.encode(image, "webp:lossless", native: 75)
    let decoded = try WebPCodec().decode(file)
    #expect(decoded.collapsedToGray().samples == image.samples)
    let isSameLight = try decoded.profile.hasLight(of: profile)
    #expect(isSameLight && decoded.profile.needsEmbedding)
    let source = try WebPReader().read(file, limits: ReadLimits())
    #expect(source.image.profile == decoded.profile && source.notes.isEmpty)
  }

  @Test func theReaderFindsWhatTheCodecWrote() throws {
    let profile = try #require(TestProfiles.displayP3)
    for (layout, spelling) in [
      (ChannelLayout.rgb, "webp"), (.rgba, "webp"), (.rgb, "webp:lossless"), (.rgba, "webp:lossless"),
    ] {
      for profile in [ColorProfile.sRGB, profile] {
        let image = try #require(SyntheticImage.waves(width: 61, height: 30, layout: layout)).tagged(profile)
        let file = try registry.encode(image, spelling, native: 80)
        let reader = try #require(registry.reader(for: Array(file.prefix(64))))
        let header = try reader.header(of: file)
        #expect(
          header
            == ImageHeader(
              format: "webp", width: 61, height: 30, bitDepth: 8, layout: layout,
              isLossy: spelling == "webp"))
        let source = try reader.read(file, limits: ReadLimits())
        #expect(source.image.format.layout == layout)
        #expect(source.image.profile == profile)
        #expect(throws: CodecError.self) { try reader.read(file, limits: ReadLimits(maximumPixels: 1829)) }
      }
    }
  }

  @Test(arguments: [(6, 1), (1, 6), (6, 8), (8, 3)])
  func theFirstOfTwoOrientationsCounts(first: UInt8, second: UInt8) throws {
    func chunk(_ orientation: UInt8) -> [UInt8] {
      Array("EXIF\u{1A}\0\0\0MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0".utf8)
        + [orientation, 0, 0, 0, 0, 0, 0]
    }
    let image = try #require(SyntheticImage.waves(width: 8, height: 8))
    let coded = try registry.encode(image, "webp", native: 80)
    let chunks = [UInt8]("VP8X".utf8) + [10, 0, 0, 0, 8, 0, 0, 0, 7, 0, 0, 7, 0, 0] + coded.dropFirst(12)
    let bytes = Array("RIFF\0\0\0\0WEBP".utf8) + chunks + chunk(first) + chunk(second)
    #expect(try WebPContainer(bytes).orientation == Orientation(rawValue: Int(first)))
  }

  @Test func tooLongASideIsUnsupported() throws {
    let image = try #require(SyntheticImage.waves(width: 16_384, height: 1))
    #expect { _ = try registry.encode(image, "webp", native: 50) } throws: { error in
      if case CodecError.unsupported = error { true } else { false }
    }
    let widest = try #require(SyntheticImage.waves(width: 16_383, height: 1))
    #expect(try WebPCodec().decode(registry.encode(widest, "webp", native: 50)).width == 16_383)
  }

  @Test func settingsThatExcludeEachOtherAreRefused() {
    #expect(throws: CodecError.self) { try registry.variant("webp:lossless,sharp") }
  }
}

/// The container is read without libwebp.
@Suite struct WebPContainerTests {
  @Test func brokenFilesAreErrors() {
    let start = Array("RIFF\u{20}\0\0\0WEBP".utf8)
    let files: [[UInt8]] = [
      [], Array("RIFF".utf8), start, start + Array("VP8 ".utf8),
      start + Array("VP8 \u{0A}\0\0\0".utf8) + [0, 0, 0, 0x9D, 0x01, 0x2A, 0, 0, 0, 0],
      start + Array("VP8L\u{05}\0\0\0".utf8) + [0x2E, 0, 0, 0, 0],
      start + Array("VP8X\u{0A}\0\0\0".utf8) + [UInt8](repeating: 0, count: 10),
      start + Array("VP8X".utf8) + [255, 255, 255, 255, 1, 2, 3],
    ]
    for file in files {
      #expect(throws: CodecError.self) { _ = try WebPReader().header(of: file) }
    }
  }

  @Test func anAnimationIsNamed() {
    let file =
      Array("RIFF\u{20}\0\0\0WEBPVP8X\u{0A}\0\0\0".utf8) + [2, 0, 0, 0, 9, 0, 0, 9, 0, 0]
      + Array("ANIM\u{06}\0\0\0".utf8) + [0, 0, 0, 0, 0, 0]
    #expect(throws: CodecError.unsupported("animated WebP")) { _ = try WebPReader().header(of: file) }
  }
}
