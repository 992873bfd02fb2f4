import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

struct HEIFFileInfoTests {
  typealias File = HEIFSyntheticFile

  func info(_ file: File, maximumPixels: Int = 1_000_000) throws -> HEIFFileInfo {
    try HEIFFileInfo(file.bytes, maximumPixels: maximumPixels)
  }

  @Test func readsACodedImage() throws {
    let info = try info(.single(width: 640, height: 426))
    #expect((info.width, info.height, info.bitDepth) == (640, 426, 8))
    #expect((info.format, info.layout) == ("heic", .rgb))
    #expect(!info.isDerived)
  }

  @Test func appliesCropAndRotationInOrder() throws {
    let info = try info(.single(width: 640, height: 426, more: [File.crop(600, 400), File.rotation(1)]))
    #expect((info.width, info.height) == (400, 600))
  }

  @Test func readsDepthAndChannelsOfBothCodecs() throws {
    var file = File.single(width: 8, height: 8)
    file.items[0].properties[1] = File.hevc(chroma: 0, bits: 10)
    #expect(try info(file).layout == .gray)
    #expect(try info(file).bitDepth == 10)
    file.items[0].type = "av01"
    file.items[0].properties[1] = File.av1(0x60)
    #expect(try info(file).bitDepth == 12)
    #expect(try info(file).format == "avif")
  }

  @Test(arguments: [(8, HEIFFileInfo.Alpha.matching, ChannelLayout.rgba), (4, .mismatched, .rgb)])
  func findsAlpha(width: Int, alpha: HEIFFileInfo.Alpha, layout: ChannelLayout) throws {
    var file = File.single(width: 8, height: 8)
    file.items.append(
      File.Item(
        id: 2, type: "hvc1", properties: [File.size(width, 8), File.hevc(chroma: 0), File.alphaKind],
        alphaOf: 1))
    #expect(try info(file).alpha == alpha)
    #expect(try info(file).layout == layout)
  }

  @Test func refusesTooManyPixelsBeforeAnythingElse() {
    #expect(throws: CodecError.self) { try info(.single(width: 60000, height: 60000)) }
    #expect(throws: CodecError.self) { try info(.single(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF)) }
  }

  /// A chain of identity derivations, each derived from the next.
  @Test(arguments: [1, 6, 9, 1000])
  func limitsTheDepthOfDerivation(length: Int) throws {
    var file = File.single(width: 8, height: 8)
    let last = length + 1
    file.items[0].id = last
    for id in 1...length {
      file.items.append(File.Item(id: id, type: "iden", properties: [], sources: [id + 1]))
      file.items[file.items.count - 1].properties = length < 100 ? [File.size(8, 8)] : []
    }
    if length < 8 {
      #expect(try info(file).isDerived)
    } else {
      #expect(throws: CodecError.self) { try info(file) }
    }
  }

  @Test func refusesImagesDerivedFromThemselves() {
    let file = File(items: [File.Item(id: 1, type: "iden", properties: [File.size(8, 8)], sources: [1])])
    #expect(throws: CodecError.limitExceeded("derived images nested more than 8 deep")) {
      try info(file)
    }
  }

  @Test func refusesAlphaInACircle() {
    var file = File.single(width: 8, height: 8)
    file.items[0].alphaOf = 2
    file.items[0].properties.append(File.alphaKind)
    file.items.append(
      File.Item(
        id: 2, type: "hvc1", properties: [File.size(8, 8), File.hevc(), File.alphaKind], alphaOf: 1))
    #expect(throws: CodecError.limitExceeded("derived images nested more than 8 deep")) {
      try info(file)
    }
  }

  /// Each overlay uses the next one sixteen times, so seven items make 16⁶ images.
  @Test(arguments: [1_000_000, Int.max])
  func refusesOverlaysThatUnfoldWithoutEnd(maximumPixels: Int) {
    var file = File(
      items: (1...6).map { id in
        File.Item(
          id: id, type: "iovl", properties: [File.size(8, 8)], sources: Array(repeating: id + 1, count: 16))
      })
    file.items.append(File.Item(id: 7, type: "hvc1", properties: [File.size(8, 8), File.hevc()]))
    do throws(CodecError) {
      _ = try HEIFFileInfo(file.bytes, maximumPixels: maximumPixels)
      Issue.record("accepted")
    } catch {
      guard case .limitExceeded = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  /// The grid's data declares another size than its properties.
  @Test func refusesGridsThatAreLargerThanTheySay() throws {
    var file = File.single(width: 64, height: 64)
    file.items[0].id = 2
    file.items.append(
      File.Item(
        id: 1, type: "grid", properties: [File.size(64, 64)], sources: [2],
        data: File.grid(rows: 1, columns: 1, width: 64, height: 64)))
    #expect(try info(file).isDerived)
    file.items[1].data = File.grid(rows: 1, columns: 1, width: 60000, height: 60000)
    #expect(throws: CodecError.self) { try info(file) }
  }

  @Test func namesSequencesAndOtherCodecs() {
    let ftyp = File.box("ftyp", Array("msf1\u{0}\u{0}\u{0}\u{0}hevc".utf8))
    #expect(throws: CodecError.unsupported("an image sequence without a still image")) {
      try HEIFFileInfo(ftyp + File.box("moov", []), maximumPixels: 1000)
    }
    var file = File.single(width: 8, height: 8)
    file.items[0].type = "j2k1"
    #expect(throws: CodecError.self) { try info(file) }
  }

  @Test func readsLargeAndOpenEndedBoxes() throws {
    let file = File.single(width: 8, height: 8)
    let bytes = file.bytes
    let start = bytes.count - (bytes.count - 20 - 4 - 4)
    let meta = Array(bytes[28...])
    #expect(start == 28)
    let head = Array(bytes[..<20])
    let large = File.number(1, 4) + Array("meta".utf8) + File.number(meta.count + 16, 8) + meta
    #expect(try HEIFFileInfo(head + large, maximumPixels: 1000).width == 8)
    let open = File.number(0, 4) + Array("meta".utf8) + meta
    #expect(try HEIFFileInfo(head + open, maximumPixels: 1000).width == 8)
    let absurd = File.number(1, 4) + Array("meta".utf8) + [UInt8](repeating: 0xFF, count: 8) + meta
    #expect(throws: CodecError.self) { try HEIFFileInfo(head + absurd, maximumPixels: 1000) }
  }

  /// A valid file with another box at the start of its `meta` box: the first box of a kind counts.
  private func file(with box: [UInt8]) -> [UInt8] {
    let bytes = File.single(width: 8, height: 8).bytes
    return Array(bytes[..<20]) + File.box("meta", Array(bytes[28..<32]) + box + Array(bytes[32...]))
  }

  /// Each item claims 65,535 extents of no bytes, so visiting them one by one takes minutes.
  @Test func passesOverExtentsOfNoBytes() throws {
    let item: [UInt8] = [0, 1, 0, 0, 0xFF, 0xFF]
    let items = [[UInt8]](repeating: item, count: 60_000).flatMap(\.self)
    let locations = File.fullBox("iloc", [0, 0] + File.number(60_000, 2) + items)
    #expect(try HEIFFileInfo(file(with: locations), maximumPixels: 1000).width == 8)
  }

  @Test(arguments: [(900, true), (1100, false)])
  func limitsThePropertiesOfAnImage(count: Int, isTaken: Bool) {
    let times = count / 100
    let association = File.number(1, 2) + [100, 2] + [UInt8](repeating: 1, count: 99)
    let associations = [[UInt8]](repeating: association, count: times).flatMap(\.self)
    let properties = File.box(
      "iprp",
      File.box("ipco", File.size(8, 8) + File.hevc())
        + File.fullBox("ipma", File.number(times, 4) + associations))
    let info = try? HEIFFileInfo(file(with: properties), maximumPixels: 1000)
    #expect((info?.width == 8) == isTaken)
  }

  /// However a file is cut short or altered, the result is an answer or an error.
  @Test func survivesDamage() {
    var file = File.single(width: 64, height: 64, more: [File.crop(60, 60), File.rotation(3)])
    file.items[0].id = 3
    file.items.append(
      File.Item(
        id: 1, type: "grid", properties: [File.size(64, 64)], sources: [3, 3],
        data: File.grid(rows: 1, columns: 2, width: 64, height: 64)))
    file.items.append(
      File.Item(
        id: 2, type: "hvc1", properties: [File.size(64, 64), File.hevc(), File.alphaKind], alphaOf: 1))
    let bytes = file.bytes
    var answers = (0..<bytes.count).map { try? HEIFFileInfo(Array(bytes[..<$0]), maximumPixels: 1_000_000) }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let damaged = bytes.damaged(at: .random(in: 1...4, using: &generator), using: &generator)
      answers.append(try? HEIFFileInfo(damaged, maximumPixels: 1_000_000))
    }
    let read = answers.compactMap(\.self)
    #expect((1..<answers.count).contains(read.count))
    #expect(read.allSatisfy { $0.width > 0 && $0.height > 0 && $0.width * $0.height <= 1_000_000 })
  }
}
