import TestSupport
import Testing

@testable import Pixels

struct SamplesTests {
  @Test func scalesToTheFullRange() throws {
    func words(_ words: [UInt16], bits: Int, to bitDepth: Int) throws -> RasterImage.Samples {
      let format = PixelFormat(layout: .gray, bitDepth: bits)
      return try #require(RasterImage(width: words.count, height: 1, format: format, samples: .words(words)))
        .scaledDepth(to: bitDepth).samples
    }
    let bytes = try #require(RasterImage(width: 3, height: 1, layout: .gray, bytes: [0, 128, 255]))
    #expect(bytes.scaledDepth(to: 10).samples == .words([0, 514, 1023]))
    #expect(bytes.scaledDepth(to: 8) == bytes)
    #expect(try words([0, 511, 600], bits: 9, to: 10) == .words([0, 1023, 1023]))
    #expect(try words([7, 1023], bits: 10, to: 10) == .words([7, 1023]))
    #expect(try words([0, 514, 1023, 2000], bits: 10, to: 8) == .bytes([0, 128, 255, 255]))
  }

  @Test func takesChannelsApartAndTogether() {
    let pairs: [UInt8] = [1, 10, 2, 20, 3, 30]
    let (first, second) = (
      Channels.channel(0, of: 2, in: pairs), Channels.channel(1, of: 2, in: pairs)
    )
    #expect(first == [1, 2, 3])
    #expect(second == [10, 20, 30])
    #expect(Channels.pairs(first, second) == pairs)
  }

  @Test func collapsesEqualChannelsToGray() throws {
    let rgba = try #require(
      RasterImage(width: 2, height: 1, layout: .rgba, bytes: [5, 5, 5, 9, 6, 6, 6, 8]))
    let gray = rgba.collapsedToGray()
    #expect(gray.format.layout == .grayAlpha)
    #expect(gray.samples == .bytes([5, 9, 6, 8]))
    #expect(gray.collapsedToGray() == gray)
  }

  @Test("Halved chroma is the mean of 2 × 2 pixels, and luma and gray stay")
  func halvesChroma() throws {
    // Alternating red and blue, with a last column and row of half a block.
    let colours: [[UInt8]] = [[255, 0, 0], [0, 0, 255]]
    let bytes = (0..<9).flatMap { colours[$0 % 2] }
    let image = try #require(RasterImage(width: 3, height: 3, layout: .rgb, bytes: bytes))
    guard case .bytes(let halved) = image.withHalvedChroma.samples else { throw CancellationError() }
    // Y′ is 76 for red and 29 for blue. Two of each have a mean Cb 42 and a mean Cr 53 above the middle.
    #expect(Array(halved[0..<6]) == [150, 24, 150, 103, 0, 103])
    #expect(Array(halved[24..<27]) == [255, 0, 0], "the corner is a block of its own")
    let gray = try #require(
      RasterImage(width: 2, height: 2, layout: .rgba, bytes: (0..<16).map { $0 / 4 * 40 }))
    #expect(gray.withHalvedChroma == gray)
    let format = PixelFormat(layout: .rgb, bitDepth: 10)
    let words = try #require(
      RasterImage(width: 1, height: 1, format: format, samples: .words([1023, 512, 0])))
    guard case .words(let kept) = words.withHalvedChroma.samples else { throw CancellationError() }
    #expect(zip(kept, [1023, 512, 0]).allSatisfy { abs(Int($0) - $1) <= 1 })
  }

  @Test func dividesByAlpha() throws {
    let image = try #require(
      RasterImage(width: 4, height: 1, layout: .grayAlpha, bytes: [50, 100, 90, 255, 7, 0, 200, 100]))
    #expect(image.unpremultiplied().samples == .bytes([128, 100, 90, 255, 0, 0, 255, 100]))
  }
}
