import CodecKit
import Model
import TestSupport
import Testing

@testable import Codecs

struct HEIFContentsTests {
  typealias File = HEIFSyntheticFile

  private func contents(_ file: File) throws -> FileContents { try HEIFReader().contents(of: file.bytes) }

  /// A picture with another item of this size.
  private func file(with item: File.Item) -> File {
    var file = File.single(width: 64, height: 48)
    file.items[0].data = [UInt8](repeating: 1, count: 1000)
    file.items.append(item)
    return file
  }

  private func item(_ id: Int = 2, _ properties: [[UInt8]] = [], bytes: Int = 77) -> File.Item {
    File.Item(
      id: id, type: "hvc1", properties: [File.size(32, 24), File.hevc()] + properties,
      data: [UInt8](repeating: UInt8(id), count: bytes))
  }

  @Test(arguments: [
    ("urn:com:apple:photo:2020:aux:hdrgainmap", FileContents.Kind.gainMap),
    ("urn:mpeg:hevc:2015:auxid:2", .depth), ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", .depth),
    ("urn:mpeg:hevc:2015:auxid:1", .alpha), ("urn:com:apple:photo:2018:aux:portraiteffectsmatte", .auxiliary),
  ])
  func auxiliaryImagesAreTold(name: String, kind: FileContents.Kind) throws {
    var item = item(2, [File.auxiliary(name)])
    item.alphaOf = 1
    #expect(try contents(file(with: item)).shares == [kind: .init(count: 1, bytes: 77)])
  }

  @Test func thumbnailsAndFurtherPicturesAreTold() throws {
    var small = item()
    small.thumbnailOf = 1
    #expect(try contents(file(with: small)).shares == [.thumbnail: .init(count: 1, bytes: 77)])
    #expect(try contents(file(with: item())).shares == [.pictures: .init(count: 1, bytes: 77)])
  }

  @Test func metadataAreTold() throws {
    var file = file(
      with: File.Item(
        id: 2, type: "Exif", properties: [], data: [0, 0, 0, 0] + [UInt8](repeating: 9, count: 40)))
    file.items.append(
      File.Item(
        id: 3, type: "mime", properties: [], data: [UInt8](repeating: 9, count: 30),
        contentType: "application/rdf+xml"))
    file.items[0].properties.append(File.box("colr", Array("prof".utf8) + [UInt8](repeating: 0, count: 21)))
    #expect(
      try contents(file).shares == [
        .exif: .init(count: 1, bytes: 44), .xmp: .init(count: 1, bytes: 30), .icc: .init(count: 1, bytes: 21),
      ])
  }

  @Test func aGainMapOfItsOwnTypeIsTheSecondThatTheMapIsDerivedFrom() throws {
    var file = file(with: item())
    file.items.append(File.Item(id: 3, type: "tmap", properties: [File.size(64, 48)], sources: [1, 2]))
    #expect(try contents(file).shares == [.gainMap: .init(count: 1, bytes: 77)])
  }

  @Test func tilesBelongToTheirGrid() throws {
    var file = File(primary: 3)
    file.items = [item(1), item(2)]
    file.items.append(
      File.Item(
        id: 3, type: "grid", properties: [File.size(64, 24)], sources: [1, 2],
        data: File.grid(rows: 1, columns: 2, width: 64, height: 24)))
    #expect(try contents(file).shares.isEmpty)
  }

  @Test func propertiesOfSamplesAreTold() throws {
    var file = File.single(width: 8, height: 8)
    file.items[0].properties[1] = File.hevc(bits: 10)
    #expect(Array(try contents(file).shares.keys) == [.deepSamples])
  }

  @Test func brokenFilesAreReadOrRefused() throws {
    var auxiliary = item(2, [File.auxiliary("urn:mpeg:hevc:2015:auxid:2")])
    auxiliary.alphaOf = 1
    let bytes = file(with: auxiliary).bytes
    var generator = SeededGenerator(seed: 6)
    var read: [FileContents] = []
    for _ in 0..<2000 {
      let broken = bytes.damaged(at: 3, using: &generator)
      if let contents = try? HEIFReader().contents(of: broken) { read.append(contents) }
    }
    #expect((1..<2000).contains(read.count))
    #expect(read.allSatisfy { $0.shares.values.allSatisfy { (0...bytes.count).contains($0.bytes) } })
  }

  @Test(.enabled(if: SharedFolder.isPresent, .init(rawValue: SharedFolder.reason)))
  func phonesFilesHoldWhatOtherToolsShow() throws {
    let phone = try HEIFReader().contents(of: try SharedFolder.bytes("inputs/device/IMG_2927.HEIC"))
    #expect(phone.shares.keys.sorted { $0.rawValue < $1.rawValue } == [.exif, .icc, .xmp])
    // heif-info says the same: Exif of 2,044 bytes with its offset, and XMP of 2,620.
    #expect(phone.bytes(of: .icc) == 548)
    let avif = try HEIFReader().contents(
      of: try SharedFolder.bytes("inputs/avif/color_grid_gainmap_different_grid.avif"))
    #expect(avif.shares[.gainMap] != nil && avif.shares[.alpha] != nil)
    #expect(avif.shares.values.reduce(0) { $0 + $1.bytes } < 990, "all of it is in 990 bytes of media data")
  }
}
