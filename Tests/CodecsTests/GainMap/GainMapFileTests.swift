import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

struct GainMapFileTests {
  private static let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
  private static let limits = ReadLimits(maximumPixels: 1_000_000)

  private static func encoded(_ width: Int, _ height: Int, _ layout: ChannelLayout, _ codec: String) throws
    -> [UInt8]
  {
    let image = try #require(SyntheticImage.waves(width: width, height: height, layout: layout, seed: 4))
    return try CodecRegistry.standard.encode(image, codec, native: 90)
  }

  private static func jpeg(
    map size: (Int, Int) = (16, 8), _ layout: ChannelLayout = .gray, segments: [[UInt8]]
  ) throws -> (file: [UInt8], map: SegmentedJPEG) {
    let map = SegmentedJPEG(segments: segments, picture: try encoded(size.0, size.1, layout, "jpeg"))
    let base = SegmentedJPEG(picture: try encoded(64, 32, .rgb, "jpeg"), tail: map.bytes)
    return (base.bytes, map)
  }

  private static let iso = SegmentedJPEG.segment(
    0xE2, name + GainMapMetadataTests.iso(flags: 0x40, GainMapMetadataTests.numbers))
  private static let xmp = SegmentedJPEG.xmp("hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"1\"")

  @Test func aJPEGFileIsTakenApart() throws {
    let (file, map) = try Self.jpeg(segments: [Self.xmp, Self.iso])
    let parts = try #require(try GainMapFile(file))
    #expect(parts.kinds == [.iso, .ultraHDR] && parts.metadata.maximumHeadroom == 2.5)
    #expect((parts.map.width, parts.map.height, parts.mapChannels, parts.scale) == (16, 8, 1, 4))
    let metadata = Self.xmp.count + Self.iso.count
    #expect(
      parts.sizes
        == .init(
          base: file.count - map.bytes.count, map: map.bytes.count - metadata, metadata: metadata))
    let picture = try parts.decode(limits: Self.limits)
    let applied = try picture.applied(atHeadroom: 2.5)
    #expect((applied.width, applied.height, applied.profile) == (64, 32, .light(.pq)))
    #expect(try picture.applied(atHeadroom: 0) != applied)
  }

  @Test func filesWithoutAMapHaveNoParts() throws {
    #expect(try GainMapFile(Self.encoded(16, 16, .rgb, "jpeg")) == nil)
    #expect(try GainMapFile(Self.encoded(16, 16, .rgb, "heic")) == nil)
    #expect(try GainMapFile(PNGFile.header(width: 3, height: 3)) == nil)
  }

  /// Why a file is refused; nil if it is not.
  private func refusal(_ file: [UInt8]) -> String? {
    do {
      _ = try GainMapFile(file)
      return nil
    } catch { return error.description }
  }

  @Test func jpegMapsThatFitNoPictureAreRefusedByName() throws {
    #expect(
      try refusal(Self.jpeg(map: (128, 8), segments: [Self.iso]).file)?.contains("larger than the picture")
        == true)
    let lost = SegmentedJPEG(
      segments: [SegmentedJPEG.xmp("Item:Semantic=\"Primary\" Item:Semantic=\"GainMap\"")],
      picture: try Self.encoded(64, 32, .rgb, "jpeg"))
    #expect(refusal(lost.bytes)?.contains("announces a gain map but has none") == true)
    let apple = SegmentedJPEG.xmp(
      "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>")
    #expect(
      try refusal(Self.jpeg(segments: [apple]).file)?.contains("without its headroom") == true)
  }

  // MARK: HEIF

  /// A file of a base and a map, coded by libheif. Either an item `tmap` refers to both, or the map is Apple's
  /// auxiliary image with its XMP. libheif puts images with sides below 64 into grids.
  static func heif(
    map size: (Int, Int) = (64, 64), codec: String = "heic", sources: [Int] = [1, 2],
    metadata: [UInt8] = [0] + GainMapMetadataTests.iso(flags: 0x40, GainMapMetadataTests.numbers),
    apple: String? = nil, isPQ: Bool = false, crops: [[[UInt8]]] = [[], []]
  ) throws -> [UInt8] {
    let tiles = try [encoded(256, 256, .rgb, codec), encoded(size.0, size.1, .gray, codec)].map {
      try HEIFTile(file: $0)
    }
    var file = HEIFSyntheticFile(brand: codec)
    for (index, tile) in tiles.enumerated() {
      let boxes = [HEIFBoxes.size(tile.width, tile.height), HEIFBoxes.box(tile.configuration)]
      var colour = tile.colour.map { [HEIFBoxes.box($0)] } ?? []
      if isPQ, index == 0 {
        colour = [HEIFSyntheticFile.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])]
      }
      file.items.append(
        .init(
          id: index + 1, type: tile.type.description, properties: boxes + colour + crops[index],
          data: Array(tile.data)))
    }
    if let apple {
      file.items[1].properties.append(
        HEIFSyntheticFile.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap"))
      file.items[1].alphaOf = 1
      file.items.append(
        .init(
          id: 3, type: "mime", properties: [], data: Array(apple.utf8), contentType: "application/rdf+xml",
          describes: 2))
    } else {
      file.items.append(
        .init(id: 3, type: "tmap", properties: [HEIFBoxes.size(256, 256)], sources: sources, data: metadata))
    }
    return file.bytes
  }

  @Test func anHDRBaseIsReadAsItsLight() throws {
    let file = try Self.heif(isPQ: true)
    #expect(throws: CodecError.self) { try HEIFReader().read(file, limits: Self.limits) }
    let picture = try #require(try GainMapFile(file)).decode(limits: Self.limits)
    #expect(picture.base.profile == .light(.pq))
    #expect(try picture.applied(atHeadroom: 2.5) != picture.applied(atHeadroom: 0))
  }

  /// Assembled like a phone's file, since none is available.
  @Test func applesAuxiliaryImageIsTakenApart() throws {
    let said = "<HDRGainMap:HDRGainMapHeadroom>4</HDRGainMap:HDRGainMapHeadroom>"
    let parts = try #require(try GainMapFile(Self.heif(apple: said)))
    #expect(parts.kinds == [.apple] && parts.metadata.maximumHeadroom == 2)
    #expect((parts.map.width, parts.scale, parts.sizes.metadata) == (64, 4, said.utf8.count))
    let picture = try parts.decode(limits: Self.limits)
    let map = try HEIFReader().read(Self.encoded(64, 64, .gray, "heic"), limits: Self.limits).image
    #expect(picture.map.image.samples == map.samples)
    #expect(try picture.applied(atHeadroom: 2) != picture.applied(atHeadroom: 0))
    #expect(try refusal(Self.heif(apple: "<x/>"))?.contains("without its headroom") == true)
  }

  @Test(arguments: ["heic", "avif"]) func aToneMappedImageIsTakenApart(codec: String) throws {
    let file = try Self.heif(codec: codec)
    let parts = try #require(try GainMapFile(file))
    #expect(parts.kinds == [.iso] && parts.sizes.metadata == 62)
    #expect((parts.map.width, parts.map.height, parts.mapChannels, parts.scale) == (64, 64, 1, 4))
    let picture = try parts.decode(limits: Self.limits)
    let map = try HEIFReader().read(Self.encoded(64, 64, .gray, codec), limits: Self.limits).image
    #expect(picture.map.image.samples == map.samples)
    #expect(try picture.applied(atHeadroom: 2.5).profile == .light(.pq))
  }

  @Test func toneMappedImagesThatFitNoPictureAreRefusedByName() throws {
    #expect(try refusal(Self.heif(sources: [1]))?.contains("without its base or its gain map") == true)
    #expect(try refusal(Self.heif(sources: [9, 2]))?.contains("without its base or its gain map") == true)
    #expect(try refusal(Self.heif(sources: [2, 1]))?.contains("is not the file's picture") == true)
    #expect(try refusal(Self.heif(sources: [1, 1]))?.contains("is not the file's picture") == true)
    #expect(try refusal(Self.heif(sources: [1, 3]))?.contains("which is neither HEVC nor AV1") == true)
    #expect(try refusal(Self.heif(map: (320, 64)))?.contains("larger than the picture") == true)
    #expect(try refusal(Self.heif(metadata: [0, 0, 0]))?.contains("metadata end early") == true)
  }

  /// Cropped alone, a picture and its map would show different parts of the scene.
  @Test func picturesAndMapsAreCroppedTogether() throws {
    let (picture, map) = ([HEIFSyntheticFile.crop(128, 128)], [HEIFSyntheticFile.crop(32, 32)])
    for crops in [[picture, []], [[], map]] {
      #expect(try refusal(Self.heif(crops: crops))?.contains("is cropped or rotated differently") == true)
    }
    #expect(try refusal(Self.heif(crops: [picture, map])) == nil)
    let half = [HEIFSyntheticFile.crop(16, 16)]
    #expect(
      try refusal(Self.heif(crops: [picture, half]))?.contains("is cropped or rotated differently") == true)
    // Padding at the right and at the bottom, in a box with the offset of its centre.
    func corner(_ width: Int, _ height: Int, of side: Int) -> [[UInt8]] {
      [HEIFBoxes.cleanAperture(PixelRegion(x: 0, y: 0, width: width, height: height), side, side)]
    }
    #expect(try refusal(Self.heif(crops: [corner(250, 255, of: 256), []])) == nil)
    // One column of the scene less, which is too little for the smaller map.
    let inner = HEIFBoxes.cleanAperture(PixelRegion(x: 1, y: 0, width: 255, height: 256), 256, 256)
    #expect(try refusal(Self.heif(crops: [[inner], []])) == nil)
    // The same crop may look like padding in one of the two.
    #expect(try refusal(Self.heif(crops: [corner(128, 128, of: 256), corner(32, 32, of: 64)])) == nil)
  }

  @Test func damagedFilesDoNoHarm() throws {
    var generator = SeededGenerator(seed: 7)
    let files = [try Self.heif(), try Self.jpeg(segments: [Self.xmp, Self.iso]).file]
    var parts = 0
    for file in files {
      let end = file.count > 2000 ? 2000 : file.count
      for _ in 0..<200 {
        let damaged = file.damaged(at: 3, before: end, using: &generator)
        if (try? GainMapFile(damaged)) != nil { parts += 1 }
      }
    }
    #expect((1..<400).contains(parts))
  }
}
