import Foundation
import Testing

@testable import Analysis

/// Projections calculated by hand. `FolderSampleTests` tests how often their intervals are right.
struct FolderEstimateTests {
  private func file(
    _ known: Double, _ measured: Double, chance: Double = 0.01, error: Double? = nil
  ) -> FolderEstimate.File {
    .init(known: known, measured: measured, chance: chance, guessError: error)
  }

  /// Five of fifteen files of the same size, each equally likely.
  @Test func followsTheFormula() throws {
    let ratios = [0.2, 0.4, 0.3, 0.5, 0.6]
    let files = ratios.map { file(10, 10 * $0) }
    let folder = FolderEstimate.Folder(draws: 5, count: 15, known: 150)
    let estimate = try #require(FolderEstimate(files, of: folder, isShare: false))
    #expect(abs(estimate.total - 60) < 1e-9 && abs(estimate.changePercent + 60) < 1e-9)
    // The squares around 0.4 sum to 0.1, those of successive steps to 0.04 + 0.01 + 0.04 + 0.01.
    let variance = (0.1 / 4 + 0.1 / 2 / 4) / 2
    let deviation = 100 * (variance * (1.0 / 5 + 1.0 / 10)).squareRoot()
    let interval = try #require(estimate.interval)
    let factor = exp(2.776445 * deviation / 60)
    #expect(abs(interval.upper - 60 * factor) < 1e-3 && abs(interval.lower - 60 / factor) < 1e-3)
    // Files may be of a kind that is not in the sample.
    let wider = try #require(FolderEstimate(files, of: folder)?.interval)
    let likely = (0.4 * 5 + 0.5) / 6
    let hidden = 100 * ((variance + likely * (1 - likely) / 5) * 0.3).squareRoot()
    #expect(abs(wider.upper - 60 * exp(2.776445 * hidden / 60)) < 1e-3)
  }

  /// Files in the sample are known. Files that were certain to be drawn say little about the others.
  @Test func largeFilesStandForThemselves() throws {
    let large = file(1000, 100, chance: 0.5)
    let files = [large] + (0..<5).map { _ in file(10, 8, chance: 0.005) }
    let estimate = try #require(FolderEstimate(files, of: .init(draws: 12, count: 106, known: 2050)))
    #expect(abs(estimate.total - (100 + 40 + 0.8 * 1000)) < 1e-6)
  }

  @Test func sizesArePositiveAndEndWhereTotalsDo() throws {
    let files = [0.01, 0.01, 0.01, 0.01, 1].map { file(10, 10 * $0) }
    let folder = FolderEstimate.Folder(draws: 5, count: 100, known: 1000)
    let interval = try #require(FolderEstimate(files, of: folder, most: 1000)?.interval)
    #expect(interval.lower > 0 && interval.upper == 1000)
  }

  @Test func theWholeFolderIsExactAndFewFilesHaveNoInterval() throws {
    let files = [3.0, 5].map { file($0, 1) }
    let whole = try #require(FolderEstimate(files, of: .init(draws: 2, count: 2, known: 8)))
    #expect(whole.total == 2 && whole.interval?.lower == 2 && whole.interval?.upper == 2)
    #expect(try #require(FolderEstimate(files, of: .init(draws: 2, count: 9, known: 80))).interval == nil)
    #expect(FolderEstimate([], of: .init(draws: 0, count: 9, known: 80)) == nil)
    #expect(FolderEstimate([file(0, 1)], of: .init(draws: 1, count: 9, known: 80)) == nil)
  }

  /// Double sampling by hand: the folder has only six files, five of which were measured both ways.
  @Test func guessesWidenTheInterval() throws {
    let errors = [0.5, -0.5, 0.25, -0.25, 0, nil]
    let files = zip([3.0, 4, 5, 6, 7, 8], errors).map { file(10, $0, error: $1) }
    let estimate = try #require(
      FolderEstimate(files, of: .init(draws: 6, count: 6, known: 60), isGuessed: true))
    // 60² · (1/5 − 1/6) · 0.00625 / 4; t(4) = 2.7764.
    let deviation = (3600.0 / 30 * 0.00625 / 4).squareRoot()
    #expect(estimate.total == 33)
    let upper = try #require(estimate.interval?.upper)
    #expect(abs(upper - 33 * exp(2.776445 * deviation / 33)) < 1e-3)
  }
}
