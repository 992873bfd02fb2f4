import BenchModel
import Testing

@testable import Results

@Suite struct VerdictTests {
  @Test func fewImagesHaveNoInterval() throws {
    let analysis = try SampleRows(images: 3).analysis()
    #expect(
      analysis.verdicts[0].sentence
        == "At SSIMULACRA2 70, HEIC takes 30 % fewer bytes than JPEG, 3 images: too few for an interval.")
    #expect(analysis.warnings.contains { $0.hasPrefix("3 images say little") })
  }

  @Test func moreBytesAreCalledMore() throws {
    let verdict = try SampleRows(share: { _ in 1.042 }).analysis().verdicts[0]
    #expect(verdict.direction == .costs)
    #expect(verdict.sentence.contains("HEIC takes 4.2 % more bytes than JPEG, 95 % interval 4.2 to 4.2 %"))
  }

  @Test func anIntervalAcrossZeroDecidesNothing() throws {
    let verdict = try SampleRows(share: { $0 % 2 == 0 ? 0.8 : 1.24 }).analysis().verdicts[0]
    #expect(verdict.direction == .undecided)
    #expect(verdict.sentence.contains(", but the 95 % interval runs from "))
    #expect(verdict.sentence.contains(" % fewer to "))
    #expect(verdict.sentence.contains(" % more, 8 images."))
  }

  @Test func equalCodecsTakeAsManyBytes() throws {
    let verdict = try SampleRows(share: { _ in 1 }).analysis().verdicts[0]
    #expect(verdict.sentence.hasPrefix("At SSIMULACRA2 70, HEIC takes as many bytes as JPEG"))
  }

  @Test func twoQualitiesAreTooFewAndTheSentenceSaysSo() throws {
    let verdict = try SampleRows(qualities: 2).analysis().verdicts[0]
    #expect(verdict.direction == .unknown)
    #expect(verdict.sentence.contains("cannot be compared at equal SSIMULACRA2"))
  }

  @Test func withoutTheHeadlineMetricNothingIsClaimed() throws {
    let options = AnalysisOptions(headlineMetric: "butteraugli")
    let analysis = try SampleRows().analysis(options: options)
    #expect(analysis.verdicts[0].direction == .unknown)
    #expect(analysis.verdicts[0].sentence.contains("no butteraugli scores"))
    #expect(analysis.matchedQualities.isEmpty)
  }

  @Test func variantsWithSettingsAreNamedWithThem() throws {
    var sweep = SampleRows()
    sweep.variants[1] = CodecVariant(codec: "heic", settings: ["chroma": "444"])
    #expect(try sweep.analysis().verdicts[0].sentence.contains("HEIC (chroma=444) takes 30 % fewer"))
  }

  @Test func detailsTellTheAverageTheExtremesAndTheCost() throws {
    let details = try SampleRows().analysis().verdicts[0].details
    #expect(details.count == 3)
    #expect(details[0].contains("SSIMULACRA2 50 to 90"))
    #expect(details[0].contains("BD-rate −30.0 %"))
    #expect(details[2].contains("20 times the CPU time of JPEG"))
  }

  @Test func lossySourcesAndContentionWarn() throws {
    var sweep = SampleRows()
    sweep.change = { row in
      row.sourceIsLossy = row.image < "image2"
      row.conditions = .contended
    }
    let warnings = try sweep.analysis().warnings
    #expect(warnings.contains { $0.hasPrefix("2 of 8 images come from lossy files") })
    #expect(warnings.contains { $0.contains("beside other jobs") })
  }

  @Test func aCleanSweepHasNoWarnings() throws {
    #expect(try SampleRows().analysis().warnings.isEmpty)
  }

  @Test func theContrastGivesTheNaiveAnswerAndTheRightOne() throws {
    // At equal numbers HEIC scores 3 lower here, which by itself saves bytes.
    let contrast = try #require(try SampleRows().analysis().contrasts.first)
    #expect(contrast.points == 80)
    #expect(contrast.changePercent < -30)
    #expect(contrast.explanation.contains("the mean SSIMULACRA2 is 58.25 with HEIC and 61.25 with JPEG"))
    #expect(contrast.explanation.hasSuffix("At SSIMULACRA2 70 in both it takes 30 % fewer bytes."))
  }
}
