import Model
import TestSupport
import Testing

@testable import Metrics

@Suite("SSIMULACRA2") struct XYBStageTests {
  @Test(
    "visits scales while the previous one has 8 pixels",
    arguments: [
      (8, 8, 2), (14, 200, 2), (15, 200, 3), (40, 33, 4), (112, 300, 5), (113, 300, 6), (6000, 4000, 6),
    ])
  func scales(_ width: Int, _ height: Int, _ count: Int) {
    #expect(XYBStage.sizes(width: width, height: height).count == count)
  }

  @Test("is not symmetric") func order() throws {
    let (reference, candidate) = try wavePair(width: 100, height: 90, amplitude: 20)
    let there = try #require(try allScores(reference, candidate)["ssimulacra2"])
    let back = try #require(try allScores(candidate, reference)["ssimulacra2"])
    #expect(abs(there - back) > 0.01)
  }

  @Test("has 108 weights") func weights() {
    var sum = 0.0
    for channel in 0..<3 {
      for scale in 0..<6 {
        for norm in 0..<2 {
          for map in 0..<3 {
            sum += SSIMULACRA2Weights.weight(
              channel: channel, scale: scale, norm: norm, map: map, scaleCount: 6)
          }
        }
      }
    }
    #expect(abs(sum - 888.314836588) < 1e-6)
    #expect(SSIMULACRA2Weights.score(weightedSum: 0) == 100)
  }
}
