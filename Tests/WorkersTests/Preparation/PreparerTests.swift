import CodecKit
import Model
import Pixels
import TestSupport
import Testing
import Workers

@Suite("Preparation")
struct PreparerTests {
  private func prepare(
    _ image: RasterImage?, _ preparation: Preparation = Preparation(), orientation: Orientation = .up
  ) throws -> (image: RasterImage, steps: [String]) {
    try Preprocessor(preparation).prepare(
      SourceImage(image: try #require(image), orientation: orientation, notes: ["noted"]))
  }

  @Test("an image that every codec supports stays as it is")
  func untouched() throws {
    let image = SyntheticImage.waves(width: 5, height: 4)
    let prepared = try prepare(image)
    #expect(prepared.image == image)
    #expect(prepared.steps == ["noted"])
  }

  @Test("orientation is listed as a step")
  func orientation() throws {
    let prepared = try prepare(SyntheticImage.waves(width: 5, height: 4), orientation: .right)
    #expect((prepared.image.width, prepared.image.height) == (4, 5))
    #expect(prepared.steps == ["noted", "orientation 6 applied"])
  }

  @Test("alpha is flattened on the background, rounded to the nearest value")
  func flattening() throws {
    let image = RasterImage(
      width: 4, height: 1, layout: .rgba,
      bytes: [10, 20, 30, 255, 10, 20, 30, 0, 10, 20, 30, 128, 0, 0, 0, 1])
    let white = try prepare(image)
    #expect(white.image.format.layout == .rgb)
    #expect(white.image.samples == .bytes([10, 20, 30, 255, 255, 255, 132, 137, 142, 254, 254, 254]))
    #expect(white.steps == ["noted", "alpha flattened on #ffffff"])
    let colour = try prepare(image, Preparation(background: [255, 0, 10]))
    #expect(colour.image.samples == .bytes([10, 20, 30, 255, 0, 10, 132, 10, 20, 254, 0, 10]))
    #expect(colour.steps.last == "alpha flattened on #ff000a")
  }

  @Test("gray stays gray on a coloured background")
  func grayFlattening() throws {
    let image = RasterImage(width: 2, height: 1, layout: .grayAlpha, bytes: [50, 255, 50, 0])
    let prepared = try prepare(image, Preparation(background: [255, 0, 0]))
    #expect(prepared.image.format.layout == .gray)
    #expect(prepared.image.samples == .bytes([50, 76]))
  }

  @Test("16-bit alpha is flattened at full depth and then rounded")
  func deepFlattening() throws {
    let samples: [UInt16] = [65535, 0, 32768, 65535, 1000, 2000, 3000, 0, 0, 65535, 0, 32768]
    let image = RasterImage(
      width: 3, height: 1, format: PixelFormat(layout: .rgba, bitDepth: 16), samples: .words(samples))
    let deep = try prepare(image, Preparation(maximumBitDepth: 16))
    #expect(
      deep.image.samples == .words([65535, 0, 32768, 65535, 65535, 65535, 32767, 65535, 32767]))
    let shallow = try prepare(image)
    #expect(shallow.image.samples == .bytes([255, 0, 128, 255, 255, 255, 127, 255, 127]))
    #expect(shallow.steps == ["noted", "alpha flattened on #ffffff", "16 bits rounded to 8"])
  }

  @Test("alpha is kept if every codec supports it, unless it is opaque")
  func keptAlpha() throws {
    let keeping = Preparation(keepsAlpha: true)
    let clear = RasterImage(width: 1, height: 1, layout: .rgba, bytes: [1, 2, 3, 254])
    #expect(try prepare(clear, keeping).image == clear)
    let opaque = RasterImage(width: 2, height: 1, layout: .grayAlpha, bytes: [1, 255, 3, 255])
    let prepared = try prepare(opaque, keeping)
    #expect(prepared.image.samples == .bytes([1, 3]))
    #expect(prepared.image.format.layout == .gray)
    #expect(prepared.steps == ["noted", "opaque alpha dropped"])
  }

  @Test("downscaling comes after alpha, and must leave at least one pixel")
  func downscaling() throws {
    let image = RasterImage(
      width: 2, height: 2, layout: .grayAlpha, bytes: [0, 0, 255, 255, 255, 255, 255, 255])
    let prepared = try prepare(image, Preparation(downscale: 2))
    #expect(prepared.image.samples == .bytes([255]))
    #expect(prepared.steps == ["noted", "alpha flattened on #ffffff", "downscaled by 2"])
    #expect(throws: Failure.self) { try prepare(image, Preparation(downscale: 3)) }
  }

  @Test("the profile is kept")
  func profile() throws {
    let image = SyntheticImage.waves(width: 3, height: 3, layout: .rgba, bitDepth: 16)?.tagged(.icc([1, 2]))
    #expect(try prepare(image, orientation: .left).image.profile == .icc([1, 2]))
  }

  @Test("every 16-bit value becomes the nearest 8-bit and 10-bit one", arguments: [8, 10, 12])
  func depths(bitDepth: Int) throws {
    let image = RasterImage(
      width: 256, height: 256, format: PixelFormat(layout: .gray, bitDepth: 16),
      samples: .words((0...UInt16.max).map { $0 }))
    let prepared = try prepare(image, Preparation(maximumBitDepth: bitDepth)).image
    let values: [Int] =
      switch prepared.samples {
      case .bytes(let samples): samples.map(Int.init)
      case .words(let samples): samples.map(Int.init)
      }
    let top = Double((1 << bitDepth) - 1)
    #expect(prepared.format.bitDepth == bitDepth)
    #expect(values.enumerated().allSatisfy { $1 == Int((Double($0) * top / 65535).rounded()) })
  }

  @Test("samples beyond their declared depth do not trap")
  func excessiveSamples() throws {
    let image = RasterImage(
      width: 1, height: 1, format: PixelFormat(layout: .grayAlpha, bitDepth: 10),
      samples: .words([65535, 500]))
    #expect(try prepare(image).image.format.bitDepth == 8)
  }

  @Test("no more bits than any codec supports, and alpha only if all support it")
  func common() {
    func supports(_ supports: (Bool, Int)...) -> [PixelSupport] {
      supports.map { PixelSupport(alpha: $0.0, maximumBitDepth: $0.1, maximumSide: 100) }
    }
    #expect(Preparation(for: supports((true, 10), (false, 8))) == Preparation())
    let preparation = Preparation(for: supports((true, 10), (true, 12)), downscale: 2)
    #expect(preparation == Preparation(keepsAlpha: true, maximumBitDepth: 10, downscale: 2))
    #expect(Preparation(for: []) == Preparation())
  }
}
