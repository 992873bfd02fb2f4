import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Files in which any number may be replaced by any other. Reading one without its picture ends in an answer or an
/// error.
@Suite struct HostileNumbersTests {
  /// Copies of the file in which `count` bytes at a place are replaced by each number that tempts arithmetic.
  private static func mutants(_ file: [UInt8], at place: Int, _ count: Int) -> [[UInt8]] {
    let first: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFF]
    return first.map { byte in
      var copy = file
      let rest: UInt8 = byte == 0x7F || byte == 0xFF ? 0xFF : 0x00
      for index in place..<min(place + count, file.count) { copy[index] = index == place ? byte : rest }
      return copy
    }
  }

  /// Reads everything that heicbench's own code can read.
  private static func read(_ bytes: [UInt8], _ reader: any ImageReader) -> Int {
    guard reader.recognises(bytes) else { return 0 }
    let contents = (try? reader.contents(of: bytes)) ?? FileContents()
    let header = try? reader.anyHeader(of: bytes)
    for request in [DecodePart.full, .region(PixelRegion(x: 8, y: 8, width: 8, height: 8))] {
      _ = try? reader.predictedMemory(of: bytes, for: request)
    }
    _ = try? GainMapFile(bytes)
    _ = try? TileRewrap(bytes, maximumPixels: .max).file(column: 0, row: 0)
    _ = try? HEIFTile(file: bytes).coding
    if let markers = try? JPEGMarkers(bytes) { _ = JPEGBands(bytes, markers)?.band(of: 8..<16) }
    if let header = try? PNMHeader(bytes), (try? PNMSamples.read(bytes, header)) != nil { return 2 }
    return (header == nil ? 0 : 1) + contents.shares.count
  }

  private static func expectAnswers(_ file: [UInt8], reach: Int = 700) throws {
    let reader = try #require(CodecRegistry.standard.reader(for: Array(file.prefix(64))))
    var answers = read(file, reader)
    for place in 0..<min(reach, file.count) {
      for count in [1, 2, 4, 8] {
        for mutant in mutants(file, at: place, count) { answers += read(mutant, reader) }
      }
    }
    #expect(answers > 0)
  }

  private static func coded(_ spelling: String, side: Int = 16) throws -> [UInt8] {
    try CodecRegistry.standard.encode(
      #require(SyntheticImage.waves(width: side, height: side)), spelling, native: 40)
  }

  @Test func ofJPEG() throws {
    var file = SegmentedJPEG(picture: try Self.coded("jpeg"))
    file.segments = [
      SegmentedJPEG.exif(thumbnail: [0xFF, 0xD8, 0xFF, 0xD9]), SegmentedJPEG.profile([1], 1, of: 1),
    ]
    file.tail = [0, 0, 0, 24] + Array("ftypisom".utf8)
    try Self.expectAnswers(file.bytes)
  }

  @Test func ofHEIF() throws {
    var file = HEIFSyntheticFile.single(width: 64, height: 64)
    file.items.append(
      .init(
        id: 2, type: "grid", properties: [HEIFSyntheticFile.size(128, 64)], sources: [1, 1],
        data: [
          0, 0, 0, 1, 0, 128, 0, 64,
        ]))
    file.items.append(.init(id: 3, type: "Exif", properties: [], data: [0, 0, 0, 0] + Array("MM\0*".utf8)))
    file.primary = 2
    try Self.expectAnswers(file.bytes)
  }

  @Test func ofPNG() throws {
    try Self.expectAnswers(PNGWriter().write(#require(SyntheticPixels.image(.rgb))))
  }

  @Test(.enabled(if: OpenedLibrary.webP.absence == nil, "SKIPPED: \(OpenedLibrary.webP.absence ?? "")"))
  func ofWebP() throws { try Self.expectAnswers(try Self.coded("webp"), reach: 60) }

  @Test(.enabled(if: OpenedLibrary.jpegXL.absence == nil, "SKIPPED: \(OpenedLibrary.jpegXL.absence ?? "")"))
  func ofJPEGXL() throws {
    let coded = try Self.coded("jxl")
    let boxes =
      JPEGXLHeader.signature + HEIFBoxes.box("jxlc", coded) + HEIFBoxes.box("Exif", [0, 0, 0, 0, 77])
    for file in [coded, boxes] { try Self.expectAnswers(file, reach: 80) }
  }

  @Test(arguments: ["P5\n2 2\n255\nabcd", "P4\n9 2\nabcd", "P2\n2 1\n9\n1 2", "P6 1 1 65535 abcdef"])
  func ofPNM(text: String) throws { try Self.expectAnswers(Array(text.utf8)) }

  @Test(arguments: ["P5 2147483647 2147483647 65535\n", "P4 2147483647 2147483647\n", "P2 99999999999 1 1\n"])
  func aPictureOfAbsurdSizeIsTruncated(text: String) throws {
    let bytes = Array(text.utf8)
    #expect(throws: CodecError.self) { try PNMSamples.read(bytes, PNMHeader(bytes)) }
  }

  @Test(arguments: [0, 1, -1, 63, Int.max, Int.min, Int.max - 1])
  func arithmeticStopsAtTheEnds(number: Int) {
    let sum = number +| Int.max
    #expect(sum == (number > 0 ? Int.max : number + Int.max))
    let (none, same) = (number *| 0, number *| 1)
    #expect([none, same, number /| 0, number /| 1] == [0, number, 0, number])
    #expect(number.indices.count == max(number, 0))
    #expect(number.indices(from: number) == number..<number)
    #expect([Int.min *| -1, Int.min /| -1, Int.max *| Int.min, Int.min -| 1] == [.max, .max, .min, .min])
    #expect(number.parts(of: 0) == 0)
  }
}
