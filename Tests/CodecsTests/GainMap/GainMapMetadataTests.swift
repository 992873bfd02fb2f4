import CodecKit
import Pixels
import Testing

@testable import Codecs

struct GainMapMetadataTests {
  /// ISO's binary form: the versions, these flags, and these numbers of four bytes each.
  static func iso(flags: UInt8, _ numbers: [Int], writer: UInt8 = 0) -> [UInt8] {
    [0, 0, 0, writer, flags] + numbers.flatMap(HEIFBoxes.long)
  }

  /// Headrooms 0 and 2.5; gains −0.5 to 2, gamma 0.75, offsets 1/64 and −1/32.
  static let numbers = [0, 1, 5, 2, -1, 2, 2, 1, 3, 4, 1, 64, -1, 32]

  @Test func theBinaryFormIsRead() throws {
    let metadata = try GainMapMetadata(iso: Self.iso(flags: 0x40, Self.numbers)[...])
    #expect(metadata.kind == .iso && metadata.usesBaseColours)
    #expect(metadata.baseHeadroom == 0 && metadata.alternateHeadroom == 2.5)
    let channel = metadata.channels[2]
    #expect(metadata.channels == [channel, channel, channel])
    #expect((channel.minimum, channel.maximum, channel.gamma) == (-0.5, 2, 0.75))
    #expect((channel.baseOffset, channel.alternateOffset) == (1.0 / 64, -1.0 / 32))
    #expect(try GainMapMetadata(item: [0] + Self.iso(flags: 0x40, Self.numbers)[...]) == metadata)
  }

  @Test func threeChannelsAndACommonDenominatorAreRead() throws {
    let numbers = [4, 2, 10, -1, 4, 4, 1, 1, 0, 8, 2, 1, 1, -4, 16, 8, 1, 1]
    let metadata = try GainMapMetadata(iso: Self.iso(flags: 0x88, numbers)[...])
    #expect(metadata.baseHeadroom == 0.5 && metadata.alternateHeadroom == 2.5 && !metadata.usesBaseColours)
    #expect(metadata.channels.map(\.minimum) == [-0.25, 0, -1])
    #expect(metadata.channels.map(\.maximum) == [1, 2, 4])
    #expect(metadata.channels.map(\.gamma) == [1, 0.5, 2])
  }

  @Test(arguments: [
    (3, 0, "alternate headroom has a denominator of 0"), (5, 0, "minimum has a denominator of 0"),
    (8, 0, "gamma is 0"), (4, 5, "minimum is above its maximum"), (2, 200, "alternate headroom is above 64"),
  ])
  func brokenNumbersAreRefusedByName(place: Int, value: Int, reason: String) {
    var numbers = Self.numbers
    numbers[place] = value
    #expect {
      try GainMapMetadata(iso: Self.iso(flags: 0, numbers)[...])
    } throws: {
      "\($0)".contains(reason)
    }
  }

  @Test func otherVersionsAndLengthsAreRefused() throws {
    let sound = Self.iso(flags: 0, Self.numbers)
    for length in sound.indices {
      #expect(throws: CodecError.self) { try GainMapMetadata(iso: sound[..<length]) }
    }
    #expect(throws: CodecError.self) { try GainMapMetadata(iso: (sound + [0])[...]) }
    // A later version may add data that this reader can ignore.
    _ = try GainMapMetadata(iso: (Self.iso(flags: 0, Self.numbers, writer: 1) + [0])[...])
    #expect(throws: CodecError.self) { try GainMapMetadata(iso: ([0, 1] + sound.dropFirst(2))[...]) }
    #expect(throws: CodecError.self) { try GainMapMetadata(iso: Self.iso(flags: 4, Self.numbers)[...]) }
    #expect(throws: CodecError.self) { try GainMapMetadata(item: ([1] + sound)[...]) }
  }

  @Test func attributesAndArraysOfXMPAreRead() throws {
    let packet = XMPText(
      Array(
        """
        <rdf:Description hdrgm:Version="1.0" hdrgm:GainMapMin = '-0.5' hdrgm:HDRCapacityMax="3.5" hdrgm:OffsetHDR="0">
        <hdrgm:GainMapMax><rdf:Seq> <rdf:li>3.5</rdf:li><rdf:li> 3.6 </rdf:li><rdf:li>3.7</rdf:li></rdf:Seq>
        </hdrgm:GainMapMax><hdrgm:Gamma>0.5</hdrgm:Gamma></rdf:Description>
        """.utf8)[...])
    let metadata = try #require(try GainMapMetadata(ultraHDR: packet))
    #expect(metadata.kind == .ultraHDR && metadata.baseHeadroom == 0 && metadata.alternateHeadroom == 3.5)
    #expect(metadata.channels.map(\.maximum) == [3.5, 3.6, 3.7])
    #expect(metadata.channels.map(\.minimum) == [-0.5, -0.5, -0.5])
    #expect(metadata.channels[1].gamma == 0.5 && metadata.channels[1].baseOffset == 1.0 / 64)
    #expect(metadata.channels[0].alternateOffset == 0)
  }

  @Test func aBrighterBaseTurnsXMPsOrderAround() throws {
    let text =
      "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\" hdrgm:HDRCapacityMax=\"2\" hdrgm:OffsetSDR=\"0.5\" "
      + "hdrgm:BaseRenditionIsHDR=\"True\""
    let metadata = try #require(try GainMapMetadata(ultraHDR: XMPText(Array(text.utf8)[...])))
    #expect(metadata.baseHeadroom == 2 && metadata.alternateHeadroom == 0)
    #expect(metadata.channels[0].alternateOffset == 0.5)
    #expect(metadata.weight(at: 0) == -1 && metadata.weight(at: 2) == 0)
  }

  @Test(arguments: ["inf", "nan", "-1", "1e400", "two", ""])
  func senselessHeadroomsOfXMPAreRefused(value: String) {
    let text = "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\" hdrgm:HDRCapacityMax=\"\(value)\""
    #expect(throws: CodecError.self) { try GainMapMetadata(ultraHDR: XMPText(Array(text.utf8)[...])) }
    let apple = "<HDRGainMap:HDRGainMapHeadroom>\(value)</HDRGainMap:HDRGainMapHeadroom>"
    #expect(throws: CodecError.self) {
      try GainMapMetadata(apple: [XMPText(Array(apple.utf8)[...])], tiff: nil)
    }
  }

  /// Exif metadata with Apple's notes 33 and 48, in thousandths; nil for a missing one.
  static func exif(_ m33: Int?, _ m48: Int?) -> [UInt8] {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      HEIFBoxes.short(tag) + HEIFBoxes.short(type) + HEIFBoxes.long(count) + HEIFBoxes.long(value)
    }
    let notes = [(33, m33), (48, m48)].compactMap { tag, value in value.map { (tag, $0) } }
    let values = 14 + 2 + 12 * notes.count + 4
    var maker = Array("Apple iOS\0\0\u{1}MM".utf8) + HEIFBoxes.short(notes.count)
    for (index, note) in notes.enumerated() { maker += entry(note.0, 10, 1, values + 8 * index) }
    maker += HEIFBoxes.long(0) + notes.flatMap { HEIFBoxes.long($0.1) + HEIFBoxes.long(1000) }
    let head = Array("MM".utf8) + HEIFBoxes.short(42) + HEIFBoxes.long(8)
    let root = HEIFBoxes.short(1) + entry(0x8769, 4, 1, 26) + HEIFBoxes.long(0)
    return head + root + HEIFBoxes.short(1) + entry(0x927C, 7, maker.count, 44) + HEIFBoxes.long(0) + maker
  }

  /// The four branches on Apple's page.
  @Test(
    arguments: [
      (0, 0, 1.8), (500, 1000, 1.5), (1000, 5, 2.65), (1010, 1000, 2.0), (1000, nil, 3), (nil, 1000, 1.5),
    ] as [(Int?, Int?, Double)])
  func applesMakerNotesGiveStops(m33: Int?, m48: Int?, stops: Double) throws {
    let exif = Self.exif(m33, m48)
    let metadata = try GainMapMetadata(apple: [], tiff: exif[...])
    #expect(abs(metadata.alternateHeadroom - stops) < 1e-12 && metadata.kind == .apple)
    for length in exif.indices { _ = AppleMakerNotes.headroom(in: exif[..<length]) }
  }

  @Test func applesHeadroomIsAFactor() throws {
    let text = "<HDRGainMap:HDRGainMapHeadroom>4.532783</HDRGainMap:HDRGainMapHeadroom>"
    let metadata = try GainMapMetadata(apple: [XMPText(Array(text.utf8)[...])], tiff: nil)
    #expect(abs(metadata.maximumHeadroom - 2.18039709) < 1e-8)
    #expect(throws: CodecError.self) { try GainMapMetadata(apple: [], tiff: nil) }
  }
}
