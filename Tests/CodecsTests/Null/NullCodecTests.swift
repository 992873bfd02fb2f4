import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

@Suite struct NullCodecTests {
  private let codec = NullCodec()

  private func settings(_ spelling: String, _ quality: String) throws -> EncodeSettings {
    EncodeSettings(
      variant: try CodecRegistry.standard.variant(spelling), quality: try #require(Quality(quality)),
      traits: codec.traits)
  }

  @Test func fullQualityIsLossless() throws {
    let image = try #require(SyntheticImage.waves(width: 13, height: 7, layout: .rgba, bitDepth: 12))
    #expect(try codec.decode(try codec.encode(image, settings("null", "1"))) == image)
  }

  @Test func everyQualityHasItsOwnSize() throws {
    let image = try #require(SyntheticImage.waves(width: 3, height: 400))
    let sizes = try (1...100).map { quality in
      let settings = EncodeSettings(
        variant: CodecVariant(codec: "null"), quality: try #require(Quality(native: quality)),
        traits: codec.traits)
      return try codec.encode(image, settings).count
    }
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func anErrorCanBeAskedFor() throws {
    let image = try #require(SyntheticImage.waves(width: 3, height: 3))
    #expect(throws: CodecError.library(name: "null", message: "requested fault")) {
      try codec.encode(image, settings("null:fault=error", "0.5"))
    }
    #expect(codec.traits.isHidden)
  }

  @Test func aSmallFileCannotAskForALargeImage() throws {
    let image = try #require(RasterImage(width: 1, height: 1, layout: .gray, bytes: [1]))
    var bytes = try codec.encode(image, settings("null", "1"))
    bytes[8] = 0x7F
    #expect(throws: CodecError.self) { try codec.decode(bytes) }
  }
}
