import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Lossy files decode into the colours that they state, without being clipped to sRGB.
@Suite(.enabled(if: OpenedLibrary.jpegXL.absence == nil, "SKIPPED: \(OpenedLibrary.jpegXL.absence ?? "")"))
struct JPEGXLProfileTests {
  private static let adobe = Chromaticities(
    red: Chromaticity(0.64, 0.33), green: Chromaticity(0.21, 0.71), blue: Chromaticity(0.15, 0.06),
    white: Chromaticities.d65)
  private static let proPhoto = Chromaticities(
    red: Chromaticity(0.7347, 0.2653), green: Chromaticity(0.1596, 0.8404),
    blue: Chromaticity(0.0366, 0.0001), white: Chromaticity(0.3457, 0.3585))

  /// Profiles that libjxl keeps as ICC profiles, and those that it restates.
  static let profiles: [(name: String, icc: [UInt8]?)] = [
    ("Adobe RGB", ColorProfiles.icc(primaries: adobe, transfer: .gamma(563.0 / 256))),
    ("ProPhoto", ColorProfiles.icc(primaries: proPhoto, transfer: .gamma(1.8))),
    ("Display P3", ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB)),
    ("BT.2020", ColorProfiles.icc(primaries: .bt2020, transfer: .sRGB)),
    ("power of 2.2", ColorProfiles.icc(primaries: .bt709, transfer: .gamma(2.2))),
    ("camera", ColorProfiles.icc(primaries: .bt709, transfer: .bt709)),
  ]
  static let grayProfiles: [(name: String, icc: [UInt8]?)] = [
    ("power of 2.2", ColorProfiles.grayICC(transfer: .gamma(2.2))),
    ("power of 1.8", ColorProfiles.grayICC(transfer: .gamma(1.8))),
    ("linear", ColorProfiles.grayICC(transfer: .linear)),
  ]

  /// The mean difference of samples on a scale of 8 bits.
  private func difference(_ one: RasterImage, _ other: RasterImage) throws -> Double {
    let samples = try [one, other].map { try $0.scaledDepth(to: 8).samples.eightBits() }
    #expect(samples[0].count == samples[1].count)
    let sum = zip(samples[0], samples[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(samples[0].count)
  }

  /// The loss of a picture by the codec and by the reader, and the decoded picture.
  private func loss(_ image: RasterImage) throws -> (loss: Double, decoded: RasterImage) {
    let file = try CodecRegistry.standard.encode(image, "jxl:effort=3", native: 95)
    let decoded = try JPEGXLCodec().decode(file)
    let read = try JPEGXLReader().read(file, limits: ReadLimits()).image
    #expect(decoded.format == image.format && read.samples == decoded.samples)
    #expect(try decoded.profile.hasLight(of: image.profile) && read.profile.hasLight(of: image.profile))
    return (try difference(image, decoded), decoded)
  }

  @Test(arguments: profiles, [(ChannelLayout.rgb, 8), (.rgba, 8), (.rgb, 16)])
  func wideColoursAreKept(profile: (name: String, icc: [UInt8]?), format: (layout: ChannelLayout, depth: Int))
    throws
  {
    let image = try #require(
      SyntheticImage.waves(width: 96, height: 64, layout: format.layout, bitDepth: format.depth))
    let control = try loss(image).loss
    let wide = try loss(image.tagged(.icc(try #require(profile.icc)))).loss
    #expect(wide < 1.6 * control + 0.5, "\(wide) levels, \(control) as sRGB")
  }

  @Test(arguments: grayProfiles) func grayIsKept(profile: (name: String, icc: [UInt8]?)) throws {
    let image = try #require(SyntheticImage.waves(width: 96, height: 64, layout: .gray))
    let control = try loss(image).loss
    let gray = try loss(image.tagged(.icc(try #require(profile.icc)))).loss
    #expect(gray < 1.6 * control + 1, "\(gray) levels, \(control) as sRGB")
  }

  /// Pure primaries lie far outside of sRGB.
  @Test(arguments: profiles) func primariesStayPure(profile: (name: String, icc: [UInt8]?)) throws {
    let bytes = (0..<64 * 48).flatMap { pixel -> [UInt8] in
      [[255, 0, 0], [0, 255, 0], [0, 0, 255]][pixel % 64 / 22]
    }
    let image = try #require(RasterImage(width: 64, height: 48, layout: .rgb, bytes: bytes))
    let loss = try loss(image.tagged(.icc(try #require(profile.icc)))).loss
    // With a power curve, dark samples change more than with sRGB's.
    #expect(loss < 6, "\(loss) levels")
  }

  @Test(arguments: profiles) func losslessIsExactWithItsProfile(profile: (name: String, icc: [UInt8]?)) throws
  {
    let image = try #require(SyntheticImage.waves(width: 48, height: 32)).tagged(
      .icc(try #require(profile.icc)))
    let file = try CodecRegistry.standard.encode(image, "jxl:lossless", native: 10)
    #expect(try JPEGXLCodec().decode(file).samples == image.samples)
  }
}
