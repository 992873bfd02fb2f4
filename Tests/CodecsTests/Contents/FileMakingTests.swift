import CodecKit
import Foundation
import Model
import TestSupport
import Testing

@testable import Codecs

@Suite("How files say they were made")
struct FileMakingTests {
  @Test(
    "a phone's file names the phone", .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"))
  func phone() throws {
    let making = try HEIFReader().contents(of: try SharedFolder.bytes("inputs/device/arrow.heic")).making
    #expect(making.camera?.hasPrefix("Apple iPhone") == true)
    #expect(making.software?.isEmpty == false)
  }

  @Test("Exif texts are found in both byte orders, cut at zero bytes, and harmless")
  func exif() throws {
    for little in [true, false] {
      func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return little ? bytes : bytes.reversed()
      }
      func entry(_ tag: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
        number(tag, 2) + number(2, 2) + number(count, 4) + value
      }
      let text = Array("Photos \u{7}1.5\0junk".utf8)
      let tiff: [UInt8] =
        Array((little ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
        + entry(272, 3, Array("X1\0\0".utf8)) + entry(305, text.count, number(38, 4)) + number(0, 4) + text
      #expect(ExifText.find(.model, in: tiff[...]) == "X1")
      let software = try #require(ExifText.find(.software, in: tiff[...]))
      #expect(software.hasPrefix("Photos") && software.hasSuffix("1.5"))
      #expect(ExifText.find(.make, in: tiff[...]) == nil)
      for length in tiff.indices { _ = ExifText.find(.software, in: tiff[..<length]) }
    }
  }

  @Test("a JPEG file's comment names its software unless Exif does") func comment() throws {
    var file = SegmentedJPEG(picture: [0xFF, 0xD8, 0xFF, 0xD9])
    file.segments = [SegmentedJPEG.comment("  CREATOR: gd-jpeg v1.0\0 ")]
    #expect(JPEGReader().contents(of: file.bytes).making.summary == "CREATOR: gd-jpeg v1.0")
  }

  @Test("hostile files give nothing and do no harm", arguments: ["", "\u{FF}", "RIFF", "\u{89}PNG"])
  func hostile(start: String) {
    let bytes = Array(start.utf8) + [UInt8](repeating: 0xFF, count: 40)
    for reader in CodecRegistry.standard.readers {
      let making = (try? reader.contents(of: bytes))?.making ?? FileMaking()
      #expect(making == FileMaking(), "\(reader)")
    }
  }
}
