import Pixels
import Testing

@testable import Metrics

/// A generated pair with the output of `butteraugli_main` of libjxl 0.11.2 (Debian 13's libjxl-devtools), which is the
/// same with AVX-512 and AVX2.
struct GeneratedPair: CustomTestStringConvertible {
  enum Change: String { case noise, inverted, gone, offset, same }

  let width: Int
  let height: Int
  let layout: ChannelLayout
  let change: Change
  let largest: Double
  let norm: Double

  var testDescription: String { "\(width) × \(height), \(layout), \(change)" }

  init(
    _ width: Int, _ height: Int, _ layout: ChannelLayout, _ change: Change, largest: Double, norm: Double
  ) {
    (self.width, self.height, self.layout, self.change) = (width, height, layout, change)
    (self.largest, self.norm) = (largest, norm)
  }

  func images() throws -> (reference: RasterImage, candidate: RasterImage) {
    (try image { value, _ in value }, try image(changed))
  }

  private func changed(_ value: Int, at place: Int) -> Int {
    switch change {
    case .noise: min(max(value + place % 11 - 5, 0), 255)
    case .inverted: 255 - value
    case .gone: 128
    case .offset: min(value + 3, 255)
    case .same: value
    }
  }

  private func image(_ sample: (_ value: Int, _ place: Int) -> Int) throws -> RasterImage {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<layout.channels {
          let wave = (x * (3 + c) + y * (5 - c) + x * y / 8) % 512
          bytes.append(UInt8(sample(wave < 256 ? wave : 511 - wave, x * 7 + y * 3 + c * 5)))
        }
      }
    }
    return try #require(RasterImage(width: width, height: height, layout: layout, bytes: bytes))
  }
}

@Suite("Butteraugli") struct ButteraugliTests {
  static let pairs = [
    GeneratedPair(8, 8, .rgb, .noise, largest: 0.7355242, norm: 0.566438),
    GeneratedPair(9, 300, .rgb, .noise, largest: 1.0070999, norm: 0.571295),
    GeneratedPair(300, 9, .gray, .noise, largest: 1.5243821, norm: 0.872786),
    GeneratedPair(14, 15, .rgb, .offset, largest: 1.6073843, norm: 1.444645),
    GeneratedPair(15, 15, .rgb, .noise, largest: 1.0130622, norm: 0.756074),
    GeneratedPair(16, 16, .gray, .gone, largest: 60.8154411, norm: 50.118089),
    GeneratedPair(61, 67, .rgb, .noise, largest: 1.1238654, norm: 0.804271),
    GeneratedPair(90, 70, .rgb, .inverted, largest: 143.2228546, norm: 105.331401),
    GeneratedPair(127, 33, .rgb, .gone, largest: 66.4307327, norm: 45.443267),
    GeneratedPair(700, 90, .rgb, .noise, largest: 1.1238792, norm: 0.569136),
    GeneratedPair(90, 620, .gray, .offset, largest: 2.4976368, norm: 1.747024),
    GeneratedPair(40, 40, .rgb, .same, largest: 0, norm: 0),
  ]

  /// The tool prints the norm with six decimals. The largest distance is a float whose last bits differ.
  @Test("equals libjxl’s tool, whatever the size and the difference", arguments: pairs)
  func agreement(_ pair: GeneratedPair) throws {
    let (reference, candidate) = try pair.images()
    let scores = try MetricSuite(["butteraugli", "butteraugli-3norm"]).prepare(reference).score(candidate)
    let (largest, norm) = (try #require(scores["butteraugli"]), try #require(scores["butteraugli-3norm"]))
    #expect(abs(largest - pair.largest) <= 1e-6 * max(1, pair.largest), "\(largest)")
    #expect(abs(norm - pair.norm) <= 1.5e-6 * max(1, pair.norm / 10), "\(norm)")
  }

  @Test("is not defined where libjxl's tool answers 0 for everything") func small() throws {
    let (reference, candidate) = try GeneratedPair(7, 40, .rgb, .inverted, largest: 0, norm: 0).images()
    #expect(try MetricSuite(["butteraugli"]).prepare(reference).score(candidate).isEmpty)
  }
}
