import Foundation
import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

@Suite struct AnalysisBuilderTests {
  @Test func aKnownShareComesBack() throws {
    let analysis = try SampleRows(images: 12).analysis()
    let matched = try #require(analysis.matchedQualities.first { $0.target == 70 })
    let bytes = try #require(matched.bytes)
    #expect(abs(bytes.mean + 30) < 0.05)
    #expect(abs(bytes.median + 30) < 0.05)
    #expect((bytes.images, bytes.outOf) == (12, 12))
    #expect(abs(try #require(matched.total).changePercent + 30) < 0.05)
    for rate in analysis.bdRates where rate.metric == "ssimulacra2" {
      #expect(abs(try #require(rate.percent).mean + 30) < 0.05)
    }
    #expect(analysis.bdRates.map(\.metric) == ["ssimulacra2", "ssimulacra2", "ssim", "ssim"])
    #expect(analysis.verdicts.map(\.direction) == [.saves])
    let verdict = analysis.verdicts[0]
    #expect(verdict.target == 70 && verdict.bytes == bytes)
    let interval = try #require(bytes.interval)
    #expect(abs(interval.lower + 30) < 0.05 && abs(interval.upper + 30) < 0.05)
  }

  @Test func extremesAreNamedAndTheMeanIsGeometric() throws {
    let sweep = SampleRows(images: 6, share: { [0.5, 0.8, 0.8, 0.8, 0.8, 1.25][$0] })
    let bytes = try #require(try sweep.analysis().matchedQualities.first { $0.target == 70 }?.bytes)
    #expect(bytes.best.image == "image0.png")
    #expect(abs(bytes.best.value + 50) < 0.05)
    #expect(bytes.worst.image == "image5.png")
    #expect(abs(bytes.worst.value - 25) < 0.05)
    let geometric = pow(0.5 * 0.8 * 0.8 * 0.8 * 0.8 * 1.25, 1.0 / 6)
    #expect(abs(bytes.mean - (geometric - 1) * 100) < 0.05)
    let interval = try #require(bytes.interval)
    #expect(interval.lower < bytes.mean && bytes.mean < interval.upper)
  }

  @Test func timesAreTakenAtTheTarget() throws {
    let matched = try #require(try SampleRows().analysis().matchedQualities.first { $0.target == 70 })
    let time = try #require(matched.cpu[.encode])
    // 5 ms · 1.7 for half a megapixel, and twenty times that.
    #expect(abs(time.referenceMillisecondsPerMegapixel - 17) < 0.05)
    #expect(abs(time.ratio - 20) < 0.05)
    #expect(abs(try #require(matched.cpu[.decode]).ratio - 1) < 1e-9)
    let total = try #require(matched.total)
    let extra = (time.millisecondsPerMegapixel - time.referenceMillisecondsPerMegapixel) * 0.5 * 8 / 1000
    let saved = try #require(matched.bytesSavedPerCPUSecond)
    #expect(abs(saved - (total.referenceBytes - total.bytes) / extra) < 1)
  }

  @Test func aTargetOutsideIsNotExtrapolated() throws {
    let options = AnalysisOptions(targets: [10, 70, 99])
    let matched = try SampleRows().analysis(options: options).matchedQualities
    #expect(matched.map { $0.bytes == nil } == [true, false, true])
    #expect(matched[0].problems == [ProblemCount(problem: .outOfRange, images: 8)])
    #expect(matched[0].total == nil)
    #expect(matched[0].cpu[.encode] == nil)
  }

  @Test func theVerdictTakesTheNearestTargetThatHolds() throws {
    let analysis = try SampleRows().analysis(options: AnalysisOptions(targets: [10, 60, 99]))
    #expect(analysis.verdicts[0].target == 60)
  }

  @Test func theReferenceMapsTheBandForOtherMetrics() throws {
    let rate = try #require(
      try SampleRows().analysis().bdRates.first { $0.metric == "ssim" && $0.range == .band(50, 90) })
    // SSIM depends only on SSIMULACRA2 here, so equal SSIM means equal SSIMULACRA2.
    #expect(abs(try #require(rate.percent).mean + 30) < 0.1)
    #expect(try #require(rate.coverage) > 0.9)
  }

  @Test func manyImagesOfOneFailedCodecAreCounted() throws {
    var sweep = SampleRows()
    sweep.change = { row in
      guard row.image < "image3", row.variant?.codec == "heic" else { return }
      row.status = .failed
      row.encodedBytes = nil
      row.scores = [:]
    }
    let analysis = try sweep.analysis()
    let matched = try #require(analysis.matchedQualities.first { $0.target == 70 })
    #expect(matched.bytes?.images == 5)
    #expect(matched.bytes?.outOf == 8)
    #expect(matched.problems == [ProblemCount(problem: .missing, images: 3)])
    #expect(analysis.counts.failed == 30)
    #expect(analysis.verdicts[0].bytes == matched.bytes)
    let summary = try #require(analysis.qualitySummaries.first { $0.variant.codec == "heic" })
    #expect((summary.images, summary.failed) == (5, 3))
  }

  @Test func scatteredRowsAreRefused() throws {
    var builder = AnalysisBuilder(metrics: [.sampleHeadline])
    var rows = SampleRows(images: 2).rows()
    rows.append(rows[0])
    #expect(throws: AnalysisError.scatteredImage("image0.png")) {
      for row in rows { try builder.add(row) }
    }
  }

  @Test func variantsMayBeUnknownBeforehand() throws {
    var builder = AnalysisBuilder(metrics: [.sampleHeadline])
    for row in SampleRows().rows() { try builder.add(row) }
    let analysis = builder.finish()
    #expect(analysis.variants.map(\.name) == ["jpeg", "heic"])
    #expect(analysis.verdicts.count == 1)
  }

  @Test func noRowsGiveAnEmptyAnalysis() {
    let analysis = AnalysisBuilder(
      variants: [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")], metrics: [.sampleHeadline]
    ).finish()
    #expect(analysis.counts.images == 0)
    #expect(analysis.verdicts[0].direction == .unknown)
    #expect(analysis.qualitySummaries.isEmpty)
  }

  @Test func qualitySummariesAddUp() throws {
    let analysis = try SampleRows(images: 3).analysis()
    let rows = SampleRows(images: 3).rows().filter { $0.variant?.codec == "heic" && $0.nativeQuality == 50 }
    let summary = try #require(
      analysis.qualitySummaries.first { $0.variant.codec == "heic" && $0.quality == Quality(native: 50) })
    let bytes = rows.compactMap(\.encodedBytes).reduce(0, +)
    #expect(summary.totalBytes == bytes)
    #expect(summary.images == 3)
    #expect(summary.compressionRatio == 4_500_000 / Double(bytes))
    #expect(abs((summary.meanBitsPerPixel ?? 0) - Double(bytes) * 8 / 1_500_000) < 1e-9)
    let score = try #require(summary.meanScores["ssimulacra2"])
    #expect(abs(score - 54.5) < 1e-9)
    #expect(analysis.qualitySummaries.count == 20)
    #expect(analysis.qualitySummaries[0].percentOfReference == 100)
  }

  @Test("times add up in whole nanoseconds, as in the store, so that both round alike")
  func timesAreExactSums() throws {
    var sweep = SampleRows(images: 3, variants: [CodecVariant(codec: "jpeg")], qualities: 1)
    sweep.change = { row in
      (row.width, row.height) = (8, 8)
      let milliseconds = ["image0.png": 0.1, "image1.png": 0.2][row.image] ?? 0.3
      row[.encode, .cpu]?.median = milliseconds
    }
    let summary = try #require(try sweep.analysis().qualitySummaries.first)
    let exact = 600_000.0 / 192
    // As a sum of milliseconds it would not be exact.
    #expect([0.1, 0.2, 0.3].reduce(0, +) / 192 * 1e6 != exact)
    #expect(summary.millisecondsPerMegapixel[TimedCall(.encode, .cpu)] == exact)
  }

  @Test func anIconDoesNotDecideTheBitsPerPixel() throws {
    var sweep = SampleRows(images: 2, variants: [CodecVariant(codec: "jpeg")], qualities: 1)
    sweep.change = { row in
      let isIcon = row.image == "image1.png"
      (row.width, row.height, row.encodedBytes) = isIcon ? (1, 1, 1000) : (1000, 999, 124_000)
    }
    let summary = try #require(try sweep.analysis().qualitySummaries.first)
    #expect(summary.totalPixels == 999_001)
    let bitsPerPixel = try #require(summary.meanBitsPerPixel)
    #expect(abs(bitsPerPixel - 1_000_000.0 / 999_001) < 1e-9)
  }

  @Test func meanCurvesStandOnCommonScores() throws {
    let curves = try SampleRows().analysis().meanCurves
    #expect(curves.count == 2)
    #expect(curves[0].points.map(\.score) == curves[1].points.map(\.score))
    for (a, b) in zip(curves[0].points, curves[1].points) {
      #expect(a.images == 8)
      #expect(abs(b.bitsPerPixel / a.bitsPerPixel - 0.7) < 0.001)
    }
    #expect(curves[0].points.first?.score == 28)
    #expect(curves[0].points.last?.score == 92)
  }

  @Test("A mean curve rises even where images drop out, and equals the mean at the verdict's target")
  func meanCurvesDoNotJump() throws {
    var sweep = SampleRows()
    // Every other image is ten times as large and never reaches a score above 75.
    sweep.change = { row in
      guard row.image.hasSuffix("1.png") || row.image.hasSuffix("3.png") else { return }
      row.encodedBytes = row.encodedBytes.map { $0 * 10 }
      row.scores["ssimulacra2"] = row.scores["ssimulacra2"].map { min($0, 75) }
    }
    let analysis = try sweep.analysis()
    for curve in analysis.meanCurves {
      #expect(curve.points.contains { $0.images < curve.points[0].images })
      for (a, b) in zip(curve.points, curve.points.dropFirst()) { #expect(a.bitsPerPixel < b.bitsPerPixel) }
    }
    let at70 = analysis.meanCurves.compactMap { curve in curve.points.first { $0.score == 70 }?.bitsPerPixel }
    let saving = try #require(analysis.matchedQualities.first { $0.target == 70 }?.bytes?.mean)
    #expect(abs((at70[1] / at70[0] - 1) * 100 - saving) < 1e-9)
  }

  @Test func hostileFiguresDoNotTrap() throws {
    var sweep = SampleRows(images: 2)
    sweep.change = { row in
      row.encodedBytes = .max
      row.scores["ssimulacra2"] = 1e300
      (row.width, row.height) = (3, 3)
    }
    let analysis = try sweep.analysis()
    #expect(analysis.verdicts[0].direction == .unknown)
    #expect(analysis.qualitySummaries[0].totalBytes == .max)
  }

  @Test func detailsAreLimited() throws {
    let options = AnalysisOptions(detailedImages: 2)
    #expect(
      try SampleRows().analysis(options: options).imageDetails.map(\.image) == ["image0.png", "image1.png"])
  }
}
