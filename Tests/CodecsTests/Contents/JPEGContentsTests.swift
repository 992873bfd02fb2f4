import CodecKit
import Model
import TestSupport
import Testing

@testable import Codecs

struct JPEGContentsTests {
  private func picture(side: Int = 16) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: side, height: side, seed: 1))
    return try CodecRegistry.standard.encode(image, "jpeg", native: 60)
  }

  private func shares(_ file: SegmentedJPEG) -> [FileContents.Kind: FileContents.Share] {
    JPEGReader().contents(of: file.bytes).shares
  }

  @Test func aBarePictureHoldsNothingElse() throws {
    #expect(shares(SegmentedJPEG(picture: try picture())).isEmpty)
  }

  @Test func everySegmentIsCountedByItsKind() throws {
    let thumbnail = try picture(side: 8)
    var file = SegmentedJPEG(picture: try picture())
    let exif = SegmentedJPEG.exif(thumbnail: thumbnail)
    let xmp = SegmentedJPEG.xmp("plain")
    let iptc = SegmentedJPEG.segment(0xED, Array("Photoshop 3.0\0abc".utf8))
    let maker = SegmentedJPEG.segment(0xE5, [1, 2, 3])
    let profiles = [SegmentedJPEG.profile([1, 2], 1, of: 2), SegmentedJPEG.profile([3], 2, of: 2)]
    file.segments = [exif, xmp, iptc, maker] + profiles + [SegmentedJPEG.comment("hello")]
    let found = shares(file)
    let bytes = found.mapValues(\.bytes)
    let counted: [FileContents.Kind: Int] = [
      .exif: exif.count - thumbnail.count, .exifThumbnail: thumbnail.count, .xmp: xmp.count,
      .iptc: iptc.count,
      .other: maker.count, .icc: profiles[0].count + profiles[1].count, .comment: 9,
    ]
    #expect(bytes == counted)
    #expect(found.values.allSatisfy { $0.count == 1 })
  }

  @Test(arguments: [
    ("hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\"", FileContents.Kind.gainMap),
    ("<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>", .gainMap),
    ("<apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType>", .depth), ("plain", .pictures),
  ])
  func aFurtherPictureSaysWhatItIs(xmp: String, kind: FileContents.Kind) throws {
    var second = SegmentedJPEG(picture: try picture())
    second.segments = [SegmentedJPEG.xmp(xmp)]
    let file = SegmentedJPEG(picture: try picture(), tail: second.bytes)
    #expect(shares(file) == [kind: .init(count: 1, bytes: second.bytes.count)])
  }

  @Test func theDirectoryOfTheFirstPictureSaysWhatTheOthersAre() throws {
    var file = SegmentedJPEG(picture: try picture())
    file.segments = [
      SegmentedJPEG.xmp(
        "hdrgm:Version=\"1.0\" Item:Semantic=\"Primary\" Item:Semantic=\"GainMap\" Item:Semantic=\"Depth\"")
    ]
    let second = try picture()
    file.tail = second + second
    let found = shares(file)
    #expect(found[.gainMap]?.bytes == second.count)
    #expect(found[.depth]?.bytes == second.count)
    #expect(found[.pictures] == nil)
  }

  @Test func theParametersOfISO21496MakeAGainMap() throws {
    let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    var file = SegmentedJPEG(picture: try picture())
    file.segments = [SegmentedJPEG.segment(0xE2, name + [0, 0, 0, 0])]
    var map = SegmentedJPEG(picture: try picture())
    map.segments = [SegmentedJPEG.segment(0xE2, name + [UInt8](repeating: 1, count: 60))]
    file.tail = [0, 0] + map.bytes
    #expect(shares(file) == [.gainMap: .init(count: 1, bytes: map.bytes.count)])
  }

  @Test func motionPhotosHaveAVideoBehindThem() throws {
    let video = [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 500)
    var file = SegmentedJPEG(picture: try picture(), tail: video)
    #expect(shares(file) == [.sequence: .init(count: 1, bytes: video.count)])
    file.tail = Array("maker's data".utf8) + video
    #expect(shares(file)[.sequence]?.bytes == video.count)
    #expect(shares(file)[.other]?.bytes == 12)
  }

  @Test func brokenAndShortFilesAreRead() throws {
    var file = SegmentedJPEG(picture: try picture())
    file.segments = [SegmentedJPEG.exif(thumbnail: try picture(side: 8)), SegmentedJPEG.xmp("x")]
    file.tail = [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF, 1, 0xFF, 0xD8, 0xFF]
    let bytes = file.bytes
    for end in 0...bytes.count { _ = JPEGReader().contents(of: Array(bytes[..<end])) }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let broken = bytes.damaged(at: 4, using: &generator)
      let contents = JPEGReader().contents(of: broken)
      #expect(contents.shares.values.allSatisfy { $0.bytes <= broken.count })
    }
  }

  @Test(.enabled(if: SharedFolder.isPresent, .init(rawValue: SharedFolder.reason)))
  func camerasFilesHoldWhatAHexEditorShows() throws {
    let canon = JPEGReader().contents(of: try SharedFolder.bytes("corpus/camera/Canon_EOS_5D.jpg"))
    // The segment of 9,610 bytes, marker included, has a thumbnail of 8,579.
    #expect(canon.bytes(of: .exif) + canon.bytes(of: .exifThumbnail) == 9610)
    #expect(canon.bytes(of: .exifThumbnail) == 8579)
    let pixpro = JPEGReader().contents(of: try SharedFolder.bytes("corpus/camera/Kodak_PIXPRO_S-1.jpg"))
    #expect(pixpro.shares.keys.sorted { $0.rawValue < $1.rawValue } == [.exif, .icc, .xmp])
    #expect(pixpro.bytes(of: .icc) == 3162)
  }
}
