import Pixels
import TestSupport
import Testing

struct ReductionTests {
  @Test(arguments: [ChannelLayout.gray, .rgb, .rgba, .grayAlpha], [2, 3, 5])
  func wholeFactorsAreTheBoxesOfDownscale(layout: ChannelLayout, factor: Int) throws {
    let image = try #require(SyntheticImage.waves(width: 30, height: 60, layout: layout))
    let boxes = try image.downscaled(by: factor)
    let reduced = try image.reduced(toWidth: 30 / factor, height: 60 / factor)
    #expect(reduced.format == boxes.format)
    let (a, b) = (try reduced.samples.eightBits(), try boxes.samples.eightBits())
    #expect(zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  /// Half black and half white is 50 % light, which sRGB writes as 188, not 128.
  @Test(arguments: [ReductionFilter.area, .lanczos]) func lightIsLinear(filter: ReductionFilter) throws {
    let stripes = (0..<64 * 64).map { UInt8($0 % 2 == 0 ? 0 : 255) }
    let image = try #require(RasterImage(width: 64, height: 64, layout: .gray, bytes: stripes))
    let small = try image.reduced(toWidth: 8, height: 8, by: filter)
    #expect(try small.samples.eightBits()[8 * 4 + 4] == 188)
  }

  @Test func fractionsOfPixelsCount() throws {
    // Three pixels become two, so each covers one and a half.
    let image = try #require(RasterImage(width: 3, height: 1, layout: .gray, bytes: [255, 255, 0]))
    let samples = try image.reduced(toWidth: 2, height: 1).samples.eightBits()
    #expect(samples[0] == 255)
    // A third of full light.
    #expect(samples[1] == 156)
  }

  @Test func plainColourStaysInEveryFormat() throws {
    for depth in [8, 10, 16] {
      let format = PixelFormat(layout: .rgb, bitDepth: depth)
      let value = format.maximum / 3
      let samples: RasterImage.Samples =
        depth == 8
        ? .bytes([UInt8](repeating: UInt8(value), count: 37 * 23 * 3))
        : .words([UInt16](repeating: UInt16(value), count: 37 * 23 * 3))
      let image = try #require(RasterImage(width: 37, height: 23, format: format, samples: samples))
      let small = try image.reduced(toWidth: 10, height: 7)
      switch small.samples {
      case .bytes(let bytes): #expect(bytes.allSatisfy { Int($0) == value })
      case .words(let words): #expect(words.allSatisfy { abs(Int($0) - value) <= 1 })
      }
    }
  }

  /// A reduction moved by whole pixels equals the unmoved one, shifted by as many.
  @Test(arguments: [ReductionFilter.area, .lanczos]) func movingIsByNewPixels(filter: ReductionFilter) throws
  {
    let image = try #require(SyntheticImage.waves(width: 80, height: 40))
    let still = try image.reduced(toWidth: 20, height: 10, by: filter)
    let moved = try image.reduced(toWidth: 20, height: 10, by: filter, movedBy: (2, -1))
    let expected = still.cropped(to: PixelRegion(x: 6, y: 3, width: 10, height: 4))
    #expect(moved.cropped(to: PixelRegion(x: 4, y: 4, width: 10, height: 4)) == expected)
  }

  @Test func nothingIsEnlarged() throws {
    let image = try #require(SyntheticImage.waves(width: 30, height: 20))
    #expect(image.size(fitting: 320) == (30, 20))
    #expect(image.size(fitting: 15) == (15, 10))
    #expect(image.size(fitting: 1) == (1, 1))
    #expect(throws: PixelError.self) { try image.reduced(toWidth: 31, height: 20) }
    #expect(throws: PixelError.self) { try image.reduced(toWidth: 0, height: 20) }
    #expect(try image.reduced(toWidth: 30, height: 20) == image)
  }
}
