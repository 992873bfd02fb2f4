import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

@Suite struct SanityCheckTests {
  static func kinds(_ change: @escaping (inout ResultRow) -> Void) throws -> [SanityReport.Kind: Int] {
    var sweep = SampleRows(images: 2)
    sweep.change = change
    return try sweep.analysis().sanity.counts
  }

  @Test func aGoodSweepIsClean() throws {
    #expect(try Self.kinds { _ in }.isEmpty)
  }

  @Test func ignoredQualityIsNamed() throws {
    let counts = try Self.kinds { row in
      guard row.variant?.codec == "heic", row.image == "image1.png" else { return }
      row.encodedBytes = 5000
      row.scores["ssimulacra2"] = 60
    }
    #expect(counts == [.qualityHasNoEffect: 1])
  }

  @Test func losslessModesMayIgnoreTheQuality() throws {
    var sweep = SampleRows(images: 1)
    sweep.variants[1] = CodecVariant(codec: "heic", settings: ["lossless": "true"])
    sweep.change = { row in
      guard row.variant?.codec == "heic" else { return }
      (row.encodedBytes, row.scores["ssimulacra2"]) = (400_000, 100)
    }
    #expect(try sweep.analysis().sanity.isClean)
  }

  @Test func aPlateauAtTheTopIsNoViolation() throws {
    var sweep = SampleRows(images: 1, qualities: 20)
    sweep.change = { row in
      guard row.variant?.codec == "heic" else { return }
      if (row.nativeQuality ?? 0) < 95 { row.status = .unsupported }
      (row.encodedBytes, row.scores["ssimulacra2"]) = (300_000, 93)
    }
    #expect(try sweep.analysis().sanity.isClean)
  }

  /// A program that misread its files once gave every 10-bit encode 372.7.
  @Test func aProgramWhoseScoreStandsStillIsNamed() throws {
    var program = MetricTraits(id: "mine", column: "mine", title: "mine", decimals: 4)
    program.identical = 0
    var sweep = SampleRows(images: 2)
    let metrics = [.sampleHeadline, .sampleSSIM, program]
    sweep.change = { row in
      row.scores["mine"] = row.image == "image1.png" ? 372.7 : Double(row.encodedBytes ?? 0)
    }
    let report = try sweep.analysis(metrics: metrics).sanity
    #expect(report.counts == [.scoreStandsStill: 2])
    let first = try #require(report.violations.first)
    #expect(first.image == "image1.png")
    #expect(first.evidence == .sameScore(372.7, metric: "mine", qualities: 10, identical: 0))
    // If every encode reproduces the image exactly, the program is not at fault.
    let change = sweep.change
    sweep.change = { row in
      change(&row)
      (row.scores["ssimulacra2"], row.scores["ssim"]) = (100, 1)
    }
    #expect(try sweep.analysis(metrics: metrics).sanity.counts[.scoreStandsStill] == nil)
  }

  @Test func aFallIsNamedWithItsPlace() throws {
    var sweep = SampleRows(images: 2)
    sweep.change = { row in
      guard row.image == "image1.png", row.variant?.codec == "jpeg", row.nativeQuality == 60 else { return }
      row.encodedBytes = row.encodedBytes.map { $0 / 2 }
      row.scores["ssimulacra2"] = 40
    }
    let report = try sweep.analysis().sanity
    #expect(report.counts == [.sizeFalls: 1, .scoreFalls: 1])
    let fall = try #require(report.violations.first { $0.kind == .scoreFalls })
    #expect(fall.image == "image1.png")
    #expect(fall.qualities.map(\.description) == ["0.5", "0.6"])
    #expect(fall.evidence == .score(40, after: 57.5))
  }

  @Test("a fall is told in the metric's scores, not in its curve's decibels")
  func aFallInAnotherMetric() throws {
    var sweep = SampleRows(images: 2)
    sweep.change = { row in
      guard row.image == "image1.png", row.variant?.codec == "jpeg", row.nativeQuality == 60 else { return }
      row.scores["ssim"] = 0.9
    }
    let options = AnalysisOptions(
      headlineMetric: "ssim", targets: [0.95], band: 0.9...0.99, verdictTarget: 0.95)
    let report = try sweep.analysis(options: options).sanity
    #expect(report.counts == [.scoreFalls: 1])
    #expect(report.violations.first?.evidence == .score(0.9, after: 1 - 0.5 / 58.5, decimals: 4))
  }

  @Test func repeatsThatDifferAreNamed() throws {
    let counts = try Self.kinds { row in
      if row.nativeQuality == 30, row.variant?.codec == "heic" { row.repeatsAgree = false }
    }
    #expect(counts == [.repeatsDiffer: 2])
  }

  @Test func oneQualityTwiceIsNamedWhereSizesDiffer() throws {
    let counts = try Self.kinds { row in
      // The first image's 0.2 becomes a second 0.1.
      if row.image == "image0.png", row.nativeQuality == 20 { row.quality = Quality(native: 10) }
    }
    #expect(counts == [.duplicatePoint: 2])
  }

  @Test func namesAreLimitedAndCountsAreNot() throws {
    var sweep = SampleRows(images: 8)
    sweep.change = { $0.repeatsAgree = false }
    let report = try sweep.analysis().sanity
    #expect(report.counts[.repeatsDiffer] == 160)
    #expect(report.violations.count == 50)
  }

  @Test func aPlateauOfANarrowSweepIsNoViolation() throws {
    var sweep = SampleRows(images: 1)
    // Scores span three points, and neighbours swap by a quarter of a point.
    let scores = [1: 90.0, 2: 90.5, 3: 91.2, 4: 91.0, 5: 91.4, 6: 91.9, 7: 92.1, 8: 92.6, 9: 92.35, 10: 93]
    sweep.change = { row in row.scores["ssimulacra2"] = scores[(row.nativeQuality ?? 0) / 10] }
    #expect(try sweep.analysis().sanity.isClean)
    sweep.change = { row in
      row.scores["ssimulacra2"] = row.nativeQuality == 90 ? 92.2 : scores[(row.nativeQuality ?? 0) / 10]
    }
    #expect(try sweep.analysis().sanity.counts == [.scoreFalls: 2])
  }
}
