import Model
import SampleData
import Testing

@testable import Analysis
@testable import Reports
@testable import Store

@Suite struct VerdictTests {
  @Test func fewImagesHaveNoInterval() throws {
    let analysis = try SampleRows(images: 3).analysis()
    #expect(
      analysis.sentence
        == "At SSIMULACRA2 70, HEIC takes 30 % fewer bytes than JPEG, 3 images: too few for an interval.")
    #expect(analysis.wording.warnings.contains { $0.hasPrefix("3 images say little") })
  }

  @Test func moreBytesAreCalledMore() throws {
    let analysis = try SampleRows(share: { _ in 1.042 }).analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .costs)
    #expect(analysis.sentence.contains("HEIC takes 4.2 % more bytes than JPEG, 95 % interval 4.2 to 4.2 %"))
  }

  @Test func anIntervalAcrossZeroDecidesNothing() throws {
    let analysis = try SampleRows(share: { $0 % 2 == 0 ? 0.8 : 1.24 }).analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .undecided)
    #expect(analysis.sentence.contains(", but the 95 % interval runs from "))
    #expect(analysis.sentence.contains(" % fewer to "))
    #expect(analysis.sentence.contains(" % more, 8 images."))
  }

  @Test func equalCodecsTakeAsManyBytes() throws {
    let analysis = try SampleRows(share: { _ in 1 }).analysis()
    #expect(analysis.sentence.hasPrefix("At SSIMULACRA2 70, HEIC takes as many bytes as JPEG"))
  }

  @Test func twoQualitiesAreTooFewAndTheSentenceSaysSo() throws {
    let analysis = try SampleRows(qualities: 2).analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .unknown)
    #expect(analysis.sentence.contains("cannot be compared at equal SSIMULACRA2"))
  }

  @Test func withoutTheHeadlineMetricNothingIsClaimed() throws {
    let options = AnalysisOptions(headlineMetric: "butteraugli")
    let analysis = try SampleRows().analysis(options: options)
    #expect(analysis.verdicts[0].direction == .unknown)
    #expect(analysis.sentence.contains("no scores of butteraugli"))
    #expect(analysis.matchedQualities.isEmpty)
  }

  @Test func variantsWithSettingsAreNamedWithThem() throws {
    var sweep = SampleRows()
    sweep.variants[1] = CodecVariant(codec: "heic", settings: ["chroma": "444"])
    #expect(try sweep.analysis().sentence.contains("HEIC (chroma=444) takes 30 % fewer"))
  }

  @Test func defaultsAreNamedWhereTheyAreCompared() throws {
    var sweep = SampleRows()
    sweep.variants = [
      CodecVariant(codec: "heic"), CodecVariant(codec: "heic", settings: ["preset": "medium"]),
    ]
    var builder = AnalysisBuilder(
      variants: sweep.variants, metrics: [.sampleHeadline, .sampleSSIM],
      defaults: ["heic": "preset slow, 4:2:0"])
    for row in sweep.rows() { try builder.add(row) }
    let analysis = builder.finish()
    #expect(analysis.sentence.contains("HEIC (preset=medium) takes 30 % fewer bytes than HEIC (defaults), "))
    #expect(
      analysis.details.last
        == "Compared: HEIC (preset=medium) with HEIC (defaults: preset slow, 4:2:0), both made "
        + "from the same pixels.")
  }

  @Test func detailsTellTheAverageTheExtremesAndTheCost() throws {
    let details = try SampleRows().analysis().details
    #expect(details.count == 4)
    #expect(details[0].contains("SSIMULACRA2 50 to 90"))
    #expect(details[0].contains("BD-rate −30.0 %"))
    #expect(details[1] == "Both metrics agree (SSIMULACRA2, SSIM).")
    #expect(details[3].contains("20 times the CPU time of JPEG"))
  }

  @Test func rowsOnDifferentImagesSaySo() throws {
    var sweep = SampleRows()
    #expect(try sweep.analysis().wording.rowNotes == nil)
    // Three of the eight end below 90.
    sweep.change = { row in
      if row.image < "image3", let score = row.scores["ssimulacra2"] {
        row.scores["ssimulacra2"] = score - 15
      }
    }
    let note = try #require(try sweep.analysis().wording.rowNotes)
    #expect(note.contains("5 to 8 of them"))
  }

  @Test("Rows at scores of which halved chroma takes more than half of the loss are counted, and said")
  func chromaBoundsRows() throws {
    var sweep = SampleRows()
    #expect(try sweep.analysis().wording.rowNotes == nil)
    // 92 leaves a loss of 8, half of that at 84; three of eight images have whole chroma in both codecs.
    sweep.change = { row in
      if row.image >= "image3", row.variant?.codec == "heic" { row.figures[.chromaBound] = 92 }
    }
    var options = AnalysisOptions.standard
    options.targets = [70, 83, 85, 90]
    let analysis = try sweep.analysis(options: options)
    #expect(analysis.matchedQualities.map(\.boundByChroma) == [0, 0, 5, 5])
    let note = try #require(analysis.wording.rowNotes)
    #expect(note.hasPrefix("At SSIMULACRA2 85 and above halved chroma (4:2:0)"))
    sweep.change = { row in if row.image >= "image4" { row.figures[.chromaBound] = 92 } }
    #expect(try sweep.analysis(options: options).matchedQualities.map(\.boundByChroma) == [0, 0, 4, 4])
    #expect(try sweep.analysis(options: options).wording.rowNotes == nil, "not in most")
  }

  @Test("The headline says which JPEG, and what is left against the best JPEG of the run")
  func namesWhichJPEG() throws {
    var sweep = SampleRows()
    sweep.variants = [
      CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic"), CodecVariant(codec: "jpeg", build: "small"),
    ]
    sweep.change = { row in
      if row.variant?.build == "small" {
        row.encodedBytes = row.encodedBytes.map { Int(Double($0) * 0.8 / 0.7) }
      }
    }
    func answers(_ sweep: SampleRows) throws -> [Answer] {
      var builder = AnalysisBuilder(
        variants: sweep.variants, metrics: [.sampleHeadline], defaults: ["jpeg": "baseline somejpeg, 4:2:0"])
      for row in sweep.rows() { try builder.add(row) }
      return builder.finish().wording.answers
    }
    let answer = try #require(try answers(sweep).first)
    #expect(
      answer.sentence.contains("HEIC takes 30 % fewer bytes than JPEG (baseline somejpeg, 4:2:0) (95 %"))
    #expect(
      answer.details.first
        == "Against JPEG@small, the JPEG with the fewest bytes here, HEIC takes 12 % fewer bytes.")
    sweep.variants.removeLast()
    let pair = try #require(try answers(sweep).first)
    #expect(pair.sentence.contains("than JPEG (baseline somejpeg, 4:2:0), 95 %"))
    #expect(!pair.details.contains { $0.hasPrefix("Against") })
  }

  @Test func lossySourcesAndContentionWarn() throws {
    var sweep = SampleRows()
    sweep.change = { row in
      row.sourceIsLossy = row.image < "image2"
      row.conditions = .contended
    }
    let analysis = try sweep.analysis()
    let warnings = analysis.wording.warnings
    #expect(warnings.contains { $0.hasPrefix("2 of 8 images come from lossy files") })
    #expect(!warnings.contains { $0.contains("beside other jobs") }, "a footnote of the times, no warning")
    #expect(analysis.wording.timeNotes.contains { $0.contains("beside other jobs") })
    var builder = AnalysisBuilder(metrics: [.sampleHeadline], sourcesAreShrunk: true)
    for row in sweep.rows() { try builder.add(row) }
    let shrunk = builder.finish().wording.warnings
    #expect(!shrunk.contains { $0.contains("--downscale") })
  }

  @Test func aCleanSweepHasNoWarnings() throws {
    #expect(try SampleRows().analysis().wording.warnings.isEmpty)
  }

  @Test func theContrastGivesTheNaiveAnswerAndTheRightOne() throws {
    // At equal numbers HEIC scores 3 lower here, which by itself saves bytes.
    let analysis = try SampleRows().analysis()
    let contrast = try #require(analysis.contrasts.first)
    #expect(contrast.points == 80)
    #expect(contrast.changePercent < -30)
    #expect(
      analysis.wording.explanation(contrast).contains(
        "the mean SSIMULACRA2 is 58.25 with HEIC and 61.25 with JPEG"))
    #expect(
      analysis.wording.explanation(contrast).hasSuffix("At SSIMULACRA2 70 in both it takes 30 % fewer bytes.")
    )
  }

  @Test func aVerdictStandsOnHalfOfTheImages() throws {
    // Only the first two of six images were measured low enough to reach 70 with HEIC.
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
    #expect(analysis.sentence.contains("in at least half of the images"))
    #expect(!analysis.matchedQualities.isEmpty)
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
    #expect(analysis.sentence.contains("6 images"))
  }

  @Test func theSideToWidenIsNamed() throws {
    var sweep = SampleRows(images: 6)
    sweep.change = { row in
      let isLow = row.nativeQuality ?? 0 <= 50
      if isLow == (row.variant?.codec == "heic") { row.status = .unsupported }
    }
    let analysis = try sweep.analysis(options: AnalysisOptions(targets: [70]))
    #expect(
      analysis.sentence
        == "HEIC and JPEG cannot be compared at equal SSIMULACRA2: they have no common range at 70; JPEG ends "
        + "below it in 6 images: measure JPEG higher.")
    let matched = try sweep.analysis(options: AnalysisOptions(targets: [40])).matchedQualities[0]
    #expect(Wording.advice(matched) == "HEIC starts above it in 6 images: measure HEIC lower")
  }

  @Test("nobody is told to measure beyond the end of a codec's scale")
  func theEndOfTheScaleIsNamed() throws {
    var sweep = SampleRows(images: 6)
    let ended = try sweep.analysis(options: AnalysisOptions(targets: [94])).matchedQualities[0]
    #expect(Wording.advice(ended) == "HEIC ends below it in 6 images, and goes no higher")
    sweep.change = { row in
      if row.image > "image1.png", row.nativeQuality ?? 0 > 90 { row.status = .unsupported }
    }
    let matched = try sweep.analysis(options: AnalysisOptions(targets: [94])).matchedQualities[0]
    #expect(
      Wording.advice(matched)
        == "HEIC ends below it in 6 images (in 2 of them it goes no higher): measure HEIC higher; JPEG ends below "
        + "it in 4 images: measure JPEG higher")
    sweep.change = { $0.quality = nil }
    let imported = try sweep.analysis(options: AnalysisOptions(targets: [10]))
    #expect(imported.matchedQualities.first.flatMap(Wording.advice)?.contains("measure") != true)
  }

  @Test func aFailingReferenceIsNamed() throws {
    var sweep = SampleRows(images: 6)
    sweep.change = { row in
      guard row.variant?.codec == "jpeg" else { return }
      (row.status, row.encodedBytes, row.scores) = (.failed, nil, [:])
    }
    #expect(
      try sweep.analysis().sentence
        == "HEIC and JPEG cannot be compared: no point of JPEG was measured (60 failed).")
  }

  @Test func anUnfinishedRunSaysSoInEveryVerdict() throws {
    func analysis(_ images: Int, isFinished: Bool = false) throws -> Analysis {
      var builder = AnalysisBuilder(
        variants: SampleRows().variants, metrics: [.sampleHeadline], options: AnalysisOptions())
      for row in SampleRows(images: images).rows() { try builder.add(row) }
      return builder.finish(
        progress: RunProgress(planned: 480, done: 20 * images, images: 24, isFinished: isFinished))
    }
    #expect(try analysis(4).verdicts[0].direction == .unknown, "4 of 24 images are no verdict")
    let analysis = try analysis(6)
    #expect(
      analysis.verdicts[0].direction == .saves,
      "6 of 24 images have an interval, and what is missing may come")
    #expect(analysis.sentence.hasSuffix("6 of 24 images (120 of 480 planned points; not finished)."))
    #expect(analysis.wording.warnings.first?.hasPrefix("120 of 480 planned points; not finished") == true)
    #expect(analysis.matchedQualities.allSatisfy { $0.bytes?.outOf == 24 })
    // Why the others have none is not known yet, and nobody is told to measure lower or higher.
    let matched = analysis.matchedQualities
    #expect(
      matched.allSatisfy {
        $0.problems == [ProblemCount(problem: .unfinished, images: 24 - ($0.bytes?.images ?? 0))]
      })
    #expect(matched.allSatisfy { Wording.advice($0) == nil })
    #expect(!analysis.wording.warnings.contains { $0.contains("there is no figure") })
    // Of the images that were begun half have to have a figure, as in a run that is finished.
    var figure = try #require(analysis.verdicts[0].bytes)
    figure.begun = 13
    #expect(!figure.standsOnHalf)
  }

  @Test("where images have no BD-rate, the sentence says what the others take at the verdict’s score")
  func sameImagesBesideTheBDRate() throws {
    // The first two images end below the band's upper end, and gain most.
    var sweep = SampleRows(images: 8, share: { $0 < 2 ? 0.4 : 0.7 })
    sweep.change = { row in
      guard let score = row.scores["ssimulacra2"], score > 81 else { return }
      if row.image == "image0.png" || row.image == "image1.png" {
        (row.status, row.encodedBytes, row.scores) = (.unsupported, nil, [:])
      }
    }
    let analysis = try sweep.analysis()
    let verdict = analysis.verdicts[0]
    #expect(verdict.bytes?.images == 8 && verdict.bdRate?.percent?.images == 6)
    let same = try #require(verdict.bytesOfRated)
    #expect(abs(same - -30) < 0.1, "six images that take 0.7 of the bytes")
    #expect(
      analysis.wording.details(verdict)[0].hasSuffix(
        "(BD-rate −30.0 %, 6 of 8 images; at 70 these take 30 % fewer)."))
    #expect(try SampleRows().analysis().verdicts[0].bytesOfRated == nil, "all images have one")
  }

  @Test("of qualities that an earlier run asked for some images only are in no table")
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
    #expect(try qualities(isFinished: false).contains(0.4), "what is missing may come")
  }

  @Test("means that are about equal are not said to differ")
  func closeContrast() {
    var contrast = EqualQualityContrast(
      variant: CodecVariant(codec: "avif"), reference: CodecVariant(codec: "jpeg"), points: 30, bytes: 1005,
      referenceBytes: 1000, scores: .of(60.73), referenceScores: .of(61.02), matchedChangePercent: -27,
      matchedTarget: 70)
    let wording = Wording(
      Analysis(variants: [contrast.reference, contrast.variant], metrics: [.sampleHeadline]))
    #expect(
      wording.explanation(contrast)
        == "At equal quality numbers AVIF takes 0.5 % more bytes than JPEG in total (30 points). The mean SSIMULACRA2 "
        + "is about the same, 60.73 with AVIF and 61.02 with JPEG. At SSIMULACRA2 70 in both it takes 27 % fewer bytes."
    )
    contrast.scores = .of(71)
    #expect(wording.explanation(contrast).contains("but the numbers do not mean the same"))
  }

  @Test func severalCodecsHaveOneAnswer() throws {
    var sweep = SampleRows(images: 8, share: { 0.6 + 0.02 * Double($0) })
    sweep.variants = ["jpeg", "heic", "avif"].map { CodecVariant(codec: $0) }
    let answers = try sweep.analysis().wording.answers
    #expect(answers.count == 1)
    let sentence = try #require(answers.first?.sentence)
    let pattern =
      #/At SSIMULACRA2 70, HEIC takes (\d+) % fewer bytes than JPEG \(95 % interval (\d+) to (\d+) %\), AVIF (\d+) % fewer \((\d+) to (\d+) %\); 8 images\./#
    let match = try #require(sentence.wholeMatch(of: pattern), "\(sentence)")
    // Both have the same bytes in this sample.
    #expect(match.1 == match.4 && match.2 == match.5 && match.3 == match.6)
    #expect(
      answers[0].details.first?.hasPrefix("BD-rate, averaged over SSIMULACRA2 50 to 90: HEIC −") == true)

    // One that cannot be compared has a sentence of its own.
    sweep.change = { row in
      if row.variant?.codec == "avif" { (row.status, row.encodedBytes, row.scores) = (.failed, nil, [:]) }
    }
    let failing = try sweep.analysis().wording.answers.map(\.sentence)
    #expect(failing.count == 2)
    #expect(failing[0].hasPrefix("At SSIMULACRA2 70, HEIC takes"))
    #expect(failing[1] == "AVIF and JPEG cannot be compared: no point of AVIF was measured (80 failed).")
  }

  @Test func smallImagesAreCounted() throws {
    var sweep = SampleRows(images: 6)
    sweep.change = { if $0.image < "image4.png" { ($0.width, $0.height) = (112, 500) } }
    let analysis = try sweep.analysis()
    #expect(analysis.counts.smallImages == 4)
    #expect(analysis.wording.warnings.contains { $0.hasPrefix("4 of 6 images are under 113 pixels") })
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

extension Mean {
  fileprivate static func of(_ value: Double) -> Mean {
    var mean = Mean()
    mean.add(value)
    return mean
  }
}
