import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

struct AVIFCodecTests {
  let codec = AVIFCodec()

  @Test(arguments: awkwardSizes, ChannelLayout.allCases)
  func keepsSizeAndChannels(size: (Int, Int), layout: ChannelLayout) throws {
    let image = try #require(SyntheticImage.waves(width: size.0, height: size.1, layout: layout))
    let decoded = try roundTrip(image, through: codec, native: 90)
    #expect((decoded.width, decoded.height) == size)
    #expect(decoded.format == image.format)
    #expect(meanDifference(image, decoded) < 0.06)
  }

  @Test(arguments: ChannelLayout.allCases)
  func losesNothingWhenLossless(layout: ChannelLayout) throws {
    let image = try #require(SyntheticImage.waves(width: 101, height: 70, layout: layout))
    let decoded = try roundTrip(image, through: codec, native: 50, ["lossless": "true"])
    #expect(decoded == image)
  }

  @Test func encodesTwelveBits() throws {
    let image = try #require(SyntheticImage.waves(width: 96, height: 64, bitDepth: 12))
    let decoded = try roundTrip(image, through: codec, native: 95, ["depth": "12", "chroma": "444"])
    #expect(decoded.format == image.format)
    #expect(meanDifference(image, decoded) < 0.02)
  }

  /// aom would end the process with libheif 1.15.1, so nothing may get that far.
  @Test func eitherEncodesOrRefusesTenBits() throws {
    let image = try #require(SyntheticImage.waves(width: 96, height: 64, bitDepth: 10))
    do {
      let decoded = try roundTrip(image, through: codec, native: 95, ["depth": "10", "chroma": "444"])
      #expect(decoded.format == image.format)
    } catch let error as CodecError {
      #expect("\(error)".contains("libheif before 1.15.2"))
    }
  }

  @Test func isFasterOrSmallerBySpeed() throws {
    let image = try #require(SyntheticImage.waves(width: 200, height: 150))
    let files = try ["4", "9"].map { try codec.encode(image, settings(of: codec, native: 60, ["speed": $0])) }
    #expect(files[0] != files[1])
  }

  /// Qualities 49 and 50 have the same quantiser in libheif, and different ones in libavif 1.4 with tune=iq.
  @Test func knowsNoEqualQualitiesOfABuild() {
    let ours = codec.lowestQuality(like: 50, CodecVariant(codec: "avif", settings: ["tune": "ssim"]))
    let builds = codec.lowestQuality(like: 50, CodecVariant(codec: "avif", build: "av"))
    #expect(ours == 49 && builds == 50)
  }

  @Test func stepsDependOnTheTuneSinceLibheif122() {
    let tunes = ["auto", "iq", "ssim", "psnr"]
    #expect(tunes.map { AVIFCodec.hasEvenSteps($0, 0x0115_0200) } == [true, true, true, true])
    #expect(tunes.map { AVIFCodec.hasEvenSteps($0, 0x0116_0000) } == [false, false, true, true])
  }

  /// Where libheif has only rav1e or SVT-AV1, it would use that under aom's name and with aom's settings.
  @Test func asksForAomByName() throws {
    #expect(try codec.encoding(settings(of: codec, native: 50)).encoder == "aom")
  }

  @Test func namesItsLibraries() {
    let libraries = codec.traits.libraries
    #expect(libraries.prefix(2).map(\.name) == ["libheif", "aom"])
    #expect(libraries.allSatisfy { $0.version.first?.isNumber == true })
  }
}
