import Model
import Pixels
import Testing

@testable import Metrics

/// HDR metrics compared with published values, and with the scores of one pair by `Tests/Reference/hdr.py`.
struct HDRMetricTests {
  /// A pair of 16-bit PQ pictures, from the same integers as the script's.
  private func pair(_ profile: ColorProfile = .light(.pq)) throws -> (
    reference: RasterImage, candidate: RasterImage
  ) {
    let (width, height) = (200, 190)
    var (first, second) = ([UInt16](), [UInt16]())
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<3 {
          let value = 9000 + 180 * x + 40 * y + 3000 * c + (x * 37 + y * 57) % 97 * 30
          first.append(UInt16(value))
          second.append(UInt16(value + ((x * 31 + y * 17 + c * 7) % 41 - 20) * 40))
        }
      }
    }
    let images = try [first, second].map {
      try #require(
        RasterImage(
          width: width, height: height, format: PixelFormat(layout: .rgb, bitDepth: 16), profile: profile,
          samples: .words($0)))
    }
    return (images[0], images[1])
  }

  @Test(arguments: [
    (0.1, 5.7171), (1, 36.5439), (10, 123.6475), (100, 256.3839), (203, 303.8002), (1000, 420.0969),
    (10_000, 595.3939),
  ])
  func luminanceIsEncodedAsPublished(luminance: Double, value: Double) {
    #expect(abs(PU21.encoded(luminance) - value) < 5e-5)
    #expect(abs(Double(PU21.encoded(Float(luminance))) - value) < 1e-4)
  }

  @Test func theTableFollowsTheFormula() {
    for step in 0...5000 {
      let luminance = Float(0.004) * Float(step + 1) * Float(step + 1) / 10
      #expect(abs(Double(PU21.encoded(luminance)) - PU21.encoded(Double(luminance))) < 4e-5, "\(luminance)")
    }
  }

  /// colour-science's example of `delta_E_ITP`, whose T is twice ours.
  @Test func coloursDifferAsPublished() {
    let change = SIMD3(
      0.4885468072 - 0.4899203231, (-0.04739350675 + 0.04567508203) / 2, 0.07475401302 - 0.07361341775)
    #expect(abs(DifferencesITP.difference(change) - 1.42657228) < 1e-4)
  }

  @Test func scoresAreThoseOfTheScript() throws {
    let (reference, candidate) = try pair()
    let scores = try MetricSuite(MetricTraits.hdr.map(\.id)).prepare(reference).score(candidate)
    let expected = [
      "pu21-psnr": 36.801419267881606, "pu21-ms-ssim": 0.9949162193371035,
      "itp-mean": 7.564964169354786, "itp-p95": 13.395179169810257,
    ]
    #expect(Set(scores.keys) == Set(expected.keys))
    for (metric, score) in expected {
      #expect(abs((scores[metric] ?? 0) - score) < 1e-4, "\(metric) \(scores)")
    }
  }

  /// The script's quantile, with ranks in the same bin of leading bits and in different bins.
  @Test func quantilesAreInterpolatedBetweenRanks() {
    #expect(DifferencesITP.quantile(0.95, of: (0...100).map { Float($0) }) == 95)
    #expect(abs(DifferencesITP.quantile(0.95, of: [1, 2, 3, 4]) - 3.85) < 1e-6)
    #expect(DifferencesITP.quantile(0.5, of: [5, 1, 5, 1]) == 3)
    #expect(DifferencesITP.quantile(0.95, of: [7]) == 7)
  }

  @Test func lightOfTwoKindsIsNotCompared() throws {
    let (hdr, sdr) = (try pair().reference, try pair(.sRGB).reference)
    #expect(throws: MetricError("SSIMULACRA2 is not defined for HDR light")) {
      _ = try MetricSuite(["ssimulacra2"]).prepare(hdr)
    }
    #expect(throws: MetricError("PU21-PSNR is not defined for SDR light")) {
      _ = try MetricSuite(["pu21-psnr"]).prepare(sdr)
    }
    #expect(throws: MetricError("HDR light cannot be compared with SDR")) {
      _ = try MetricSuite(["pu21-psnr"]).prepare(hdr).score(sdr)
    }
  }

  /// SDR white at 100 cd/m² and the same light as PQ score as equal, except for rounding.
  @Test func lightIsComparedWhateverCodesIt() throws {
    let sdr = HDRLight(points: .sRGB, peak: 100)
    let reference = try pair(.light(sdr)).reference
    let encoder = HDRTransform(.pq, maximum: 65535)
    let decoder = HDRTransform(sdr, maximum: 65535)
    guard case .words(let words) = reference.samples else { throw MetricError("no words") }
    let converted = stride(from: 0, to: words.count, by: 3).flatMap { at -> [UInt16] in
      let pq = encoder.encoded(decoder.light(Int(words[at]), Int(words[at + 1]), Int(words[at + 2]))) * 65535
      return [pq.x, pq.y, pq.z].map { UInt16($0.rounded()) }
    }
    let candidate = try #require(
      RasterImage(
        width: reference.width, height: reference.height, format: reference.format, profile: .light(.pq),
        samples: .words(converted)))
    let scores = try MetricSuite(MetricTraits.hdr.map(\.id)).prepare(reference).score(candidate)
    #expect(
      scores["pu21-psnr"].map { $0 > 75 } == true && scores["itp-p95"].map { $0 < 0.1 } == true, "\(scores)")
  }
}
