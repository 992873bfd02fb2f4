import Foundation
import Model
import Testing

@testable import Analysis

@Suite("bytes at two thresholds")
struct BlindThresholdTests {
  private func bytes(_ threshold: Double, _ deviation: Double, _ slope: Double, _ start: Double)
    -> BlindThreshold.Bytes
  {
    func at(_ score: Double) -> Double { start * exp(slope * score) }
    return BlindThreshold.Bytes(
      from: at(threshold - 1.96 * deviation), threshold: at(threshold), to: at(threshold + 1.96 * deviation))
  }

  @Test func oneKnownThresholdLeavesTheOthersInterval() {
    let sure = BlindThreshold.Bytes(from: 200, threshold: 200, to: 200)
    let saving = BlindThreshold.saving(BlindThreshold.Bytes(from: 80, threshold: 100, to: 160), sure)
    #expect(abs(saving.mean - 50) < 1e-9 && abs(saving.from - 20) < 1e-9 && abs(saving.to - 60) < 1e-9)
    let turned = BlindThreshold.saving(sure, BlindThreshold.Bytes(from: 100, threshold: 400, to: 500))
    #expect(abs(turned.mean - 50) < 1e-9 && abs(turned.from + 100) < 1e-9 && abs(turned.to - 60) < 1e-9)
  }

  @Test("for 4,000 pairs of thresholds, 95 % of intervals contain the true saving")
  func coverage() {
    var generator = SeededGenerator(seed: 55)
    func normal() -> Double {
      (-2 * log(1 - generator.unit())).squareRoot() * cos(2 * .pi * generator.unit())
    }
    let truth = 100 * (1 - exp(0.03 * 76 - 0.05 * 70) * 3)
    var held = 0
    for _ in 0..<4000 {
      let one = bytes(76 + 2.5 * normal(), 2.5, 0.03, 3_000)
      let other = bytes(70 + 4 * normal(), 4, 0.05, 1_000)
      let saving = BlindThreshold.saving(one, other)
      if saving.from <= truth, truth <= saving.to { held += 1 }
    }
    #expect((3720...3880).contains(held), "\(held)")
  }
}
