import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

@Suite struct JPEGReaderTests {
  private let reader = JPEGReader()

  private func file(_ spelling: String = "jpeg", layout: ChannelLayout = .rgb) throws -> [UInt8] {
    let codec = JPEGCodec()
    return try codec.encode(
      try #require(SyntheticImage.waves(width: 48, height: 32, layout: layout)),
      EncodeSettings(
        variant: try CodecRegistry.standard.variant(spelling), quality: try #require(Quality("0.8")),
        traits: codec.traits))
  }

  /// The file with a segment inserted after its first marker.
  private func inserting(_ marker: UInt8, _ body: [UInt8], into file: [UInt8]) -> [UInt8] {
    let length = body.count + 2
    let head: [UInt8] = [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
    return Array(file.prefix(2)) + head + body + Array(file.dropFirst(2))
  }

  /// Exif with only the orientation, in either byte order.
  private func exif(_ orientation: UInt8, littleEndian: Bool) -> [UInt8] {
    Array("Exif\0\0".utf8)
      + (littleEndian
        ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
        : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: 0...9, [true, false])
  func orientationIsReadInBothByteOrders(value: Int, littleEndian: Bool) throws {
    let bytes = inserting(0xE1, exif(UInt8(value), littleEndian: littleEndian), into: try file())
    let source = try reader.read(bytes, limits: ReadLimits())
    #expect(source.orientation == Orientation(rawValue: value) ?? .up)
    #expect(source.image.width == 48 && source.image.height == 32, "orientation is not applied here")
  }

  @Test(arguments: [1, 6, 8] as [UInt8], [1, 3, 6] as [UInt8])
  func theFirstOfTwoOrientationsCounts(first: UInt8, second: UInt8) throws {
    let inner = inserting(0xE1, exif(second, littleEndian: false), into: try file())
    let bytes = inserting(0xE1, exif(first, littleEndian: true), into: inner)
    #expect(try reader.read(bytes, limits: ReadLimits()).orientation == Orientation(rawValue: Int(first)))
    // Exif without an orientation leaves it to the next block.
    let silent = inserting(0xE1, exif(0, littleEndian: true), into: inner)
    #expect(try reader.read(silent, limits: ReadLimits()).orientation == Orientation(rawValue: Int(second)))
  }

  @Test(.enabled(if: SharedFolder.isPresent, .init(rawValue: SharedFolder.reason)))
  func theFirstOrientationOfAFoundFileCounts() throws {
    let source = try reader.read(SharedFolder.bytes("field/exif/first-1-then-6.jpg"), limits: ReadLimits())
    #expect(source.orientation == .up)
    #expect(source.image.width == 96 && source.image.height == 64)
  }

  @Test(
    arguments: [
      (0xC3, "lossless JPEG (SOF3)"), (0xCB, "SOF11"), (0xC5, "hierarchical JPEG"),
      (0xCD, "hierarchical JPEG"),
    ] as [(UInt8, String)])
  func aProcessThatLibjpegDoesNotKnowIsNoDamage(marker: UInt8, wording: String) throws {
    var bytes = try file()
    let frame = try #require(bytes.firstRange(of: [0xFF, 0xC0, 0x00, 0x11]))
    bytes[frame.lowerBound + 1] = marker
    guard marker != 0xC3 || JPEGLibrary.loaded.version.hasPrefix("2") else {
      return #expect(try reader.header(of: bytes).width == 48, "a newer library decodes it")
    }
    let error = #expect(throws: CodecError.self) { try reader.read(bytes, limits: ReadLimits()) }
    guard case .unsupported(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(wording))
    // Damage is still reported as damage.
    let cut = Array(try file().prefix(100))
    #expect(throws: CodecError.malformed("JPEG without a complete frame header")) {
      try reader.read(Array(cut.prefix(20)), limits: ReadLimits())
    }
  }

  @Test func brokenExifIsNoObstacle() throws {
    let whole = exif(6, littleEndian: true)
    for length in 0..<whole.count {
      _ = try reader.read(inserting(0xE1, Array(whole.prefix(length)), into: file()), limits: ReadLimits())
    }
    var farAway = whole
    farAway.replaceSubrange(10..<14, with: [0xFF, 0xFF, 0xFF, 0xFF])
    let source = try reader.read(inserting(0xE1, farAway, into: file()), limits: ReadLimits())
    #expect(source.orientation == .up)
  }

  @Test func theHeaderTellsWhatDecodingGives() throws {
    for layout in [ChannelLayout.gray, .rgb] {
      let header = try reader.header(of: try file(layout: layout))
      #expect(
        header
          == ImageHeader(format: "jpeg", width: 48, height: 32, bitDepth: 8, layout: layout, isLossy: true))
    }
  }

  @Test func aScanBombIsRefused() throws {
    let progressive = try file("jpeg:progressive", layout: .gray)
    let lastScan = try #require(
      progressive.indices.dropLast().last { progressive[$0...].starts(with: [0xFF, 0xDA]) })
    let scan = progressive[lastScan..<progressive.count - 2]
    let bomb = progressive.dropLast(2) + Array(repeating: scan, count: 600).joined() + [0xFF, 0xD9]
    #expect { _ = try reader.read(Array(bomb), limits: ReadLimits()) } throws: { error in
      if case CodecError.limitExceeded = error { true } else { false }
    }
    #expect(throws: Never.self) { try reader.read(progressive, limits: ReadLimits(maximumScans: 20)) }
    #expect(throws: CodecError.self) { try reader.read(progressive, limits: ReadLimits(maximumScans: 2)) }
  }

  @Test func pixelsAreLimited() throws {
    #expect { _ = try reader.read(try file(), limits: ReadLimits(maximumPixels: 48 * 32 - 1)) } throws: {
      error in
      if case CodecError.limitExceeded = error { true } else { false }
    }
    #expect(throws: Never.self) { try reader.read(try file(), limits: ReadLimits(maximumPixels: 48 * 32)) }
  }

  @Test(arguments: ["jpeg", "jpeg:progressive"])
  func missingDataAreAnErrorNotGrayRows(spelling: String) throws {
    let whole = try file(spelling)
    for length in [0, 2, 20, whole.count / 4, whole.count / 2, whole.count * 3 / 4, whole.count - 20] {
      #expect(throws: CodecError.self, "\(length) of \(whole.count) bytes") {
        try reader.read(Array(whole.prefix(length)), limits: ReadLimits())
      }
    }
  }

  @Test func profilesThatLackAChunkAreNoted() throws {
    let profile = try #require(TestProfiles.displayP3?.iccBytes)
    func read(_ chunks: [[UInt8]]) throws -> SourceImage {
      try reader.read(SegmentedJPEG(segments: chunks, picture: file()).bytes, limits: ReadLimits())
    }
    let halves = [profile.prefix(300), profile.dropFirst(300)].map { Array($0) }
    let first = SegmentedJPEG.profile(halves[0], 1, of: 2)
    let whole = try read([first, SegmentedJPEG.profile(halves[1], 2, of: 2)])
    #expect(whole.notes.isEmpty && whole.image.profile.iccBytes == profile)
    let part = try read([first])
    #expect(part.notes == ["broken ICC profile dropped"] && part.image.profile == .sRGB)
  }

  @Test func harmlessWarningsAreNoted() throws {
    var bytes = try file()
    bytes.insert(contentsOf: [1, 2, 3], at: 2)
    let source = try reader.read(bytes, limits: ReadLimits())
    #expect(source.notes.count == 1 && source.notes[0].contains("extraneous"), "\(source.notes)")
  }

  @Test func twelveBitsAndLateHeightsAreNamed() throws {
    var bytes = try file()
    let frame = try #require(bytes.indices.dropLast().first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    var deep = bytes
    deep[frame + 4] = 12
    #expect(throws: CodecError.unsupported("JPEG with 12 bits per sample")) { try reader.header(of: deep) }
    (bytes[frame + 5], bytes[frame + 6]) = (0, 0)
    #expect(throws: CodecError.self) { try reader.header(of: bytes) }
  }
}
