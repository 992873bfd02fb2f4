import Model
import Pixels
import TestSupport
import Testing

struct PixelRegionTests {
  @Test(arguments: 1...8) func regionsOfTheUprightImageAreFoundInTheStoredOne(value: Int) throws {
    let orientation = try #require(Orientation(rawValue: value))
    let stored = try #require(SyntheticImage.waves(width: 31, height: 22, layout: .rgba))
    let upright = stored.oriented(orientation)
    var generator = SeededGenerator(seed: UInt64(value))
    for _ in 0..<50 {
      let region = Self.region(in: upright, &generator)
      let place = region.stored(as: orientation, width: 31, height: 22)
      let part = try #require(stored.cropped(to: place))
      #expect(part.oriented(orientation) == upright.cropped(to: region))
      #expect(place.upright(from: orientation, width: 31, height: 22) == region)
    }
  }

  @Test func whatIsNotInsideIsNoRegion() throws {
    let image = try #require(SyntheticImage.waves(width: 10, height: 8))
    for region in [
      PixelRegion(x: -1, y: 0, width: 2, height: 2), PixelRegion(x: 9, y: 0, width: 2, height: 2),
      PixelRegion(x: 0, y: 0, width: 0, height: 2), PixelRegion(x: 0, y: 8, width: 1, height: 1),
      PixelRegion(x: 1, y: 1, width: .max, height: 1),
    ] { #expect(image.cropped(to: region) == nil) }
  }

  @Test func aCanvasIsPutTogetherFromParts() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 10, bitDepth: 10))
    var canvas = RasterCanvas(width: 20, height: 10, like: image)
    for (x, width) in [(0, 7), (7, 13)] {
      let part = PixelRegion(x: x, y: 0, width: width, height: 10)
      let isPasted = canvas.paste(image, from: part, x: x, y: 0)
      #expect(isPasted)
    }
    #expect(canvas.image == image)
    let whole = PixelRegion(x: 0, y: 0, width: 20, height: 10)
    let isOutside = !canvas.paste(image, from: whole, x: 1, y: 0)
    let isOther = !canvas.paste(image.scaledDepth(to: 8), from: whole, x: 0, y: 0)
    #expect(isOutside && isOther)
  }

  /// WebP stores no alpha with a tile that is opaque, and some of a picture's tiles usually are.
  @Test func opaquePartsFitACanvasWithAlpha() throws {
    let pixel = PixelRegion(x: 0, y: 0, width: 1, height: 1)
    let clear = try #require(RasterImage(width: 1, height: 1, layout: .rgba, bytes: [1, 2, 3, 4]))
    let opaque = try #require(RasterImage(width: 1, height: 1, layout: .rgb, bytes: [5, 6, 7]))
    var canvas = RasterCanvas(width: 2, height: 1, like: clear)
    let isFirst = canvas.paste(clear, from: pixel, x: 0, y: 0)
    let isSecond = canvas.paste(opaque, from: pixel, x: 1, y: 0)
    #expect(isFirst && isSecond)
    #expect(canvas.image?.samples == .bytes([1, 2, 3, 4, 5, 6, 7, 255]))
    var flat = RasterCanvas(width: 1, height: 1, like: opaque)
    let isLost = flat.paste(clear, from: pixel, x: 0, y: 0)
    #expect(!isLost, "alpha must not get lost")
    let wide = try #require(
      RasterImage(
        width: 1, height: 1, format: PixelFormat(layout: .gray, bitDepth: 10), samples: .words([9])))
    #expect(wide.withAlpha().samples == .words([9, 1023]))
  }

  @Test func theMiddleIsAtMostTheImage() {
    #expect(
      PixelRegion.centred(width: 512, height: 512, inWidth: 1000, height: 300)
        == PixelRegion(x: 244, y: 0, width: 512, height: 300))
  }

  static func region(in image: RasterImage, _ generator: inout SeededGenerator) -> PixelRegion {
    let width = Int.random(in: 1...image.width, using: &generator)
    let height = Int.random(in: 1...image.height, using: &generator)
    return PixelRegion(
      x: Int.random(in: 0...(image.width - width), using: &generator),
      y: Int.random(in: 0...(image.height - height), using: &generator), width: width, height: height)
  }
}
