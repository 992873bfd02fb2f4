import Testing

@testable import Pixels

/// PQ and HLG light compared with values in the standards (SMPTE ST 2084; ITU-R BT.2100, BT.2408, BT.2087).
struct HDRLightTests {
  private func luminance(_ light: SIMD3<Float>) -> Double {
    Double((light * SIMD3(0.2126390, 0.7151687, 0.0721923)).sum()) * HDRLight.referenceWhite
  }

  @Test(arguments: [
    (0.1, 0.0623369), (1, 0.1499457), (100, 0.5080784), (203, 0.5806889), (1000, 0.7518271), (10_000, 1),
  ])
  func pqCodesAreThoseOfTheStandard(luminance: Double, code: Double) {
    #expect(abs(TransferFunction.pq.encoded(luminance / 10_000) - code) < 1e-7)
    #expect(abs(TransferFunction.pq.linearLight(code) * 10_000 / luminance - 1) < 2e-6)
  }

  /// BT.2408: 75 % HLG is the reference white of 203 cd/m² on a display of 1,000 cd/m².
  @Test func hlgHasItsWhiteAtThreeQuarters() {
    let transform = HDRTransform(
      HDRLight(points: CodePoints(primaries: 9, transfer: 18), peak: 1000), maximum: 4)
    #expect(abs(luminance(transform.light(3, 3, 3)) - 203.15) < 0.01)
    #expect(abs(luminance(transform.light(4, 4, 4)) - 1000) < 0.01)
  }

  /// Linear BT.2020 red in BT.709 (ITU-R BT.2407).
  @Test func primariesAreConverted() {
    let light = HDRLight(points: CodePoints(primaries: 9, transfer: 8), peak: HDRLight.referenceWhite)
    let red = HDRTransform(light, maximum: 255).light(255, 0, 0)
    for (value, expected) in zip([red.x, red.y, red.z], [1.6605, -0.1246, -0.0182]) {
      #expect(abs(Double(value) - expected) < 1e-4)
    }
  }

  @Test(arguments: [
    HDRLight.pq, HDRLight(points: CodePoints(primaries: 9, transfer: 18), peak: 2000),
    HDRLight(points: CodePoints(primaries: 12, transfer: 13), peak: 203),
  ])
  func lightGoesBackToItsSamples(light: HDRLight) {
    let transform = HDRTransform(light, maximum: 1023)
    for samples in [(0, 0, 0), (1023, 1023, 1023), (700, 512, 100), (64, 900, 30), (1, 2, 3)] {
      let encoded = transform.encoded(transform.light(samples.0, samples.1, samples.2)) * 1023
      let back = SIMD3(Double(samples.0), Double(samples.1), Double(samples.2))
      let error = encoded - back
      #expect((error * error).sum().squareRoot() < 0.1, "\(light.title) \(samples) \(encoded)")
    }
  }

  @Test func sourcesSayWhatLightIs() {
    let (pq, sdr) = (CodePoints(primaries: 9, transfer: 16), CodePoints(primaries: 12, transfer: 13))
    #expect(HDRViewing(source: .file).light(of: pq) == .pq)
    #expect(HDRViewing(source: .file).light(of: sdr)?.peak == 203)
    #expect(HDRViewing(source: .white, white: 100).light(of: sdr) == HDRLight(points: sdr, peak: 100))
    #expect(HDRViewing(source: .white).light(of: pq) == nil)
    #expect(
      HDRViewing(source: .hlg, peak: 600).light(of: CodePoints(primaries: 2, transfer: 2))
        == HDRLight(points: CodePoints(primaries: 9, transfer: 18), peak: 600))
  }

  /// The screen shows light unchanged up to the knee, and never more than white.
  @Test func theScreenShowsWhatItCan() throws {
    let codes = [0.2, 0.5, 1, 5].map { TransferFunction.pq.encoded($0 * 203 / 10_000) }
    let samples = codes.flatMap { [UInt16](repeating: UInt16(($0 * 65535).rounded()), count: 3) }
    let image = try #require(
      RasterImage(
        width: 4, height: 1, format: PixelFormat(layout: .rgb, bitDepth: 16), profile: .light(.pq),
        samples: .words(samples)))
    let shown = image.displayPixels()
    #expect(shown[0] == UInt8((SRGBCurve.encoded(0.2) * 255).rounded()))
    #expect(shown[4] == UInt8((SRGBCurve.encoded(0.5) * 255).rounded()))
    #expect(shown[8] > shown[4] && shown[12] > shown[8] && shown[12] == 255)
  }
}
