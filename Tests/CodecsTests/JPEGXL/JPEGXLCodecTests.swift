import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

@Suite(.enabled(if: OpenedLibrary.jpegXL.absence == nil, "SKIPPED: \(OpenedLibrary.jpegXL.absence ?? "")"))
struct JPEGXLCodecTests {
  private static let tool = OutsideTool("cjxl")
  private let registry = CodecRegistry.standard

  /// The file that cjxl makes from an image. Our files do not state the rendering intent, which cjxl needs as an
  /// option.
  private func cjxl(_ image: RasterImage, _ arguments: [String]) throws -> [UInt8] {
    guard case .bytes(let samples) = image.samples else { return [] }
    let (layout, isGray) = (image.format.layout, image.format.layout.isGray)
    let kind = ["", "GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"][layout.channels]
    let header = """
      P7
      WIDTH \(image.width)
      HEIGHT \(image.height)
      DEPTH \(layout.channels)
      MAXVAL 255
      TUPLTYPE \(kind)
      ENDHDR

      """
    let colours = "color_space=\(isGray ? "Gra_D65_Rel_SRG" : "RGB_D65_SRG_Rel_SRG")"
    return try Self.tool.output(
      of: Array(header.utf8) + samples, named: "in.pam", as: "out.jxl",
      ["--quiet", "--num_threads=0", "-x", colours] + arguments + ["{in}", "{out}"])
  }

  @Test(
    .enabled(if: tool.path != nil, "SKIPPED: cjxl (package libjxl-tools) is not installed"),
    arguments: [("jxl", "7"), ("jxl:effort=3", "3"), ("jxl:effort=1", "1")], [30, 75, 90])
  func bytesEqualThoseOfCjxl(variant: (spelling: String, effort: String), quality: Int) throws {
    let distance = JPEGXLCodec.distance(forQuality: quality)
    for layout in ChannelLayout.allCases {
      let image = try #require(SyntheticImage.waves(width: 131, height: 77, layout: layout))
      let expected = try cjxl(image, ["-e", variant.effort, "-d", "\(distance)"])
      #expect(try registry.encode(image, variant.spelling, native: quality) == expected, "\(layout)")
    }
  }

  @Test(.enabled(if: tool.path != nil, "SKIPPED: cjxl (package libjxl-tools) is not installed"))
  func losslessBytesEqualThoseOfCjxl() throws {
    for layout in ChannelLayout.allCases {
      let image = try #require(SyntheticImage.waves(width: 131, height: 77, layout: layout))
      let expected = try cjxl(image, ["-d", "0"])
      #expect(try registry.encode(image, "jxl:lossless", native: 10) == expected, "\(layout)")
    }
  }

  @Test(arguments: ChannelLayout.allCases, [8, 10, 12, 16])
  func losslessIsExact(layout: ChannelLayout, depth: Int) throws {
    let image = try #require(SyntheticImage.waves(width: 97, height: 64, layout: layout, bitDepth: depth))
    #expect(try JPEGXLCodec().decode(registry.encode(image, "jxl:lossless", native: 10)) == image)
  }

  @Test(arguments: ChannelLayout.allCases, [8, 10, 16])
  func theReaderFindsWhatTheCodecWrote(layout: ChannelLayout, depth: Int) throws {
    for (spelling, size) in [("jxl", (61, 30)), ("jxl:lossless", (320, 240)), ("jxl", (1, 700))] {
      let image = try #require(
        SyntheticImage.waves(width: size.0, height: size.1, layout: layout, bitDepth: depth))
      let file = try registry.encode(image, spelling, native: 80)
      let reader = try #require(registry.reader(for: Array(file.prefix(64))))
      #expect(
        try reader.header(of: file)
          == ImageHeader(
            format: "jxl", width: size.0, height: size.1, bitDepth: depth, layout: layout,
            isLossy: spelling == "jxl"))
      let source = try reader.read(file, limits: ReadLimits())
      #expect(source.image.format == PixelFormat(layout: layout, bitDepth: depth))
      #expect(source.image.profile == .sRGB)
      #expect(throws: CodecError.self) {
        try reader.read(file, limits: ReadLimits(maximumPixels: size.0 * size.1 - 1))
      }
    }
  }

  @Test func aTruncatedFileIsAnError() throws {
    let image = try #require(SyntheticImage.waves(width: 200, height: 150))
    let file = try registry.encode(image, "jxl", native: 80)
    for length in [2, 10, file.count / 2, file.count - 8] {
      #expect(throws: CodecError.self, "\(length)") {
        _ = try JPEGXLReader().read(Array(file.prefix(length)), limits: ReadLimits())
      }
    }
  }
}

/// The header is read without libjxl.
@Suite struct JPEGXLHeaderTests {
  @Test func qualityIsDistance() {
    #expect(JPEGXLCodec.distance(forQuality: 100) == 0.1)
    #expect(abs(JPEGXLCodec.distance(forQuality: 90) - 1) < 1e-6)
    #expect(JPEGXLCodec.distance(forQuality: 0) == 25)
    let all = (0...100).map(JPEGXLCodec.distance)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func brokenFilesAreErrors() {
    let boxes = JPEGXLHeader.signature
    let files: [[UInt8]] = [
      [], [0xFF], [0xFF, 0x0A], [0xFF, 0x0A, 0], boxes, boxes + [0, 0, 0, 0],
      boxes + [0, 0, 0, 1] + Array("jxlc".utf8) + [255, 255, 255, 255, 255, 255, 255, 255],
      boxes + [0, 0, 0, 3] + Array("jxlc".utf8), boxes + [0, 0, 0, 12] + Array("jxlp".utf8) + [0, 0, 0, 0],
    ]
    for file in files {
      #expect(throws: CodecError.self) { _ = try JPEGXLReader().header(of: file) }
    }
  }

  @Test func randomHeadersNeverTrap() {
    var generator = SeededGenerator(seed: 11)
    var headers: [ImageHeader] = []
    for _ in 0..<20_000 {
      let bytes = [0xFF, 0x0A] + (0..<24).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if let header = try? JPEGXLReader().header(of: bytes) { headers.append(header) }
    }
    #expect((1..<20_000).contains(headers.count))
    #expect(headers.allSatisfy { $0.width > 0 && $0.height > 0 && (1...16).contains($0.bitDepth) })
  }
}
