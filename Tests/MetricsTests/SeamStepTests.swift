import Pixels
import TestSupport
import Testing

@testable import Metrics

struct SeamStepTests {
  /// A gray picture of 4 × 3 whose pixels right of x = 2 are brighter by `step`.
  private func picture(step: UInt8) throws -> RasterImage {
    try #require(
      RasterImage(
        width: 4, height: 3, layout: .gray, bytes: (0..<12).map { 100 + ($0 % 4 >= 2 ? step : 0) }))
  }

  @Test
  func theStepOfTheOriginalIsNoSeam() throws {
    let seams = SeamStep(original: try picture(step: 30), tileSize: 2)
    #expect(seams.mean(in: try picture(step: 30)) == 0)
    // Of seven pairs across borders, three have a smaller step by 7: those at x = 2, not the four at y = 2.
    #expect(seams.mean(in: try picture(step: 23)) == 3)
    #expect(SeamStep(original: try picture(step: 30), tileSize: 4).mean(in: try picture(step: 0)) == nil)
  }

  @Test
  func coloursCountByTheirLuma() throws {
    func picture(_ right: [UInt8]) throws -> RasterImage {
      try #require(RasterImage(width: 2, height: 1, layout: .rgb, bytes: [0, 0, 0] + right))
    }
    let seam = SeamStep(original: try picture([0, 0, 0]), tileSize: 1).mean(in: try picture([100, 0, 50]))
    #expect(abs(try #require(seam) - (29.9 + 5.7)) < 1e-4)
  }
}
