import CodecKit
import Foundation
import Model
import TestSupport
import Testing

@testable import Codecs

@Suite("What files tell of how they were made")
struct FileMakingTests {
  private func encode(_ spelling: String) throws -> FileMaking {
    let registry = CodecRegistry.standard
    let variant = try registry.variant(spelling)
    let codec = try #require(registry.codec(variant.codec))
    let quality = try #require(Quality(thousandths: 600))
    let image = try #require(SyntheticImage.waves(width: 96, height: 64))
    let bytes = try codec.encode(
      image, EncodeSettings(variant: variant, quality: quality, traits: codec.traits))
    return try #require(registry.reader(for: bytes)).making(of: bytes)
  }

  @Test(
    "coding, chroma and depth of what our own codecs write",
    arguments: [
      ("jpeg", "JPEG baseline", "4:2:0"), ("jpeg:progressive=true,chroma=444", "JPEG progressive", "4:4:4"),
      ("jpeg:chroma=422", "JPEG baseline", "4:2:2"), ("heic", "HEVC Main Still Picture", "4:2:0"),
      ("heic:chroma=444", "HEVC Range Extensions", "4:4:4"), ("avif", "AV1 Main", "4:2:0"),
      ("avif:chroma=444", "AV1 High", "4:4:4"),
    ])
  func ownFiles(spelling: String, coding: String, chroma: String) throws {
    let making = try encode(spelling)
    #expect(making.coding == coding && making.chroma == chroma && making.bitDepth == 8)
    #expect(making.software == nil && making.camera == nil && making.tiles == nil)
    #expect(making.summary.hasSuffix("\(coding), \(chroma), 8 bits"))
  }

  @Test("tiles are told as columns and rows")
  func tiles() throws {
    let registry = CodecRegistry.standard
    let variant = try registry.variant("heic:grid=64")
    let codec = try #require(registry.codec("heic"))
    let image = try #require(SyntheticImage.waves(width: 192, height: 128))
    let quality = try #require(Quality(thousandths: 500))
    let bytes = try codec.encode(
      image, EncodeSettings(variant: variant, quality: quality, traits: codec.traits))
    #expect(HEIFReader().making(of: bytes).tiles == "3×2 tiles of 64×64")
  }

  @Test(
    "a phone's file tells the phone", .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"))
  func phone() throws {
    let making = HEIFReader().making(of: try SharedFolder.bytes("inputs/device/arrow.heic"))
    #expect(making.camera?.hasPrefix("Apple iPhone") == true)
    #expect(making.software?.isEmpty == false)
    #expect(making.coding?.hasPrefix("HEVC Main") == true && making.tiles?.hasSuffix("of 512×512") == true)
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

  @Test("x265's own message is read, whatever else a stream says")
  func encoderMessage() {
    let words = "x265 (build 199) - 3.5+1-f0c1022b6:[Linux][GCC 12] 8bit - H.265/HEVC codec - Copyright"
    let payload = [UInt8](repeating: 0xAB, count: 16) + Array(words.utf8)
    let unit: [UInt8] = [39 << 1, 1, 5, UInt8(payload.count)] + payload + [0x80]
    let parameters: [UInt8] = [33 << 1, 1, 7, 7]
    func prefixed(_ unit: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(unit.count)] + unit }
    let stream = prefixed(parameters) + prefixed(unit)
    #expect(HEVCMessages.encoder(in: stream[...], lengthSize: 4) == "x265 3.5+1-f0c1022b6")
    for length in stream.indices { _ = HEVCMessages.encoder(in: stream[..<length], lengthSize: 4) }
    let binary: [UInt8] = [39 << 1, 1, 5, 20] + [UInt8](repeating: 1, count: 20)
    #expect(HEVCMessages.encoder(inUnit: binary[...]) == nil)
  }

  @Test("hostile files say nothing and do no harm", arguments: ["", "\u{FF}", "RIFF", "\u{89}PNG"])
  func hostile(start: String) {
    let bytes = Array(start.utf8) + [UInt8](repeating: 0xFF, count: 40)
    for reader in CodecRegistry.standard.readers {
      let making = reader.making(of: bytes)
      #expect(making.software == nil && making.camera == nil && making.encoder == nil, "\(reader)")
    }
  }
}
