import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Files with a gain map, written by the codecs and read back by the project's own readers.
struct GainMapCodecTests {
  private static let registry = CodecRegistry.standard
  private static let limits = ReadLimits(maximumPixels: 1_000_000)

  /// Smooth light from 2 to 800 cd/m², brightest in the middle, slightly coloured.
  private static func light(_ width: Int, _ height: Int, _ layout: ChannelLayout = .rgb) throws -> RasterImage
  {
    let transform = HDRTransform(.pq, maximum: 65535)
    let samples = (0..<(width * height)).flatMap { place in
      let (x, y) = (Double(place % width) / Double(width) - 0.5, Double(place / width) / Double(height) - 0.5)
      let white = 2 + 798 * exp(-12 * (x * x + y * y))
      let code = transform.encoded(
        SIMD3<Float>(SIMD3(1, 0.9, 0.75 + x / 4) * white / HDRLight.referenceWhite))
      return (0..<layout.channels).map { UInt16((code[$0] * 65535).rounded()) }
    }
    return try #require(
      RasterImage(
        width: width, height: height, format: PixelFormat(layout: layout, bitDepth: 16), profile: .light(.pq),
        samples: .words(samples)))
  }

  private static func encode(_ image: RasterImage, _ spelling: String) throws -> [UInt8] {
    let variant = try registry.variant(spelling)
    let codec = try #require(registry.codec(variant.codec))
    return try codec.encode(image, EncodeSettings(variant: variant, quality: 0.95, traits: codec.traits))
  }

  /// The mean distance of two pictures' PQ codes, as a share of the full range.
  private func distance(_ one: RasterImage, _ other: RasterImage) -> Double {
    let isComparable = one.format == other.format && one.format.maximum == 65535
    return isComparable && one.samples.count == other.samples.count ? one.distance(to: other) : 1
  }

  static let files = [
    "jpeg:gainmap=1/1", "jpeg:gainmap=1/2", "jpeg:gainmap=1/4,map-channels=3", "heic:gainmap=1/1",
    "heic:gainmap=1/2,map-channels=3", "heic:gainmap=1/4,depth=10", "avif:gainmap=1/1", "avif:gainmap=1/4",
  ]

  @Test(
    .enabled(if: CodecRegistry.standard.codec("heic")?.traits.absence == nil, "libheif is not installed"),
    arguments: files, [(160, 128), (161, 129)])
  func aFileDecodesToTheLightThatItWasMadeOf(spelling: String, size: (Int, Int)) throws {
    let image = try Self.light(size.0, size.1)
    let file = try Self.encode(image, spelling)
    let codec = try #require(Self.registry.codec(String(spelling.prefix(4))))
    let decoded = try codec.decode(file)
    #expect((decoded.width, decoded.height, decoded.profile) == (size.0, size.1, .light(.pq)))
    #expect(distance(image, decoded) < 0.008, "\(distance(image, decoded))")

    let parts = try #require(try GainMapFile(file))
    #expect(parts.kinds == (spelling.hasPrefix("jpeg") ? [.iso, .ultraHDR] : [.iso]))
    #expect(parts.mapChannels == (spelling.contains("map-channels=3") ? 3 : 1))
    let share = Double(String(spelling.split(separator: "/")[1].prefix(1))) ?? 0
    #expect(abs(parts.scale - share) < 0.25, "\(parts.scale)")
    // The brightest red, or the luminance.
    let peak = parts.mapChannels == 3 ? 800 : 800 * (0.2126 + 0.7152 * 0.9 + 0.0722 * 0.75)
    #expect(abs(parts.metadata.maximumHeadroom - log2(peak / HDRLight.referenceWhite)) < 0.02)

    let base = try #require(try codec.gainMapBase(of: file))
    #expect((base.bytes, base.mapBytes) == (parts.sizes.base, parts.sizes.map))
    #expect(base.bytes + base.mapBytes < file.count)
    // Readers without gain maps show the base.
    let shown = try #require(Self.registry.reader(for: file)).read(file, limits: Self.limits).image
    #expect(shown.samples == base.picture.samples && base.picture.format.bitDepth <= 10)
    guard case .bytes(let a) = shown.scaledDepth(to: 8).samples, case .bytes(let b) = image.forScreen.samples
    else {
      Issue.record("a base has 8 bits")
      return
    }
    #expect(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } < 3 * a.count)
  }

  /// JPEG whose pictures are all decoded to black.
  private struct BlackJPEG: ImageCodec {
    let traits = JPEGCodec().traits

    func support(for variant: CodecVariant) -> PixelSupport { JPEGCodec().support(for: variant) }
    func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
      try JPEGCodec().encode(image, settings)
    }
    func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
      let image = try JPEGCodec().decode(bytes)
      let black = [UInt8](repeating: 0, count: image.samples.count)
      return RasterImage(
        width: image.width, height: image.height, layout: image.format.layout, bytes: black) ?? image
    }
  }

  /// The decoder of a codec, such as a build's libavif, also decodes its files with gain maps.
  @Test func theCodecItselfDecodesBaseAndMap() throws {
    let file = try Self.encode(Self.light(64, 48), "jpeg:gainmap=1/2")
    let codec = GainMapCodec(BlackJPEG(), .jpeg)
    let base = try #require(try codec.gainMapBase(of: file)).picture
    #expect(base.samples == .bytes([UInt8](repeating: 0, count: 64 * 48 * 3)))
    let usual = try #require(Self.registry.codec("jpeg")).decode(file)
    #expect(try codec.decode(file) != usual)
  }

  @Test func aFullSizedMapIsNearerThanASmallOne() throws {
    let image = try Self.light(160, 128)
    let codec = try #require(Self.registry.codec("jpeg"))
    let shares = try ["1/1", "1/4"].map { share in
      distance(image, try codec.decode(Self.encode(image, "jpeg:gainmap=\(share),map-quality=100")))
    }
    #expect(shares[0] < shares[1], "\(shares)")
  }

  @Test func grayAndTinyPicturesHaveMapsToo() throws {
    let codec = try #require(Self.registry.codec("jpeg"))
    for (width, height, layout) in [(1, 1, ChannelLayout.rgb), (3, 2, .rgb), (64, 48, .gray)] {
      let file = try Self.encode(Self.light(width, height, layout), "jpeg:gainmap=1/4")
      let decoded = try codec.decode(file)
      #expect((decoded.width, decoded.height) == (width, height))
    }
  }

  @Test func aJPEGFileSaysThePlaceOfItsMapThreeTimes() throws {
    let file = try Self.encode(Self.light(64, 48), "jpeg:gainmap=1/2,map-channels=3")
    // JFIF's segment comes first.
    #expect(file.prefix(4) == [0xFF, 0xD8, 0xFF, 0xE0])
    let contents = JPEGContents(file)
    let map = try #require(contents.gainMap)
    #expect(map.file.indices.upperBound == file.count)
    #expect(contents.first.pictures.map(\.start) == [map.file.indices.lowerBound])
    #expect(contents.first.end == map.file.indices.lowerBound)
    #expect(contents.first.xmp[0].text.contains("Item:Length=\"\(map.file.indices.count)\""))
    #expect(contents.first.xmp[0].semantics == ["GainMap"])
    // XMP and ISO metadata contain the same numbers.
    let iso = try GainMapMetadata(iso: #require(map.picture.isoMetadata))
    let xmp = try #require(try GainMapMetadata(ultraHDR: map.picture.xmp[0]))
    #expect(abs(iso.alternateHeadroom - xmp.alternateHeadroom) < 1e-6)
    #expect(Set(iso.channels.map(\.maximum)).count == 3)
    for (a, b) in zip(iso.channels, xmp.channels) {
      #expect(abs(a.minimum - b.minimum) < 1e-6 && abs(a.maximum - b.maximum) < 1e-6)
      #expect((a.gamma, a.baseOffset, a.alternateOffset) == (b.gamma, b.baseOffset, b.alternateOffset))
    }
  }

  @Test func metadataComeBackFromTheirBytes() throws {
    var channels = [GainMapMetadata.Channel(), .init(), .init()]
    (channels[0].minimum, channels[1].maximum, channels[2].gamma) = (-1.5, 3.25, 0.5)
    (channels[1].baseOffset, channels[2].alternateOffset) = (0.125, -0.25)
    for (channels, bytes) in [(channels, 5 + 16 + 120), ([channels[0]], 5 + 16 + 40)] {
      for usesBase in [true, false] {
        let metadata = try GainMapMetadata(
          .iso, channels: channels, baseHeadroom: 0.5, alternateHeadroom: 2.75, usesBaseColours: usesBase)
        #expect(metadata.isoBytes.count == bytes)
        #expect(try GainMapMetadata(iso: metadata.isoBytes[...]) == metadata)
      }
    }
  }

  @Test func picturesOfSDRAreRefused() throws {
    let image = try #require(SyntheticImage.waves(width: 16, height: 16, layout: .rgb, seed: 1))
    #expect(throws: CodecError.unsupported("a gain map needs HDR light, which this picture does not have")) {
      try Self.encode(image, "jpeg:gainmap=1/2")
    }
    let codec = try #require(Self.registry.codec("jpeg"))
    #expect(try codec.gainMapBase(of: Self.encode(image, "jpeg")) == nil)
    let support = codec.support(for: try Self.registry.variant("jpeg:gainmap=1/2"))
    #expect(support.maximumBitDepth == 16 && !support.alpha)
  }
}
