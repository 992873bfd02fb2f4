import CodecKit
import Codecs
import Model
import Pixels
import Testing

@Suite struct PNMReaderTests {
  private let reader = PNMReader()

  private func read(_ text: String, _ body: [UInt8] = []) throws -> SourceImage {
    try reader.read(Array(text.utf8) + body, limits: ReadLimits())
  }

  @Test(
    arguments: [
      ("P1 3 2\n1 0 1\n010", [], ChannelLayout.gray, [0, 255, 0, 255, 0, 255]),
      ("P2\n# a comment\n2 1 # another\n255\n7 200", [], .gray, [7, 200]),
      ("P3 1 2 15 0 1 15\n15 8 0\n", [], .rgb, [0, 17, 255, 255, 136, 0]),
      (
        "P4\n9 2\n", [0b1010_0000, 0x80, 0, 0], .gray,
        [0, 255, 0, 255, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255]
      ),
      ("P5 2 2 255\n", [1, 2, 3, 255], .gray, [1, 2, 3, 255]),
      ("P6#c\n1 1\n255\n", [9, 8, 7], .rgb, [9, 8, 7]),
      ("P5 2 1 1\n", [0, 1], .gray, [0, 255]),
      (
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n", [5, 6], .grayAlpha,
        [5, 6]
      ),
      ("P7\n#c\nDEPTH 4\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\nENDHDR\n", [1, 2, 3, 4], .rgba, [1, 2, 3, 4]),
    ] as [(String, [UInt8], ChannelLayout, [UInt8])])
  func everyKindIsRead(text: String, body: [UInt8], layout: ChannelLayout, samples: [UInt8]) throws {
    #expect(reader.recognises(Array(text.utf8)))
    let source = try read(text, body)
    #expect(source.image.format == PixelFormat(layout: layout))
    #expect(source.image.samples == .bytes(samples))
    #expect(source.notes.isEmpty)
    let header = try reader.header(of: Array(text.utf8) + body)
    #expect(header.width == source.image.width && header.layout == layout && header.format == "pnm")
  }

  @Test func sixteenBitsAreReadAsStored() throws {
    let source = try read("P5 2 1 65535\n", [0x12, 0x34, 0xFF, 0xFF])
    #expect(source.image.format.bitDepth == 16)
    #expect(source.image.samples == .words([0x1234, 0xFFFF]))
    #expect(try read("P2 2 1 65535\n4660 65535").image.samples == source.image.samples)
  }

  @Test func tenBitsStayTenBits() throws {
    let source = try read("P5 1 1 1023\n", [0x03, 0xFF])
    #expect(source.image.format.bitDepth == 10)
    #expect(source.image.samples == .words([1023]))
  }

  @Test func oddMaximaAreStretchedWithANote() throws {
    let small = try read("P2 3 1 100\n0 50 100")
    #expect(small.image.samples == .bytes([0, 128, 255]))
    #expect(small.notes == ["samples of 0 to 100 stretched to 8 bits"])
    let large = try read("P5 2 1 1000\n", [0x03, 0xE8, 0x01, 0xF4])
    #expect(large.image.format.bitDepth == 10)
    #expect(large.image.samples == .words([1023, 512]))
  }

  @Test(arguments: [
    "", "P", "P5", "P5 1", "P5 1 1", "P5 0 1 255\n", "P5 1 1 0\n", "P5 1 1 65536\n", "P5 -1 1 255\n",
    "P5 2 2 255\n123", "P2 2 1 255\n1", "P2 1 1 255\nx", "P2 1 1 9 10", "P5 99999999999999999999 1 255\n1",
    "P5 2147483647 2147483647 255\n1", "P7\nWIDTH 1\n",
    "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 9\nMAXVAL 255\nENDHDR\n",
    "P7 nonsense 1", "P1 2 1\n1", "P1 1 1\n2", "P4 9 1\n1", "P5 1 1 15\n~",
  ])
  func brokenFilesAreErrors(text: String) {
    #expect(throws: CodecError.self) { _ = try read(text) }
  }

  @Test func aHeaderIsNotBelievedBeforeTheLimit() {
    #expect { _ = try read("P5 60000 60000 255\n") } throws: { error in
      if case CodecError.limitExceeded = error { true } else { false }
    }
  }

  @Test func otherFilesThatBeginWithPAreNotRecognised() {
    for text in ["P8 1 1", "PK\u{3}\u{4}", "P5x", "P5", "Pa", ""] {
      #expect(!reader.recognises(Array(text.utf8)))
    }
  }
}
