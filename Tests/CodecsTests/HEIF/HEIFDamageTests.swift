import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Damaged HEIC: blocks without decoded data are never shown.
@Suite(
  .enabled(
    if: !HEIFLibraries.heic.isEmpty && LoadedLibrary("libde265") != nil,
    "SKIPPED: libheif has loaded no libde265"))
struct HEIFDamageTests {
  private let reader = HEIFReader()

  private func heic(_ spelling: String, width: Int = 256, height: Int = 128) throws -> [UInt8] {
    let variant = try CodecRegistry.standard.variant(spelling)
    let image = try #require(SyntheticImage.waves(width: width, height: height))
    let quality = try #require(Quality(thousandths: 600))
    return try HEICCodec().encode(
      image, EncodeSettings(variant: variant, quality: quality, traits: HEICCodec().traits))
  }

  /// Copies with one bit flipped in the data of the first coded image.
  private func damaged(_ bytes: [UInt8], count: Int, seed: UInt64) throws -> [[UInt8]] {
    let items = try HEIFItems(bytes, isWhole: true)
    let coded = try #require(items.firstCoded(of: items.primary).flatMap { items.data(of: $0) })
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      var copy = bytes
      // After the lengths and the slice's header.
      let place = Int.random(in: (coded.startIndex + 24)..<coded.endIndex, using: &generator)
      copy[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      return copy
    }
  }

  /// The pixels, or the fault.
  private func answer(_ bytes: [UInt8], _ request: DecodePart) -> String {
    do throws(CodecError) {
      guard let image = try reader.decode(bytes, request, limits: ReadLimits()).raster else { return "none" }
      return "\(image.width)×\(image.height) \(image.samples.hashValue)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    "heic:preset=ultrafast", "heic:preset=ultrafast,grid=64", "heic:preset=ultrafast,depth=10",
  ])
  func theSameAfterOthers(spelling: String) throws {
    let intact = try heic(spelling)
    let other = try heic("heic:preset=ultrafast", width: 256, height: 256)
    var faults: [String: Int] = [:]
    for bytes in try damaged(intact, count: 40, seed: 51) {
      for request in [DecodePart.full, .scaled(longestSide: 32)] {
        let alone = answer(bytes, request)
        // These matter only for the memory that they leave behind.
        _ = try? reader.decode(other, .full, limits: ReadLimits())
        _ = try? reader.decode(intact, request, limits: ReadLimits())
        #expect(answer(bytes, request) == alone)
        if alone.hasPrefix("damaged") { faults[alone, default: 0] += 1 }
      }
    }
    #expect(answer(intact, .full).hasPrefix("256×128"))
    // Most flipped bits are noticed: what follows is decoded as something else, and does not end where the picture
    // does.
    #expect(faults.values.reduce(0, +) > 20, "\(faults)")
  }

  @Test func theMissingShareIsTold() throws {
    let intact = try heic("heic:preset=ultrafast", width: 512, height: 512)
    let ending = " % of the picture cannot be decoded"
    #expect(
      try damaged(intact, count: 150, seed: 3).contains { bytes in
        let fault = answer(bytes, .full)
        return fault.hasPrefix("damaged: ") && fault.hasSuffix(ending)
      })
  }
}
