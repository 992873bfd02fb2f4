import CodecKit
import Model
import Pixels
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

  /// The index of a file, with the `offsets` of further pictures counted from its own TIFF header.
  private func index(_ offsets: [Int]) -> [UInt8] {
    let count = offsets.count + 1
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      HEIFBoxes.short(tag) + HEIFBoxes.short(type) + HEIFBoxes.long(count) + HEIFBoxes.long(value)
    }
    let pictures = ([0] + offsets).flatMap { [0x03_0000, 100, $0, 0].flatMap(HEIFBoxes.long) }
    return SegmentedJPEG.segment(
      0xE2,
      Array("MPF\0MM".utf8) + HEIFBoxes.short(42) + HEIFBoxes.long(8) + HEIFBoxes.short(2)
        + entry(0xB001, 4, 1, count) + entry(0xB002, 7, 16 * count, 38) + HEIFBoxes.long(0) + pictures)
  }

  @Test(arguments: [
    [5000], [Int(UInt32.max)], [Int(Int32.max), 1], [1, 1, 1], [2000, 1000, 400], [0, 0],
    [900, Int(UInt32.max)],
  ])
  func anIndexThatPointsAnywhereIsReadToTheEndOfTheFile(offsets: [Int]) throws {
    var file = SegmentedJPEG(picture: try picture())
    file.segments = [index(offsets)]
    for tail in [[], [0], [UInt8](repeating: 0, count: 16), [7, 7, 7], try picture(), [0xFF, 0xD8, 0xFF]] {
      file.tail = tail
      let bytes = file.bytes
      #expect(shares(file).values.allSatisfy { (0...bytes.count).contains($0.bytes) })
      #expect(try JPEGReader().header(of: bytes).width == 16)
      _ = try? GainMapFile(bytes)
    }
  }

  @Test(.enabled(if: SharedFolder.isPresent, .init(rawValue: SharedFolder.reason)))
  func anIndexBehindTheEndIsNoObstacle() throws {
    for name in ["second-cut-zeros-behind", "control-nothing-behind"] {
      let bytes = try SharedFolder.bytes("field/mpf/\(name).jpg")
      let source = try JPEGReader().read(bytes, limits: ReadLimits())
      #expect(JPEGReader().contents(of: bytes).shares[.pictures] == nil)
      #expect(try JPEGReader().header(of: bytes).width == source.image.width)
    }
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
    // The segment of 9,610 bytes, marker included, contains a thumbnail of 8,579.
    #expect(canon.bytes(of: .exif) + canon.bytes(of: .exifThumbnail) == 9610)
    #expect(canon.bytes(of: .exifThumbnail) == 8579)
    let pixpro = JPEGReader().contents(of: try SharedFolder.bytes("corpus/camera/Kodak_PIXPRO_S-1.jpg"))
    #expect(pixpro.shares.keys.sorted { $0.rawValue < $1.rawValue } == [.exif, .icc, .xmp])
    #expect(pixpro.bytes(of: .icc) == 3162)
  }
}
