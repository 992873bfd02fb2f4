import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// What the codecs' own tools keep of what a JPEG file holds: the ground of `ConversionFate` in Reports. A later
/// release that keeps more is found here.
struct ConversionToolTests {
  private static let all: Set<FileContents.Kind> = [
    .exif, .exifThumbnail, .xmp, .iptc, .icc, .gainMap, .comment,
  ]

  /// A photograph with everything that is told apart in it.
  private static func photograph() throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: 64, height: 48, seed: 3))
    let picture = try CodecRegistry.standard.encode(image, "jpeg", native: 85)
    var map = SegmentedJPEG(picture: picture)
    map.segments = [SegmentedJPEG.xmp("hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\"")]
    var file = SegmentedJPEG(picture: picture, tail: map.bytes)
    let profile = try #require(TestProfiles.displayP3?.iccBytes)
    file.segments = [
      SegmentedJPEG.exif(thumbnail: picture), SegmentedJPEG.xmp("<dc:title>x</dc:title>"),
      SegmentedJPEG.profile(profile, 1, of: 1),
      SegmentedJPEG.segment(0xED, Array("Photoshop 3.0\08BIM".utf8)),
      SegmentedJPEG.comment("hello"),
    ]
    return file.bytes
  }

  private func kinds(_ bytes: [UInt8]) throws -> Set<FileContents.Kind> {
    let reader = try #require(CodecRegistry.standard.reader(for: bytes))
    return Set(try reader.contents(of: bytes).shares.keys)
  }

  @Test func thePhotographHoldsAll() throws {
    #expect(try kinds(Self.photograph()) == Self.all)
  }

  @Test(
    .enabled(if: OutsideTool("heif-enc").path != nil, "SKIPPED: needs heif-enc (package libheif-examples)"),
    arguments: ["heic", "avif"])
  func heifEncKeepsExifXMPAndProfile(fileExtension: String) throws {
    let output = try OutsideTool("heif-enc").output(
      of: try Self.photograph(), named: "in.jpg", as: "out.\(fileExtension)",
      (fileExtension == "avif" ? ["-A"] : []) + ["-q", "50", "{in}", "-o", "{out}"])
    #expect(try kinds(output) == [.exif, .exifThumbnail, .xmp, .icc])
  }

  @Test(.enabled(if: OutsideTool("heif-convert").path != nil, "SKIPPED: needs heif-convert"))
  func heifConvertKeepsThemOnTheWayBack() throws {
    let heic = try OutsideTool("heif-enc").output(
      of: try Self.photograph(), named: "in.jpg", as: "out.heic",
      ["-q", "50", "-t", "32", "{in}", "-o", "{out}"])
    #expect(try kinds(heic) == [.exif, .exifThumbnail, .xmp, .icc, .thumbnail])
    let jpeg = try OutsideTool("heif-convert").output(
      of: heic, named: "in.heic", as: "out.jpg", ["{in}", "{out}"])
    #expect(try kinds(jpeg) == [.exif, .exifThumbnail, .xmp, .icc])
  }

  @Test(.enabled(if: OutsideTool("cwebp").path != nil, "SKIPPED: needs cwebp (package webp)"))
  func cwebpKeepsThemWhereAsked() throws {
    let tool = OutsideTool("cwebp")
    let plain = try tool.output(
      of: try Self.photograph(), named: "in.jpg", as: "out.webp", ["{in}", "-o", "{out}"])
    #expect(try kinds(plain).isEmpty)
    let full = try tool.output(
      of: try Self.photograph(), named: "in.jpg", as: "out.webp", ["-metadata", "all", "{in}", "-o", "{out}"])
    #expect(try kinds(full) == [.exif, .exifThumbnail, .xmp, .icc])
  }

  @Test(.enabled(if: OutsideTool("djxl").path != nil, "SKIPPED: needs cjxl and djxl (package libjxl-tools)"))
  func cjxlKeepsAllOfAJPEG() throws {
    let file = try Self.photograph()
    let packed = try OutsideTool("cjxl").output(of: file, named: "in.jpg", as: "out.jxl", ["{in}", "{out}"])
    #expect(try kinds(packed).isSuperset(of: [.exif, .xmp]))
    let back = try OutsideTool("djxl").output(of: packed, named: "in.jxl", as: "out.jpg", ["{in}", "{out}"])
    #expect(back == file)
  }
}
