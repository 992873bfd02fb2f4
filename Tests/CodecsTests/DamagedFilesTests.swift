import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// A damaged file gives the same pixels or the same fault, whatever was in memory before it was decoded.
struct DamagedFilesTests {
  /// Leaves freed memory of many sizes behind, filled with this byte.
  private func leave(_ byte: UInt8) {
    for size in [96, 400, 1_500, 6_000, 24_000, 100_000, 400_000] {
      // The system would clear further large blocks, since they come from it each time.
      let blocks = (0..<(size > 100_000 ? 1 : 12)).map { _ in
        UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      }
      for block in blocks { memset(block, Int32(byte), size) }
      for block in blocks { block.deallocate() }
    }
  }

  private func answer(_ reader: any ImageReader, _ bytes: [UInt8], _ request: DecodePart) -> String {
    do throws(CodecError) {
      guard let image = try reader.decode(bytes, request, limits: ReadLimits()).raster else { return "none" }
      return "\(image.width)×\(image.height) \(image.samples.hashValue)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: ["jpeg", "heic:preset=ultrafast", "avif", "webp", "jxl", "png"])
  func memoryOfOthersIsNotShown(spelling: String) throws {
    let registry = CodecRegistry.standard
    let image = try #require(SyntheticImage.waves(width: 128, height: 72))
    var intact: [UInt8] = []
    if spelling == "png" {
      intact = try PNGWriter().write(image)
    } else {
      let variant = try registry.variant(spelling)
      let codec = try #require(registry.codec(variant.codec))
      let quality = try #require(Quality(thousandths: 500))
      intact = try codec.encode(
        image, EncodeSettings(variant: variant, quality: quality, traits: codec.traits))
    }
    let reader = try #require(registry.reader(for: intact))
    var generator = SeededGenerator(seed: 51)
    for round in 0..<60 {
      var bytes = intact
      if round % 4 == 0 {
        bytes = Array(intact.prefix(Int.random(in: 20..<intact.count, using: &generator)))
      } else {
        bytes[Int.random(in: (intact.count / 3)..<intact.count, using: &generator)] ^=
          1 << UInt8.random(in: 0...7, using: &generator)
      }
      for request in [DecodePart.full, .scaled(longestSide: 40)] {
        leave(0x11)
        let first = answer(reader, bytes, request)
        _ = try? reader.decode(intact, request, limits: ReadLimits())
        leave(0xEE)
        #expect(answer(reader, bytes, request) == first, "\(spelling), \(round)")
      }
    }
  }
}
