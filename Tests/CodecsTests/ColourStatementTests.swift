import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// A statement of colour means the same in every container.
struct ColourStatementTests {
  private static let tool = OutsideTool("cjxl")

  /// A statement as each container spells it, nil if it cannot, and the profile's title.
  struct Statement: CustomTestStringConvertible, Sendable {
    var points: (primaries: Int, transfer: Int)?
    var gamma: UInt32?
    var primaries: [UInt32]?
    var jxl: String?
    var title: String

    var testDescription: String { "\(points.map { "\($0)" } ?? "") \(gamma ?? 0) \(jxl ?? "")" }
  }

  private static let p3: [UInt32] = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000]
  private static let bt2020: [UInt32] = [31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600]

  static let statements: [Statement] = [
    Statement(points: (1, 13), gamma: 45455, jxl: "RGB_D65_SRG_Rel_SRG", title: "sRGB"),
    // The camera's curve, which viewers show as sRGB's.
    Statement(points: (1, 1), jxl: "RGB_D65_SRG_Rel_709", title: "sRGB"),
    Statement(points: (1, 6), title: "sRGB"), Statement(points: (1, 14), title: "sRGB"),
    Statement(points: (1, 15), title: "sRGB"), Statement(points: (1, 11), title: "sRGB"),
    Statement(points: (9, 1), title: "RGB BT.2020, sRGB"),
    Statement(points: (9, 14), title: "RGB BT.2020, sRGB"),
    // gAMA 45455, as encoders write it.
    Statement(points: (1, 4), gamma: 45455, jxl: "RGB_D65_SRG_Rel_g0.45455", title: "sRGB"),
    Statement(points: (12, 4), gamma: 45455, primaries: p3, title: "RGB Display P3, sRGB"),
    Statement(points: (1, 5), gamma: 35714, jxl: "RGB_D65_SRG_Rel_g0.35714", title: "RGB BT.709, gamma 2.8"),
    Statement(points: (1, 7), title: "RGB BT.709, SMPTE 240M"),
    Statement(points: (1, 8), gamma: 100_000, jxl: "RGB_D65_SRG_Rel_Lin", title: "RGB BT.709, linear"),
    Statement(
      points: (9, 8), gamma: 100_000, primaries: bt2020, jxl: "RGB_D65_202_Rel_Lin",
      title: "RGB BT.2020, linear"),
    Statement(
      points: (12, 13), primaries: p3, jxl: "RGB_D65_DCI_Rel_SRG", title: "RGB Display P3, sRGB"),
    Statement(points: (1, 17), gamma: 38462, jxl: "RGB_D65_SRG_Rel_DCI", title: "RGB BT.709, gamma 2.6"),
    Statement(gamma: 55556, jxl: "RGB_D65_SRG_Rel_g0.55556", title: "RGB BT.709, gamma 1.8"),
    Statement(
      points: (11, 13), jxl: "RGB_DCI_DCI_Rel_SRG", title: "RGB r 0.68 0.32 g 0.265 0.69 b 0.15 0.06, sRGB"),
    Statement(points: (5, 13), title: "RGB r 0.64 0.33 g 0.29 0.6 b 0.15 0.06, sRGB"),
    Statement(points: (6, 13), title: "RGB r 0.63 0.34 g 0.31 0.595 b 0.155 0.07, sRGB"),
    Statement(points: (7, 13), title: "RGB r 0.63 0.34 g 0.31 0.595 b 0.155 0.07, sRGB"),
    Statement(points: (4, 13), title: "RGB r 0.67 0.33 g 0.21 0.71 b 0.14 0.08, sRGB"),
    Statement(points: (22, 13), title: "RGB r 0.63 0.34 g 0.295 0.605 b 0.155 0.077, sRGB"),
    // Unspecified parts count as sRGB's, and the rest is used as stated.
    Statement(points: (2, 2), title: "sRGB"), Statement(points: (1, 2), title: "sRGB"),
    Statement(points: (2, 1), title: "sRGB"), Statement(points: (2, 8), title: "RGB BT.709, linear"),
    Statement(points: (12, 2), title: "RGB Display P3, sRGB"),
    Statement(points: (9, 2), title: "RGB BT.2020, sRGB"),
  ]

  @Test(arguments: statements) func everyContainerMeansTheSame(statement: Statement) throws {
    for (container, file) in try files(statement) {
      let reader = try #require(CodecRegistry.standard.reader(for: file))
      let profile = try reader.read(file, limits: ReadLimits()).image.profile
      #expect(profile.title == statement.title, "\(container)")
      // The bytes are equal, so no metric converts between them.
      if let points = statement.points {
        let expected = ColorProfiles.profile(
          primaries: points.primaries, transfer: points.transfer, for: .rgb)
        let isEqual = profile == expected
        #expect(isEqual, "\(container)")
      }
    }
  }

  /// Gray has no primaries.
  @Test(
    arguments: [
      ([("cICP", [9, 8, 0, 1])], "Gray linear"), ([("gAMA", PNGFile.bytes(100_000))], "Gray linear"),
      ([("cICP", [9, 14, 0, 1])], "sRGB"), ([("cICP", [4, 4, 0, 1])], "sRGB"),
      ([("gAMA", PNGFile.bytes(45_455))], "sRGB"),
    ] as [([(name: String, body: [UInt8])], String)])
  func grayMeansTheSame(chunks: [(name: String, body: [UInt8])], title: String) throws {
    let file = try PNGFile.with(chunks, layout: .gray)
    #expect(try PNGReader().read(file, limits: ReadLimits()).image.profile.title == title)
  }

  /// A power with more digits than gAMA has is an ICC profile's, which libjxl restates.
  @Test func exactPowersStayPowers() throws {
    #expect(TransferFunction(gamma: 0.45455) == .sRGB)
    #expect(TransferFunction(gamma: 1 / 2.2) == .gamma(2.2))
    #expect(TransferFunction(gamma: 256.0 / 563) == .gamma(2.1992))
    #expect(TransferFunction(gamma: 0) == nil && TransferFunction(gamma: .nan) == nil)
  }

  // MARK: Files

  private static let base = Result {
    let image = try #require(SyntheticImage.waves(width: 48, height: 32))
    let profile = try #require(TestProfiles.displayP3)
    return [
      "heic": try CodecRegistry.standard.encode(image.tagged(profile), "heic:preset=ultrafast", native: 60),
      "avif": try CodecRegistry.standard.encode(image.tagged(profile), "avif:speed=9", native: 60),
    ]
  }

  private func files(_ statement: Statement) throws -> [(container: String, file: [UInt8])] {
    var files: [(String, [UInt8])] = []
    if let (primaries, transfer) = statement.points {
      let bytes = [UInt8(primaries), UInt8(transfer)]
      files.append(("cICP", try PNGFile.with([("cICP", bytes + [0, 1])])))
      for (format, file) in try Self.base.get() {
        files.append((format, try Self.stating(primaries, transfer, in: file)))
      }
    }
    let gamma = statement.gamma.map { [("gAMA", PNGFile.bytes($0))] } ?? []
    let primaries = statement.primaries.map { [("cHRM", $0.flatMap(PNGFile.bytes))] } ?? []
    if !(gamma + primaries).isEmpty { files.append(("gAMA, cHRM", try PNGFile.with(gamma + primaries))) }
    if let spelling = statement.jxl, Self.tool.path != nil, OpenedLibrary.jpegXL.absence == nil {
      for quality in ["0", "1"] {
        files.append(("JPEG XL \(quality)", try Self.jxl(spelling, distance: quality)))
      }
    }
    return files
  }

  /// A HEIF file with other code points in its colour boxes.
  private static func stating(_ primaries: Int, _ transfer: Int, in file: [UInt8]) throws -> [UInt8] {
    var file = file
    let places = file.ranges(of: Array("colrnclx".utf8))
    try #require(!places.isEmpty)
    for place in places {
      file.replaceSubrange(
        place.upperBound..<place.upperBound + 4, with: [0, UInt8(primaries), 0, UInt8(transfer)])
    }
    return file
  }

  private static func jxl(_ colours: String, distance: String) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: 48, height: 32))
    guard case .bytes(let samples) = image.samples else { return [] }
    return try tool.output(
      of: Array("P6 48 32 255\n".utf8) + samples, named: "in.ppm", as: "out.jxl",
      ["--quiet", "-x", "color_space=" + colours, "-d", distance, "-e", "3", "{in}", "{out}"])
  }

  /// Without a colour box, the headers of the coded image count. As in viewers, a box counts even if it leaves
  /// everything unspecified.
  @Test(arguments: [(12, 13), (9, 8)]) func headersOfTheStreamCount(points: (Int, Int)) throws {
    let profile = try #require(ColorProfiles.profile(primaries: points.0, transfer: points.1, for: .rgb))
    let image = try #require(SyntheticImage.waves(width: 48, height: 32)).tagged(profile)
    var file = try CodecRegistry.standard.encode(image, "avif:speed=9", native: 60)
    let unspecified = try Self.stating(2, 2, in: file)
    #expect(try HEIFReader().read(unspecified, limits: ReadLimits()).image.profile == .sRGB)
    for place in file.ranges(of: Array("colrnclx".utf8)) {
      file.replaceSubrange(place.lowerBound..<place.lowerBound + 4, with: Array("skip".utf8))
    }
    #expect(try HEIFReader().read(file, limits: ReadLimits()).image.profile.title == profile.title)
  }

  /// Files from public reports, with identical samples and the same statement.
  @Test(
    .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"),
    arguments: [
      ("codepoints/cicp-1-1.png", "codepoints/nclx-1-1.avif"),
      ("gamma/gama45455.png", "gamma/cjxl-lossless.jxl"),
    ])
  func filesOfReportsAreEqual(one: String, other: String) throws {
    let images = try [one, other].map { name in
      let bytes = try SharedFolder.bytes("field/" + name)
      let reader = try #require(CodecRegistry.standard.reader(for: bytes))
      return try reader.read(bytes, limits: ReadLimits()).image
    }
    #expect(images[0] == images[1])
  }
}
