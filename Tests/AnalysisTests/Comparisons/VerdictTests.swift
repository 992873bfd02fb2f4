import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

@Suite struct VerdictTests {
  @Test func fewImagesHaveNoInterval() throws {
    let analysis = try SampleRows(images: 3).analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .saves && verdict.target == 70)
    let bytes = try #require(verdict.bytes)
    #expect(bytes.images == 3 && bytes.interval == nil && abs(bytes.mean + 30) < 0.05)
  }

  @Test func moreBytesAreCalledMore() throws {
    let analysis = try SampleRows(share: { _ in 1.042 }).analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .costs)
    let bytes = try #require(verdict.bytes)
    let interval = try #require(bytes.interval)
    #expect([bytes.mean, interval.lower, interval.upper].allSatisfy { abs($0 - 4.2) < 0.05 })
  }

  @Test func anIntervalAcrossZeroDecidesNothing() throws {
    let analysis = try SampleRows(share: { $0 % 2 == 0 ? 0.8 : 1.24 }).analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .undecided)
    let interval = try #require(verdict.bytes?.interval)
    #expect(interval.lower < 0 && interval.upper > 0 && verdict.bytes?.images == 8)
  }

  @Test func equalCodecsTakeAsManyBytes() throws {
    let analysis = try SampleRows(share: { _ in 1 }).analysis()
    let bytes = try #require(analysis.verdicts[0].bytes)
    #expect(analysis.verdicts[0].target == 70 && abs(bytes.mean) < 0.05)
  }

  @Test func twoQualitiesAreTooFew() throws {
    let analysis = try SampleRows(qualities: 2).analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .unknown)
    #expect(verdict.bytes == nil && verdict.target == nil)
    let matched = try #require(analysis.matchedQualities.first { $0.target == 70 })
    #expect(matched.problems == [ProblemCount(problem: .sparse, images: 8)])
  }

  @Test func withoutTheHeadlineMetricNothingIsClaimed() throws {
    let options = AnalysisOptions(headlineMetric: "butteraugli")
    let analysis = try SampleRows().analysis(options: options)
    #expect(analysis.verdicts[0].direction == .unknown)
    #expect(analysis.headline == nil)
    #expect(analysis.matchedQualities.isEmpty)
  }

  @Test func theAverageTheAgreementTheExtremesAndTheCostAreThere() throws {
    let analysis = try SampleRows().analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.bdRate?.range == .band(50, 90))
    #expect(abs(try #require(verdict.bdRate?.percent).mean + 30) < 0.05)
    let agreement = try #require(verdict.agreement)
    #expect(agreement.metrics == 2 && agreement.agreeing == 2 && agreement.views.map(\.metric) == ["ssim"])
    let bytes = try #require(verdict.bytes)
    #expect(bytes.best.value <= bytes.mean && bytes.mean <= bytes.worst.value)
    let matched = try #require(analysis.matchedQualities.first { $0.target == verdict.target })
    #expect(abs(try #require(matched.cpu[.encode]).ratio - 20) < 0.05)
  }

  @Test func rowsMayStandOnDifferentImages() throws {
    var sweep = SampleRows()
    func images() throws -> [Int?] { try sweep.analysis().matchedQualities.map { $0.bytes?.images } }
    #expect(Set(try images()) == [8])
    // Three of the eight end below 90.
    sweep.change = { row in
      if row.image < "image3", let score = row.scores["ssimulacra2"] {
        row.scores["ssimulacra2"] = score - 15
      }
    }
    let counts = try images().compactMap(\.self)
    #expect(counts.min() == 5 && counts.max() == 8)
  }

  @Test("Images are counted if halved chroma causes more than half of the loss at a score")
  func chromaBoundsRows() throws {
    var sweep = SampleRows()
    #expect(try sweep.analysis().matchedQualities.allSatisfy { $0.boundByChroma == 0 })
    // 92 means a loss of 8, which is half of the loss at 84. Three of eight images have full chroma in both codecs.
    sweep.change = { row in
      if row.image >= "image3", row.variant?.codec == "heic" { row.figures[.chromaBound] = 92 }
    }
    var options = AnalysisOptions.standard
    options.targets = [70, 83, 85, 90]
    let analysis = try sweep.analysis(options: options)
    #expect(analysis.matchedQualities.map(\.boundByChroma) == [0, 0, 5, 5])
    sweep.change = { row in if row.image >= "image4" { row.figures[.chromaBound] = 92 } }
    #expect(try sweep.analysis(options: options).matchedQualities.map(\.boundByChroma) == [0, 0, 4, 4])
  }

  @Test func lossySourcesAndContentionAreCounted() throws {
    var sweep = SampleRows()
    sweep.change = { row in
      row.sourceIsLossy = row.image < "image2"
      row.conditions = .contended
    }
    let analysis = try sweep.analysis()
    #expect(analysis.counts.lossyImages == 2 && analysis.counts.images == 8)
    #expect(analysis.timesAreContended && analysis.counts.contended == 160 && !analysis.sourcesAreShrunk)
    var builder = AnalysisBuilder(metrics: [.sampleHeadline], sourcesAreShrunk: true)
    for row in sweep.rows() { try builder.add(row) }
    let shrunk = builder.finish()
    #expect(shrunk.sourcesAreShrunk && shrunk.counts.lossyImages == 2)
  }

  @Test func theContrastGivesTheNaiveAnswerAndTheRightOne() throws {
    // HEIC scores 3 lower at equal quality numbers here, which by itself saves bytes.
    let analysis = try SampleRows().analysis()
    let contrast = try #require(analysis.contrasts.first)
    #expect(contrast.points == 80)
    #expect(contrast.changePercent < -30)
    #expect(abs(try #require(contrast.score) - 58.25) < 1e-9)
    #expect(abs(try #require(contrast.referenceScore) - 61.25) < 1e-9)
  }

  @Test func aVerdictStandsOnHalfOfTheImages() throws {
    // With HEIC, only the first two of six images were measured at qualities low enough for 70.
    var sweep = SampleRows(images: 6)
    sweep.change = { row in
      guard row.variant?.codec == "heic", row.image > "image1.png", row.nativeQuality ?? 0 < 80 else {
        return
      }
      row.status = .unsupported
    }
    let analysis = try sweep.analysis(options: AnalysisOptions(targets: [50, 70]))
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .unknown)
    #expect(verdict.target == nil)
    #expect(verdict.bytes == nil)
    #expect(analysis.matchedQualities.last?.bytes?.images == 2)
  }

  @Test func aNearerTargetOfFewImagesGivesWayToOneThatHolds() throws {
    var sweep = SampleRows(images: 6, qualities: 20)
    sweep.change = { row in
      guard row.variant?.codec == "heic", row.image > "image1.png", row.nativeQuality ?? 0 < 80 else {
        return
      }
      row.status = .unsupported
    }
    let analysis = try sweep.analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.target == 80 || verdict.target == 90)
    #expect(verdict.bytes?.images == 6)
  }

  @Test func theSideToWidenIsKnown() throws {
    var sweep = SampleRows(images: 6)
    sweep.change = { row in
      let isLow = row.nativeQuality ?? 0 <= 50
      if isLow == (row.variant?.codec == "heic") { row.status = .unsupported }
    }
    let analysis = try sweep.analysis(options: AnalysisOptions(targets: [70]))
    #expect(analysis.verdicts[0].direction == .unknown)
    let high = analysis.matchedQualities[0].reach
    #expect(high.variant == .init() && high.reference.below == 6 && high.reference.belowForGood == 0)
    let low = try sweep.analysis(options: AnalysisOptions(targets: [40])).matchedQualities[0].reach
    #expect(low.reference == .init() && low.variant.above == 6 && low.variant.aboveForGood == 0)
  }

  @Test("the end of a codec's scale is distinguished from the end of the measured qualities")
  func theEndOfTheScaleIsKnown() throws {
    var sweep = SampleRows(images: 6)
    let ended = try sweep.analysis(options: AnalysisOptions(targets: [94])).matchedQualities[0].reach
    #expect(ended.variant.below == 6 && ended.variant.belowForGood == 6 && ended.reference == .init())
    sweep.change = { row in
      if row.image > "image1.png", row.nativeQuality ?? 0 > 90 { row.status = .unsupported }
    }
    let reach = try sweep.analysis(options: AnalysisOptions(targets: [94])).matchedQualities[0].reach
    #expect(reach.variant.below == 6 && reach.variant.belowForGood == 2)
    #expect(reach.reference.below == 4 && reach.reference.belowForGood == 0)
    // Other encoders' files cannot be measured at other qualities.
    sweep.change = { $0.quality = nil }
    let imported = try sweep.analysis(options: AnalysisOptions(targets: [10]))
    #expect(
      imported.matchedQualities.map(\.reach).allSatisfy {
        [$0.variant, $0.reference].allSatisfy { $0.above == $0.aboveForGood && $0.below == $0.belowForGood }
      })
  }

  @Test func aFailingReferenceIsNamed() throws {
    var sweep = SampleRows(images: 6)
    sweep.change = { row in
      guard row.variant?.codec == "jpeg" else { return }
      (row.status, row.encodedBytes, row.scores) = (.failed, nil, [:])
    }
    #expect(
      try sweep.analysis().verdicts[0].unmeasured
        == .init(variant: CodecVariant(codec: "jpeg"), failed: 60, unsupported: 0))
  }

  @Test func anUnfinishedRunHasAVerdictOfWhatIsThere() throws {
    func analysis(_ images: Int, isFinished: Bool = false) throws -> Analysis {
      var builder = AnalysisBuilder(
        variants: SampleRows().variants, metrics: [.sampleHeadline], options: AnalysisOptions())
      for row in SampleRows(images: images).rows() { try builder.add(row) }
      return builder.finish(
        progress: RunProgress(planned: 480, done: 20 * images, images: 24, isFinished: isFinished))
    }
    #expect(try analysis(4).verdicts[0].direction == .unknown, "4 of 24 images are too few for a verdict")
    let analysis = try analysis(6)
    #expect(
      analysis.verdicts[0].direction == .saves,
      "6 of 24 images have an interval, and what is missing may come")
    #expect(analysis.verdicts[0].bytes?.images == 6)
    #expect(
      analysis.progress == RunProgress(planned: 480, done: 120, images: 24, isFinished: false))
    #expect(analysis.matchedQualities.allSatisfy { $0.bytes?.outOf == 24 })
    // It is not known yet why the others have none.
    let matched = analysis.matchedQualities
    #expect(
      matched.allSatisfy {
        $0.problems == [ProblemCount(problem: .unfinished, images: 24 - ($0.bytes?.images ?? 0))]
      })
    #expect(matched.allSatisfy { $0.reach == .init() })
    // Half of the images that have begun must have a figure, as in a finished run.
    var figure = try #require(analysis.verdicts[0].bytes)
    figure.begun = 13
    #expect(!figure.standsOnHalf)
  }

  @Test("qualities that an earlier run measured on only some images are in no table")
  func partialQualities() throws {
    func qualities(isFinished: Bool) throws -> [Double] {
      var builder = AnalysisBuilder(
        variants: SampleRows().variants, metrics: [.sampleHeadline], options: AnalysisOptions())
      for row in SampleRows(images: 5).rows()
      where row.quality != 0.4 || row.image == "image0.png" { try builder.add(row) }
      let progress = RunProgress(planned: 100, done: 100, images: 5, isFinished: isFinished)
      return builder.finish(progress: progress).qualitySummaries.filter { $0.variant.codec == "jpeg" }
        .map(\.quality.value)
    }
    #expect(try qualities(isFinished: true) == [0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    #expect(try qualities(isFinished: false).contains(0.4), "the missing ones may still come")
  }

  @Test func everyCodecHasAVerdictOfItsOwn() throws {
    var sweep = SampleRows(images: 8, share: { 0.6 + 0.02 * Double($0) })
    sweep.variants = ["jpeg", "heic", "avif"].map { CodecVariant(codec: $0) }
    let verdicts = try sweep.analysis().verdicts
    #expect(verdicts.map(\.variant.name) == ["heic", "avif"] && verdicts.map(\.target) == [70, 70])
    // In this sample, both have the same bytes.
    #expect(verdicts[0].bytes != nil && verdicts[0].bytes == verdicts[1].bytes)

    sweep.change = { row in
      if row.variant?.codec == "avif" { (row.status, row.encodedBytes, row.scores) = (.failed, nil, [:]) }
    }
    let failing = try sweep.analysis().verdicts
    #expect(failing[0].bytes == verdicts[0].bytes && failing[0].unmeasured == nil)
    #expect(
      failing[1].unmeasured == .init(variant: CodecVariant(codec: "avif"), failed: 80, unsupported: 0))
  }

  @Test func smallImagesAreCounted() throws {
    var sweep = SampleRows(images: 6)
    sweep.change = { if $0.image < "image4.png" { ($0.width, $0.height) = (112, 500) } }
    let analysis = try sweep.analysis()
    #expect(analysis.counts.smallImages == 4)
    sweep.change = { ($0.width, $0.height) = (113, 113) }
    #expect(try sweep.analysis().counts.smallImages == 0)
  }

  @Test func theCapOfPSNRIsInNoMeanAndNoCurve() throws {
    let psnr = MetricTraits(id: "psnr-y", column: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 3)
    #expect(psnr.curvePosition(of: 100) == nil)
    #expect(psnr.curvePosition(of: 99.9) == 99.9)
    let quality = try #require(Quality(thousandths: 500))
    var accumulator = QualityAccumulator(variant: CodecVariant(codec: "heic"), quality: quality)
    for (index, score) in [40.0, 100, 42].enumerated() {
      var row = ResultRow(image: "\(index)", status: .measured)
      (row.encodedBytes, row.scores) = (10, ["psnr-y": score, "ssim": 1])
      accumulator.add(row)
    }
    #expect(accumulator.result.meanScores == ["psnr-y": 41, "ssim": 1])
  }
}
