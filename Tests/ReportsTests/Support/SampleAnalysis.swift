import Foundation
import Model
import SampleData
import Store

@testable import Analysis

/// An analysis of 24 made-up images, filled by formula, so that reports are tested without the real analysis.
enum SampleAnalysis {
  static let jpeg = SyntheticSweep.jpeg
  static let heic = SyntheticSweep.heic
  static let slow = CodecVariant(codec: "heic", settings: ["chroma": "444", "preset": "veryslow"])

  /// JPEG and HEIC.
  static var pair: Analysis { analysis(variants: [jpeg, heic]) }
  /// JPEG and two kinds of HEIC.
  static var three: Analysis { analysis(variants: [jpeg, heic, slow]) }

  static func analysis(variants: [CodecVariant]) -> Analysis {
    var analysis = Analysis(variants: variants, metrics: SyntheticSweep.metrics)
    analysis.counts.images = 25
    analysis.counts.unusableImages.add("scan.png")
    analysis.counts.lossyImages = 3
    analysis.counts.pixels = 24 * 768 * 512
    analysis.counts.measured = 24 * 10 * variants.count - 1
    analysis.counts.failed = 1
    analysis.counts.contended = analysis.counts.measured
    for (index, variant) in variants.enumerated().dropFirst() {
      add(variant, shift: Double(index), to: &analysis)
    }
    analysis.meanCurves = variants.enumerated().map { index, variant in
      meanCurve(variant, factor: 1 - 0.25 * Double(index))
    }
    analysis.imageDetails = (1...24).map { detail($0, variants: variants) }
    analysis.paretoFronts = analysis.options.targets.map { front($0, variants: variants) }
    analysis.qualitySummaries = variants.enumerated().flatMap { index, variant in
      [300, 600, 900].compactMap { summary(variant, thousandths: $0, shift: Double(index)) }
    }
    return analysis
  }

  private static func add(_ variant: CodecVariant, shift: Double, to analysis: inout Analysis) {
    for (target, change) in zip(analysis.options.targets, [-48.3, -27.04, -18.5, 3.25]) {
      analysis.matchedQualities.append(matched(variant, target: target, change: change - 4 * (shift - 1)))
    }
    for metric in analysis.metrics {
      for range in [BDRateSummary.Range.band(50, 90), .overlap] {
        let mean = range == .overlap ? -42.1 : -28.4
        analysis.bdRates.append(
          BDRateSummary(
            variant: variant, reference: jpeg, metric: metric.id, range: range,
            percent: figure(mean, images: 22), coverage: 0.91,
            problems: [ProblemCount(problem: .notMonotone, images: 2)]))
      }
    }
    analysis.contrasts.append(
      EqualQualityContrast(
        variant: variant, reference: jpeg, points: 240, bytes: 14_000_000, referenceBytes: 10_000_000,
        scores: .of(71.4), referenceScores: .of(58.2)))
    analysis.verdicts.append(
      Verdict(
        variant: variant, reference: jpeg, direction: .saves, target: 70,
        bytes: figure(-27.04 - 4 * (shift - 1))))
    analysis.sanity.counts[.scoreFalls] = 1
    analysis.sanity.violations = [
      SanityReport.Violation(
        kind: .scoreFalls, image: "a|b.png", variant: variant,
        qualities: [900, 1000].compactMap { Quality(thousandths: $0) }, evidence: .score(88.1, after: 90.02))
    ]
  }

  private static func figure(_ mean: Double, images: Int = 24) -> CorpusFigure {
    CorpusFigure(
      images: images, outOf: 24, mean: mean,
      interval: ConfidenceInterval(lower: mean - 7.1, upper: mean + 6.3, method: .bootstrap),
      median: mean + 1, best: NamedFigure(image: "kodim03.png", value: mean - 20),
      worst: NamedFigure(image: "<kodim13>.png", value: mean + 22))
  }

  private static func matched(_ variant: CodecVariant, target: Double, change: Double) -> MatchedQuality {
    MatchedQuality(
      variant: variant, reference: jpeg, metric: "ssimulacra2", target: target, bytes: figure(change),
      total: EqualScoreSizes(bytes: 7.2e6, referenceBytes: 1e7),
      cpu: [
        .encode: time(1105.5, 7.25, saved: change < 0 ? 28_123.4 * (1105.5 - 7.25) / 1000 : 0),
        .decode: time(61.4, 4.1),
      ],
      problems: target == 90 ? [ProblemCount(problem: .outOfRange, images: 2)] : [])
  }

  /// The times of 24 images of a megapixel each.
  private static func time(_ milliseconds: Double, _ reference: Double, saved: Double = 0) -> MatchedTime {
    var time = MatchedTime()
    for _ in 0..<24 { time.add(milliseconds, reference: reference, pixels: 1_000_000, saved: saved) }
    return time
  }

  private static func meanCurve(_ variant: CodecVariant, factor: Double) -> MeanCurve {
    MeanCurve(
      variant: variant, metric: "ssimulacra2",
      points: (20...92).map { score in
        let rate = 0.08 * exp(Double(score) / 27) * factor
        return .init(score: Double(score), bitsPerPixel: rate, images: score > 85 ? 18 : 24)
      })
  }

  private static func detail(_ number: Int, variants: [CodecVariant]) -> ImageDetail {
    let hardness = 0.6 + 0.06 * Double((number * 7) % 24)
    return ImageDetail(
      image: "kodim\(number < 10 ? "0" : "")\(number).png", width: 768, height: 512,
      variants: variants.enumerated().map { index, variant in
        let factor = hardness * (1 - 0.25 * Double(index))
        let points = stride(from: 100, through: 1000, by: 100).compactMap { thousandths in
          Quality(thousandths: thousandths).map { quality in
            let score = 95 - 80 * pow(1 - quality.value * 0.95, 1.5)
            return ImageDetail.Point(
              quality: quality, bytes: Int(49_152 * 0.08 * exp(score / 27) * factor), score: score)
          }
        }
        let change = index == 0 ? nil : -27.0 + Double((number * 11) % 24 - 12) * 2.2
        return ImageDetail.Variant(
          variant: variant, points: points,
          changeAtTargets: [-48, -27, -18, 3].map { target in change.map { $0 + target + 27 } })
      })
  }

  private static func front(_ target: Double, variants: [CodecVariant]) -> ParetoFront {
    let entries = variants.enumerated().map { index, variant in
      ParetoFront.Entry(
        variant: variant, bitsPerPixel: 0.08 * exp(target / 27) * (1 - 0.25 * Double(index)),
        millisecondsPerMegapixel: [.encode: 7.25 * pow(12, Double(index)), .decode: 4.1 * Double(index + 1)],
        peakMiB: 3.5 + 30 * Double(index),
        dominatedBy: index == 1 && target == 90 ? jpeg : nil)
    }
    return ParetoFront(metric: "ssimulacra2", target: target, images: 22, entries: entries, leftOut: [])
  }

  private static func summary(
    _ variant: CodecVariant, thousandths: Int, shift: Double
  ) -> QualitySummary? {
    guard let quality = Quality(thousandths: thousandths) else { return nil }
    var summary = QualitySummary(variant: variant, quality: quality)
    summary.images = 24
    summary.failed = shift == 1 && thousandths == 900 ? 1 : 0
    summary.totalBytes = Int(Double(thousandths) * 1234 * (1 + shift / 2))
    summary.totalPixels = 24 * 768 * 512
    summary.meanBitsPerPixel = Double(summary.totalBytes * 8) / Double(summary.totalPixels)
    summary.compressionRatio = 24 / (summary.meanBitsPerPixel ?? 1)
    summary.percentOfReference = (1 + shift / 2) * 100
    summary.millisecondsPerMegapixel[TimedCall(.encode, .cpu)] = 7.25 * pow(12, shift)
    summary.millisecondsPerMegapixel[TimedCall(.decode, .cpu)] = 4.1 * (1 + shift)
    summary.millisecondsPerMegapixel[TimedCall(.encode, .wall)] = 9.9
    summary.peakMemoryMiB = 31.25
    summary.meanScores = ["psnr-y": 30 + shift, "ssim": 0.9208, "ssimulacra2": 55 + 10 * shift]
    return summary
  }
}

extension Mean {
  fileprivate static func of(_ value: Double) -> Mean {
    var mean = Mean()
    mean.add(value)
    return mean
  }
}
