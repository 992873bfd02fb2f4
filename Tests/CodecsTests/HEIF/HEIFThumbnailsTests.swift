import CodecKit
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Thumbnails of HEIF files without image data: only the thumbnail is decoded.
struct HEIFThumbnailsTests {
  /// The profile of the thumbnail in the Exif data of a picture with these colour boxes.
  private func profile(_ colours: [[UInt8]], light: HDRViewing? = nil) throws -> ColorProfile {
    let small = try #require(SyntheticImage.waves(width: 16, height: 8))
    let jpeg = try CodecRegistry.standard.encode(small, "jpeg", native: 90)
    var file = HEIFSyntheticFile.single(width: 64, height: 32, more: colours)
    // A length of 0 would mean all bytes that follow.
    file.items[0].data = [0]
    file.items.append(
      .init(
        id: 2, type: "Exif", properties: [], data: [0, 0, 0, 0] + SegmentedJPEG.tiff(thumbnail: jpeg),
        describes: 1))
    let limits = ReadLimits(light: light)
    let found = try HEIFReader().decode(file.bytes, .thumbnail(longestSide: 16), limits: limits)
    #expect(found.notes == ["the thumbnail in the Exif data"])
    return try #require(found.raster).profile
  }

  @Test func theThumbnailInExifDataHasThePicturesColours() throws {
    let wide = try #require(TestProfiles.displayP3)
    let icc = try #require(wide.iccBytes)
    let points: [UInt8] = [0, 12, 0, 13, 0, 6, 0x80]
    #expect(try profile([HEIFSyntheticFile.box("colr", Array("prof".utf8) + icc)]) == wide)
    #expect(try profile([HEIFSyntheticFile.box("colr", Array("nclx".utf8) + points)]) == wide)
    #expect(try profile([]) == .sRGB)
  }

  /// Alone, a profile with an HDR curve would be refused.
  @Test func codePointsOfHDRCountBeforeAProfile() throws {
    let curve = try #require(TransferFunction(codePoint: 16))
    let icc = try #require(ColorProfiles.icc(primaries: .bt2020, transfer: curve))
    let points: [UInt8] = [0, 9, 0, 16, 0, 9, 0x80]
    let boxes = [
      HEIFSyntheticFile.box("colr", Array("prof".utf8) + icc),
      HEIFSyntheticFile.box("colr", Array("nclx".utf8) + points),
    ]
    let found = try profile(boxes, light: HDRViewing(source: .file))
    guard case .light = found else {
      Issue.record("\(found)")
      return
    }
  }
}
