import Foundation
import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

/// Lossy sources compared with the bytes of a conversion.
struct FileComparisonTests {
  private static let jpeg = CodecVariant(codec: "jpeg")
  private static let heic = CodecVariant(codec: "heic")
  private static let metric = MetricTraits(id: "ssimulacra2", column: "s", title: "SSIMULACRA2", decimals: 2)

  /// Points at scores of 50, 60, … 90. At 70 a file has `bytes`, and ten points more double them.
  private static func rows(
    _ image: String, _ variant: CodecVariant, bytes: Double, file: Int?, isLossy: Bool = true
  ) -> [ResultRow] {
    stride(from: 50.0, through: 90, by: 10).map { score in
      var row = ResultRow(image: image, status: .measured)
      row.variant = variant
      row.quality = Quality(thousandths: Int(score) * 10)
      row.encodedBytes = Int((bytes * pow(2, (score - 70) / 10)).rounded())
      row.scores = ["ssimulacra2": score]
      (row.width, row.height, row.sourceBytes, row.sourceIsLossy) = (100, 100, file, isLossy)
      return row
    }
  }

  private static func analysis(_ rows: [ResultRow], shrunk: Bool = false) throws -> Analysis {
    var builder = AnalysisBuilder(variants: [jpeg, heic], metrics: [metric], sourcesAreShrunk: shrunk)
    for row in rows { try builder.add(row) }
    return builder.finish()
  }

  private static let two =
    rows("a.jpg", jpeg, bytes: 1000, file: 2000) + rows("a.jpg", heic, bytes: 500, file: 2000)
    + rows("b.jpg", jpeg, bytes: 3000, file: 4000) + rows("b.jpg", heic, bytes: 2000, file: 4000)
    + rows("c.png", jpeg, bytes: 9000, file: 100_000, isLossy: false)

  @Test("identical images do not count in the mean scores beside equal quality numbers, as in other means")
  func contrastWithoutIdenticalImages() throws {
    let sweep = SampleRows(change: { row in
      let isIdentical = row.variant?.codec == "heic" && row.nativeQuality == 100
      row.scores = ["psnr-y": isIdentical ? 100 : (row.scores["ssimulacra2"] ?? 0) / 2]
    })
    let analysis = try sweep.analysis(
      metrics: [SampleRows.metrics[0]],
      options: AnalysisOptions(headlineMetric: "psnr-y", targets: [35], band: 30...45, verdictTarget: 35))
    let contrast = try #require(analysis.contrasts.first)
    #expect(contrast.points == 80)
    // (20 + 75 q) / 2 of qualities up to 0.9, and 1.5 less with HEIC.
    #expect(try abs(#require(contrast.referenceScore) - 28.75) < 1e-9)
    #expect(try abs(#require(contrast.score) - 27.25) < 1e-9)
  }

  @Test("adds up the files as they are and each codec's bytes at each score")
  func sums() throws {
    let analysis = try Self.analysis(Self.two)
    let at90 = analysis.fileComparisons.filter { $0.target == 90 }
    #expect(at90.map(\.variant) == [Self.jpeg, Self.heic])
    #expect(at90.map(\.fileBytes) == [6000, 6000])
    #expect(at90.map { Int($0.bytes.rounded()) } == [16_000, 10_000])
    #expect(at90.map(\.larger) == [2, 1])
    #expect(at90.map(\.images) == [2, 2] && at90.map(\.outOf) == [2, 2])
    let at70 = try #require(analysis.fileComparisons.first { $0.target == 70 && $0.variant == Self.heic })
    #expect(abs((at70.changePercent ?? 0) - (2500 / 6000.0 - 1) * 100) < 0.1)
    for (variant, expected) in [(Self.jpeg, [-33.3, 33.3, 166.7]), (Self.heic, [-58.3, -16.7, 66.7])] {
      let own = analysis.fileComparisons.filter { $0.variant == variant && $0.images == $0.outOf }.suffix(3)
      #expect(own.map(\.target) == [70, 80, 90])
      for (change, value) in zip(own.map(\.changePercent), expected) {
        #expect(abs(try #require(change) - value) < 0.1)
      }
    }
  }

  @Test("there are no comparisons without lossy files or their sizes, or with shrunk images")
  func silence() throws {
    let lossless = Self.rows("c.png", Self.jpeg, bytes: 9000, file: 100_000, isLossy: false)
    #expect(try Self.analysis(lossless).fileComparisons.isEmpty)
    let unknown = Self.rows("a.jpg", Self.jpeg, bytes: 9000, file: nil)
    #expect(try Self.analysis(unknown).fileComparisons.isEmpty)
    let shrunk = try Self.analysis(Self.two, shrunk: true)
    #expect(shrunk.fileComparisons.isEmpty)
    #expect(shrunk.sourcesAreShrunk && shrunk.counts.lossyImages == 2)
  }
}

/// Whether lower or higher scores are better, if nobody has said.
struct DirectionCheckTests {
  private func check(scores: [Double], isAssumed: Bool?) throws {
    var metric = MetricTraits(id: "mine", column: "mine", title: "mine", decimals: 2)
    metric.isDirectionAssumed = isAssumed
    var check = DirectionCheck(metrics: [metric])
    for (index, score) in scores.enumerated() {
      var row = ResultRow(image: "a", status: .measured)
      row.variant = CodecVariant(codec: "jpeg")
      row.encodedBytes = 1000 * (index + 1)
      row.scores = ["mine": score]
      check.add(row)
    }
    try check.refuseReversed(["mine"])
    try check.refuseReversed()
  }

  @Test func refusesScoresThatFallAsFilesGrow() throws {
    let error = #expect(throws: DirectionError.self) {
      try check(scores: [5, 3, 3.5, 2, 1], isAssumed: true)
    }
    #expect(error?.description.contains("mine:lower=") == true)
    try check(scores: [1, 2, 1.5, 4], isAssumed: true)
    try check(scores: [5, 3, 2, 1], isAssumed: nil)
    try check(scores: [], isAssumed: true)
  }

  @Test func comparesPointsOfOneImageAndVariantAlone() throws {
    var metric = MetricTraits(id: "mine", column: "mine", title: "mine", decimals: 2)
    metric.isDirectionAssumed = true
    var check = DirectionCheck(metrics: [metric])
    for (image, bytes, score) in [("a", 1000, 90.0), ("b", 2000, 50), ("c", 3000, 20)] {
      var row = ResultRow(image: image, status: .measured)
      row.variant = CodecVariant(codec: "jpeg")
      row.encodedBytes = bytes
      row.scores = ["mine": score]
      check.add(row)
    }
    #expect(throws: Never.self) { try check.refuseReversed() }
  }
}
