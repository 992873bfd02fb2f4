import Testing

@testable import Pixels

/// Gain maps made from a base and its original.
struct GainMapMakingTests {
  /// A row of gray PQ pixels with these luminances in cd/m².
  private func light(_ luminances: [Double]) throws -> RasterImage {
    let transform = HDRTransform(.pq, maximum: 65535)
    let samples = luminances.flatMap { luminance in
      let code = transform.encoded(SIMD3(repeating: Float(luminance / HDRLight.referenceWhite)))
      return (0..<3).map { UInt16((code[$0] * 65535).rounded()) }
    }
    return try #require(
      RasterImage(
        width: luminances.count, height: 1, format: PixelFormat(layout: .rgb, bitDepth: 16),
        profile: .light(.pq),
        samples: .words(samples)))
  }

  private func base(_ bytes: [UInt8]) throws -> RasterImage {
    try #require(
      RasterImage(width: bytes.count, height: 1, layout: .rgb, bytes: bytes.flatMap { [$0, $0, $0] }))
  }

  @Test(arguments: [1, 3]) func gainsAreThoseOfTheFormula(channels: Int) throws {
    let original = try light([203, 406, 812, 203])
    let map = try GainMap(
      from: base([255, 255, 255, 255]), to: original, width: 4, height: 1, channels: channels)
    // log2((4 + 1/64) / (1 + 1/64)), log2((2 + 1/64) / (1 + 1/64)).
    let (most, middle) = (1.98325, 0.98886)
    let values = map.metadata.channels[0]
    #expect(abs(values.minimum) < 1e-3 && abs(values.maximum - most) < 1e-3)
    #expect(map.metadata.baseHeadroom == 0 && abs(map.metadata.alternateHeadroom - 2) < 1e-3)
    guard case .bytes(let samples) = map.image.samples else {
      Issue.record("a map has 8 bits")
      return
    }
    #expect(samples.count == 4 * channels)
    #expect(samples[0] == 0 && samples[2 * channels] == 255 && samples[3 * channels] == 0)
    #expect(Int(samples[channels]) == Int((middle / most * 255).rounded()))
  }

  @Test func aSampleIsTheMeanGainOfItsArea() throws {
    let original = try light([203, 203, 812, 812, 406])
    let map = try GainMap(
      from: base([255, 255, 255, 255, 255]), to: original, width: 2, height: 1, channels: 1)
    // The first area has three pixels, the second two.
    #expect(abs(map.metadata.channels[0].minimum - 1.98325 / 3) < 1e-3)
    #expect(abs(map.metadata.channels[0].maximum - (1.98325 + 0.98886) / 2) < 1e-3)
  }

  @Test func aMapMakesTheOriginalOfItsBase() throws {
    let luminances = (0..<64).map { (step: Int) -> Double in Double(1 + step * step) / 4 }
    let original = try light(luminances)
    let map = try GainMap(from: original.forScreen, to: original, width: 64, height: 1, channels: 1)
    let made = try map.applied(to: original.forScreen, headroom: map.metadata.maximumHeadroom)
    let (one, other) = (try LinearLight(original).row(0).planes[1], try LinearLight(made).row(0).planes[1])
    for (x, (a, b)) in zip(one, other).enumerated() {
      // Half a step of the map, and half a step of the base, which is about 5 % near black.
      #expect(abs(a - b) < 0.01 * a + 0.002, "column \(x): \(a) became \(b)")
    }
    #expect(try LinearLight(original.forScreen).row(0).planes[1].last.map { $0 <= 1 } == true)
  }

  @Test func aPictureWithoutHighlightsHasAFlatMap() throws {
    let original = try light([10, 20, 40])
    let map = try GainMap(from: original.forScreen, to: original, width: 3, height: 1, channels: 1)
    #expect(map.metadata.alternateHeadroom == 1.0 / 64 && map.metadata.channels[0].maximum < 0.05)
    #expect(throws: PixelError.self) {
      try GainMap(from: base([1, 2]), to: original, width: 1, height: 1, channels: 1)
    }
    #expect(throws: PixelError.self) {
      try GainMap(from: original.forScreen, to: original, width: 4, height: 1, channels: 1)
    }
  }
}
