import Foundation
import Model
import TestSupport
import Testing

@testable import Pixels

/// Light from tables for each channel, compared with Little CMS.
@Suite("Light by channels") struct ChannelLightTests {
  /// RGB spaces with matrix profiles, smaller and larger than sRGB's gamut.
  enum Space: String, CaseIterable {
    case displayP3, adobe, proPhoto, bt2020PQ

    var icc: [UInt8]? {
      switch self {
      case .displayP3: ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB)
      case .adobe:
        ColorProfiles.icc(
          primaries: Chromaticities(
            red: Chromaticity(0.64, 0.33), green: Chromaticity(0.21, 0.71), blue: Chromaticity(0.15, 0.06),
            white: Chromaticities.d65), transfer: .gamma(2.199_218_75))
      case .proPhoto:
        ColorProfiles.icc(
          primaries: Chromaticities(
            red: Chromaticity(0.7347, 0.2653), green: Chromaticity(0.1596, 0.8404),
            blue: Chromaticity(0.0366, 0.0001), white: Chromaticity(0.3457, 0.3585)), transfer: .gamma(1.8))
      case .bt2020PQ:
        TransferFunction(codePoint: 16).flatMap { ColorProfiles.icc(primaries: .bt2020, transfer: $0) }
      }
    }
  }

  private func noise(
    _ icc: [UInt8], depth: Int, layout: ChannelLayout = .rgb, width: Int = 300, height: Int? = nil
  ) throws -> RasterImage {
    var generator = SeededGenerator(seed: 5)
    let format = PixelFormat(layout: layout, bitDepth: depth)
    // Tables of 65,536 values are made only for pictures with more pixels than that.
    let height = height ?? (depth == 16 ? 250 : 40)
    let count = width * height * layout.channels
    let values = (0..<count).map { _ in UInt16.random(in: 0...UInt16(format.maximum), using: &generator) }
    return try #require(
      RasterImage(
        width: width, height: height, format: format, profile: .icc(icc),
        samples: depth == 8 ? .bytes(values.map { UInt8($0) }) : .words(values)))
  }

  /// Each pixel as converted by Little CMS.
  private func expected(_ image: RasterImage, _ icc: [UInt8]) throws -> [[Float]] {
    let (channels, full) = (image.format.layout.channels, Float(image.format.maximum))
    let samples: [Float] =
      switch image.samples {
      case .bytes(let bytes): bytes.map { Float($0) / full }
      case .words(let words): words.map { Float($0) / full }
      }
    let planes = (0..<3).map { plane in
      stride(from: image.format.layout.isGray ? 0 : plane, to: samples.count, by: channels).map {
        samples[$0]
      }
    }
    return try ColorTransform.toLinearSRGB(icc).convert(planes, to: 3)
  }

  private func farthest(_ image: RasterImage, _ icc: [UInt8]) throws -> Float {
    let (light, expected) = (try LinearLight(image), try expected(image, icc))
    var farthest: Float = 0
    for y in 0..<image.height {
      let planes = light.row(y).planes
      for (plane, x) in (0..<3).flatMap({ plane in (0..<image.width).map { (plane, $0) } }) {
        farthest = max(farthest, abs(planes[plane][x] - expected[plane][y * image.width + x]))
      }
    }
    return farthest
  }

  @Test("equals Little CMS’s for matrix profiles", arguments: Space.allCases, [8, 10, 16])
  func equal(space: Space, depth: Int) throws {
    let icc = try #require(space.icc)
    let transform = try ColorTransform.toLinearSRGB(icc)
    #expect(ChannelLight(transform, maximum: (1 << depth) - 1) != nil)
    #expect(try farthest(noise(icc, depth: depth), icc) < 1e-5)
    #expect(try farthest(noise(icc, depth: depth, layout: .rgba), icc) < 1e-5)
  }

  @Test(
    "equals Little CMS’s for phones’ own profiles",
    .enabled(if: SharedFolder.isPresent, .init(rawValue: SharedFolder.reason)),
    arguments: ["arrow.heic", "IMG_2927.HEIC", "Issue_437_dotnet.heic"])
  func agreesOnProfilesOfPhones(file: String) throws {
    let bytes = try SharedFolder.bytes("inputs/device/\(file)")
    // The profile is the rest of a box “colr” after its type.
    let mark = try #require(bytes.firstRange(of: Array("colrprof".utf8)))
    let size = bytes[(mark.lowerBound - 4)..<mark.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let icc = Array(bytes[mark.upperBound..<(mark.lowerBound - 4 + size)])
    #expect(ChannelLight(try ColorTransform.toLinearSRGB(icc), maximum: 255) != nil)
    #expect(try farthest(noise(icc, depth: 8), icc) < 1e-5)
  }

  @Test("comes from Little CMS if a profile has a table of colours", arguments: [8, 16])
  func tables(depth: Int) throws {
    let icc = LabTableProfile.bytes
    let transform = try ColorTransform.toLinearSRGB(icc)
    #expect(!transform.isOfMatrixProfile && ChannelLight(transform, maximum: 255) == nil)
    #expect(try farthest(noise(icc, depth: depth), icc) == 0)
    // Tables are recognized by their colours, not only by the profile's claim.
    guard let own = ICCProfile(icc),
      let linear = ColorProfiles.rgbProfile(primaries: .bt709, transfer: .linear),
      let posing = ColorTransform(
        from: own, .rgbFloats, to: linear, .rgbFloats, intent: 1, isOfMatrixProfile: true)
    else {
      Issue.record("no transform")
      return
    }
    #expect(ChannelLight(posing, maximum: 255) == nil)
  }

  @Test("converts back to the same samples", arguments: [Space.displayP3, .adobe, .proPhoto])
  func wayBack(space: Space) throws {
    let icc = try #require(space.icc)
    let image = try noise(icc, depth: 8)
    let samples = try image.samples.eightBits()
    let (light, encoder) = (try LinearLight(image), try LightEncoder(like: image))
    let back = (0..<image.height).flatMap { encoder.encode(light.row($0)) }
    #expect(samples.map { UInt16($0) } == back)
  }

  @Test("is converted back by Little CMS if floats cannot separate the darkest values")
  func darkest() throws {
    let transform = try ColorTransform.toLinearSRGB(try #require(Space.bt2020PQ.icc))
    #expect(ChannelSteps(transform) == nil)
  }

  @Test("is encoded like Little CMS does, within one step", arguments: [Space.displayP3, .adobe, .proPhoto])
  func encoded(space: Space) throws {
    let icc = try #require(space.icc)
    let image = try noise(icc, depth: 8)
    var generator = SeededGenerator(seed: 9)
    let planes = (0..<3).map { _ in (0..<5000).map { _ in Float(generator.unit() * 1.4 - 0.2) } }
    let row = LinearLight.Row(planes: planes, alpha: [Float](repeating: 1, count: 5000))
    let mine = try LightEncoder(like: image).encode(row)
    let theirs = try ColorTransform.fromLinearSRGB(icc).convert(planes, to: 3)
    for index in 0..<5000 {
      for plane in 0..<3 {
        let value = min(max(theirs[plane][index], 0), 1) * 255
        #expect(abs(Float(mine[index * 3 + plane]) - value) <= 0.51)
      }
    }
  }

  @Test("survives values that are not numbers") func numbers() throws {
    let icc = try #require(Space.displayP3.icc)
    let image = try noise(icc, depth: 8)
    let odd: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.0]
    let row = LinearLight.Row(planes: [odd, odd, odd], alpha: odd)
    #expect(try LightEncoder(like: image).encode(row).allSatisfy { $0 <= 255 })
  }

  @Test("is computed once for all moves", arguments: [ReductionFilter.area, .lanczos])
  func moves(filter: ReductionFilter) throws {
    let icc = try #require(Space.displayP3.icc)
    for image in [
      try noise(icc, depth: 8, width: 90, height: 70),
      try noise(icc, depth: 16, layout: .rgba, width: 40, height: 30),
    ] {
      let moves = try MovedReductions(image, width: 20, height: 11, by: filter)
      for x in [-1, 0, 0.25] {
        let expected = try [-0.5, 0, 1].map {
          try image.reduced(toWidth: 20, height: 11, by: filter, movedBy: (x, $0))
        }
        var column = moves.moved(x: x)
        #expect([-0.5, 0, 1].map { column.rows(0..<11, y: $0) } == expected)
        #expect(
          column.rows(3..<7, y: 1) == expected[2].cropped(to: PixelRegion(x: 0, y: 3, width: 20, height: 4)))
      }
      #expect(throws: PixelError.self) { try MovedReductions(image, width: 91, height: 2, by: filter) }
    }
  }
}

/// An RGB profile with a table of two values for each channel, in CIE Lab, between which light is not additive: ICC.1,
/// 10.10 (lut8Type).
private enum LabTableProfile {
  static var bytes: [UInt8] {
    var table: [UInt8] = ascii("mft1") + [0, 0, 0, 0, 3, 3, 2, 0]
    for value in [1, 0, 0, 0, 1, 0, 0, 0, 1] as [UInt32] { table += big(value << 16) }
    let ramp = (0...255).map { UInt8($0) }
    table += ramp + ramp + ramp
    for (r, g, b) in [0, 1].flatMap({ r in [0, 1].flatMap { g in [0, 1].map { (r, g, $0) } } }) {
      table += [
        UInt8(r * 70 + g * 130 + b * 55), UInt8(128 + r * 60 - g * 70 + b * 10),
        UInt8(128 + r * 40 + g * 20 - b * 60),
      ]
    }
    table += ramp + ramp + ramp
    while table.count % 4 != 0 { table.append(0) }
    let white: [UInt8] = ascii("XYZ ") + [0, 0, 0, 0] + big(0xf6d6) + big(0x10000) + big(0xd32d)
    let start = UInt32(128 + 4 + 2 * 12)
    let tags =
      big(2) + ascii("A2B0") + big(start) + big(UInt32(table.count)) + ascii("wtpt")
      + big(start + UInt32(table.count)) + big(UInt32(white.count))
    let size = 128 + tags.count + table.count + white.count
    var header = [UInt8](repeating: 0, count: 128)
    func put(_ bytes: [UInt8], at place: Int) {
      header.replaceSubrange(place..<place + bytes.count, with: bytes)
    }
    put(big(UInt32(size)), at: 0)
    put([2, 0x40], at: 8)
    put(ascii("mntrRGB Lab "), at: 12)
    put(ascii("acsp"), at: 36)
    put(big(0xf6d6) + big(0x10000) + big(0xd32d), at: 68)
    return header + tags + table + white
  }

  private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
  private static func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
