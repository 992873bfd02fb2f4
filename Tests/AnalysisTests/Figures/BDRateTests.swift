import Foundation
import Model
import SampleData
import TestSupport
import Testing

@testable import Analysis
@testable import Store

@Suite struct BDRateTests {
  typealias Point = RateQualityCurve.Point

  static func curve(scale: Double = 1, shift: Double = 0, seed: UInt64 = 3) throws -> RateQualityCurve {
    var generator = SeededGenerator(seed: seed)
    var (score, bytes) = (20.0 + shift, 100_000.0)
    let points = (0..<9).map { _ in
      score += 2 + 8 * generator.unit()
      bytes *= 1.1 + generator.unit()
      return Point(score: score, bytes: Int((bytes * scale).rounded()))
    }
    return try RateQualityCurve(points)
  }

  @Test func identicalCurvesDifferByNothing() throws {
    let curve = try Self.curve()
    #expect(try BDRate.overOverlap(curve, against: curve).percent == 0)
    #expect(try BDRate.overOverlap(curve, against: curve).coverage == 1)
  }

  @Test(arguments: [0.5, 0.9, 1.03, 2])
  func bytesTimesAFactorGiveThatFactor(factor: Double) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let rate = try BDRate.overOverlap(
        Self.curve(scale: factor, seed: seed), against: Self.curve(seed: seed))
      #expect(abs(rate.percent - (factor - 1) * 100) < 0.002)
    }
  }

  @Test func swappingInverts() throws {
    let (a, b) = (try Self.curve(seed: 5), try Self.curve(shift: 3, seed: 6))
    let forth = try BDRate.overOverlap(a, against: b)
    let back = try BDRate.overOverlap(b, against: a)
    #expect(abs((1 + forth.percent / 100) * (1 + back.percent / 100) - 1) < 1e-12)
    #expect(forth.scores == back.scores)
  }

  @Test func aFigureNamedAfterABandCoversIt() throws {
    let curve = try Self.curve()
    let (low, high) = (curve.points[1].score, curve.scores.upperBound)
    let nearly = high + 0.01 * (high - low)
    let rate = try BDRate.over(low...nearly, curve, against: curve)
    #expect(rate.scores == low...high)
    #expect((0.98..<1).contains(rate.coverage))
    let further = high + 0.05 * (high - low)
    #expect(throws: CurveProblem.partOfRange) { try BDRate.over(low...further, curve, against: curve) }
    #expect(throws: CurveProblem.partOfRange) {
      try BDRate.over(low...high, curve, against: curve, share: 0.97)
    }
    #expect(throws: CurveProblem.noOverlap) { try BDRate.over(500...600, curve, against: curve) }
  }

  @Test("One encoder against itself needs only the scores that both runs reach")
  func aBandOfTheGateIsCutToWhatWasMeasured() throws {
    let points = try Self.curve().points
    let curve = try RateQualityCurve(points, bridgesGaps: true)
    let middle = points[4].score
    let rate = try BDRate.over(middle...(middle + 200), curve, against: curve)
    #expect(rate.scores == middle...curve.scores.upperBound)
    #expect(rate.coverage < 0.75)
  }

  @Test func curvesApartHaveNoRate() throws {
    let (a, b) = (try Self.curve(), try Self.curve(shift: 500))
    #expect(throws: CurveProblem.noOverlap) { try BDRate.overOverlap(a, against: b) }
  }

  @Test func littleOverlapIsSaid() throws {
    let a = try Self.curve()
    let width = a.scores.upperBound - a.scores.lowerBound
    let b = try Self.curve(shift: width * 0.5)
    #expect(try BDRate.overOverlap(a, against: b).hasLowOverlap)
  }

  @Test func threePointsAreTooFew() throws {
    let thin = try RateQualityCurve(Array(Self.curve().points.prefix(3)))
    let curve = try Self.curve()
    #expect(throws: CurveProblem.tooFewPoints) { try BDRate.overOverlap(thin, against: curve) }
    #expect(throws: CurveProblem.tooFewPoints) { try BDRate.over(0...100, curve, against: thin) }
  }
}

/// The figures of the folders `bd-rate`, on which SciPy and the package bjontegaard agree.
@Suite struct BDRateVectorTests {
  static func number(_ record: [String: String], _ column: String) throws -> Double {
    try #require(record[column].flatMap(Double.init))
  }

  /// The measured points as rows, image by image.
  static func rows(_ folder: String) throws -> [ResultRow] {
    try ReferenceFolder.records("\(folder)/bd-rate/points.csv").map { record in
      var row = ResultRow(image: record["image"] ?? "", status: .measured)
      row.variant = CodecVariant(codec: record["codec"] ?? "")
      row.quality = Quality(native: Int(try number(record, "native_quality")))
      row.encodedBytes = Int(try number(record, "encoded_bytes"))
      row.scores = ["ssimulacra2": try number(record, "ssimulacra2")]
      (row.width, row.height) = (768, 512)
      return row
    }
  }

  /// The results of other programs for these points, one record for each image.
  static func expected(_ folder: String) throws -> [[String: String]] {
    let records = try ReferenceFolder.records("\(folder)/bd-rate/expected.csv")
    try #require(records.count >= 3)
    return records
  }

  @Test(arguments: ReferenceFolder.all)
  func everyFigureAgreesToAHundredthOfAPoint(folder: String) throws {
    let rows = try Self.rows(folder)
    for record in try Self.expected(folder) {
      let (heic, jpeg) = (try Self.curve("heic", record, rows), try Self.curve("jpeg", record, rows))
      let rate = try BDRate.overOverlap(heic, against: jpeg)
      #expect(abs(rate.percent - (try Self.number(record, "bd_rate_pchip_percent"))) < 0.01)
      #expect(abs(rate.scores.lowerBound - (try Self.number(record, "overlap_low"))) < 1e-6)
      #expect(abs(rate.scores.upperBound - (try Self.number(record, "overlap_high"))) < 1e-6)
      for target in [50, 70, 80, 90] {
        let sizes = [heic, jpeg].compactMap { $0.drawnBytes(at: Double(target)) }
        // There is no figure where one of the curves does not reach the score.
        guard let saving = record["saving_at_\(target)_percent"].flatMap(Double.init) else {
          #expect(sizes.count < 2)
          continue
        }
        try #require(sizes.count == 2)
        #expect(abs((sizes[0] / sizes[1] - 1) * 100 - saving) < 0.01)
      }
    }
  }

  /// The curve of a codec for a record's image, drawn over gaps as SciPy does.
  static func curve(
    _ codec: String, _ record: [String: String], _ rows: [ResultRow]
  ) throws -> RateQualityCurve {
    try RateQualityCurve(
      rows.filter { $0.image == record["image"] && $0.variant?.codec == codec }.map {
        RateQualityCurve.Point(score: $0.scores["ssimulacra2"] ?? 0, bytes: $0.encodedBytes ?? 0)
      }, bridgesGaps: true)
  }

  @Test(
    "Ten qualities of photographs are too far apart for figures at a score",
    .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"))
  func theLadderAloneIsSparse() throws {
    var builder = AnalysisBuilder(
      variants: [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")], metrics: [.sampleHeadline])
    for row in try Self.rows(SharedFolder.path + "/vectors") { try builder.add(row) }
    let analysis = builder.finish()
    for target in [70.0, 80, 90] {
      let matched = try #require(analysis.matchedQualities.first { $0.target == target })
      #expect(matched.problems.contains { $0.problem == .sparse && $0.images >= 3 })
    }
    let contrast = try #require(analysis.contrasts.first)
    // The naive answer from the same points: HEIC looks larger.
    #expect(contrast.changePercent > 30)
    #expect(analysis.sanity.isClean)
  }
}
