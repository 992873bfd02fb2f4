import Testing

@testable import Pixels

@Suite struct RasterImageTests {
  @Test func acceptsMatchingSamples() throws {
    let image = try #require(
      RasterImage(width: 2, height: 3, layout: .rgba, bytes: Array(repeating: 7, count: 24)))
    #expect(image.pixelCount == 6)
    #expect(image.rawByteCount == 24)
  }

  @Test func refusesOtherCounts() {
    #expect(RasterImage(width: 2, height: 3, layout: .rgb, bytes: Array(repeating: 0, count: 17)) == nil)
    #expect(RasterImage(width: 0, height: 3, layout: .rgb, bytes: []) == nil)
    #expect(RasterImage(width: .max, height: 2, layout: .rgb, bytes: []) == nil)
    #expect(RasterImage(width: .max / 2, height: 1, layout: .rgba, bytes: []) == nil)
  }

  @Test func depthAndStorageGoTogether() {
    let deep = PixelFormat(layout: .gray, bitDepth: 10)
    #expect(RasterImage(width: 1, height: 1, format: deep, samples: .words([1023])) != nil)
    #expect(RasterImage(width: 1, height: 1, format: deep, samples: .bytes([255])) == nil)
    #expect(
      RasterImage(width: 1, height: 1, format: PixelFormat(layout: .gray), samples: .words([255])) == nil)
    #expect(deep.maximum == 1023)
  }

  @Test func rawBytesCountDeepSamplesTwice() throws {
    let format = PixelFormat(layout: .rgb, bitDepth: 16)
    let image = try #require(
      RasterImage(width: 5, height: 1, format: format, samples: .words(Array(repeating: 0, count: 15))))
    #expect(image.rawByteCount == 30)
  }
}
