import Foundation
import Metrics
package import Model

/// A variant against the reference at one score of the headline metric, over the images where both reach it.
package struct MatchedQuality: Sendable, Hashable {
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var metric: String
  package var target: Double
  /// Change in bytes, percent, as the geometric mean of the per-image ratios; nil without any.
  package var bytes: CorpusFigure?
  package var total: EqualScoreSizes?
  package var cpu = OperationTable<MatchedTime>()
  /// The processor of the times; nil if all times of the run come from one processor.
  package var processor: String?
  /// The number of images in `bytes` in which halved chroma alone causes more than half of either variant's loss.
  package var boundByChroma = 0
  package var problems: [ProblemCount] = []
  /// The side of the target on which images have all their points, if they have none around it.
  package var reach: TargetReach = .init()

  /// Bytes saved per extra CPU second of encoding; nil unless the variant saves bytes and takes longer.
  package var bytesSavedPerCPUSecond: Double? {
    guard let time = cpu[.encode] else { return nil }
    let extra = (time.milliseconds - time.referenceMilliseconds) / 1000
    return extra > 0 && time.savedBytes > 0 ? time.savedBytes / extra : nil
  }

  /// Replaces the problems of an unfinished run by `unfinished`: the missing points may still come.
  mutating func endEarly(begun: Int, outOf all: Int) {
    bytes?.begun = begun
    let missing = all - (bytes?.images ?? 0)
    problems = missing > 0 ? [ProblemCount(problem: .unfinished, images: missing)] : []
    reach = TargetReach()
  }
}

/// Images with a curve that ends before a target score, by side.
package struct TargetReach: Sendable, Hashable {
  package struct Side: Sendable, Hashable {
    /// All scores are higher: lower qualities were not measured, or do not exist.
    package var above = 0
    package var aboveForGood = 0
    /// All scores are lower: higher qualities were not measured, or do not exist.
    package var below = 0
    package var belowForGood = 0

    mutating func add(
      _ scores: ClosedRange<Double>, _ ends: (lowest: Bool, highest: Bool), around score: Double
    ) {
      if scores.lowerBound > score {
        above += 1
        if ends.lowest { aboveForGood += 1 }
      }
      if scores.upperBound < score {
        below += 1
        if ends.highest { belowForGood += 1 }
      }
    }
  }

  package var variant = Side()
  package var reference = Side()
}

/// CPU times of two variants at equal score: total time over total pixels of the images with both times.
package struct MatchedTime: Sendable, Hashable {
  package private(set) var images = 0
  private(set) var pixels = 0.0
  private(set) var milliseconds = 0.0
  private(set) var referenceMilliseconds = 0.0
  private(set) var savedBytes = 0.0
  /// Geometric mean of the images' ratios with its interval; nil unless `AnalysisOptions.givesTimeIntervals`.
  package internal(set) var meanRatio: Double?
  package internal(set) var ratioInterval: ConfidenceInterval?

  mutating func add(_ time: Double, reference: Double, pixels: Int, saved: Double) {
    images += 1
    self.pixels += Double(pixels)
    milliseconds += time
    referenceMilliseconds += reference
    savedBytes += saved
  }

  /// The variant's time per megapixel (10⁶ pixels).
  package var millisecondsPerMegapixel: Double { milliseconds / pixels * 1e6 }
  package var referenceMillisecondsPerMegapixel: Double { referenceMilliseconds / pixels * 1e6 }
  package var ratio: Double { millisecondsPerMegapixel / referenceMillisecondsPerMegapixel }
}

/// A variant against the reference at one score, image by image.
package struct MatchedAccumulator: Sendable {
  private var result: MatchedQuality
  private var ratios = FigureColumn(.logRatio)
  private var total = EqualScoreSizes(bytes: 0, referenceBytes: 0)
  /// Logarithms of the images' ratios of times.
  private var timeRatios = OperationTable<ImageValues>()

  package init(_ variant: CodecVariant, _ reference: CodecVariant, metric: String, target: Double) {
    result = MatchedQuality(variant: variant, reference: reference, metric: metric, target: target)
  }

  package mutating func add(
    image: NamedImage, pixels: Int?, at score: Double, _ pair: CurvePair, metric: Int
  ) -> Result<EqualScoreSizes, CurveProblem> {
    do throws(CurveProblem) {
      let (candidate, reference) = (
        try pair.candidate.curves[metric].get(), try pair.reference.curves[metric].get()
      )
      result.reach.variant.add(candidate.scores, pair.candidate.ends, around: score)
      result.reach.reference.add(reference.scores, pair.reference.ends, around: score)
      let size = try Self.bytes(candidate, at: score)
      let referenceSize = try Self.bytes(reference, at: score)
      ratios.add(log(size / referenceSize), image: image)
      if result.metric == MetricTraits.headline.id,
        pair.candidate.isBoundByChroma(at: result.target) || pair.reference.isBoundByChroma(at: result.target)
      {
        result.boundByChroma += 1
      }
      total.bytes += size
      total.referenceBytes += referenceSize
      for operation in TimedOperation.allCases {
        guard let pixels, pixels > 0, let time = candidate.cpu(operation, at: score),
          let other = reference.cpu(operation, at: score)
        else { continue }
        result.cpu[operation, default: MatchedTime()].add(
          time, reference: other, pixels: pixels, saved: referenceSize - size)
        timeRatios[operation, default: ImageValues()].add(log(time / other))
      }
      return .success(
        EqualScoreSizes(
          bytes: size, referenceBytes: referenceSize, quality: candidate.quality(at: score),
          referenceQuality: reference.quality(at: score)))
    } catch {
      ratios.note(error)
      return .failure(error)
    }
  }

  private static func bytes(_ curve: RateQualityCurve, at score: Double) throws(CurveProblem) -> Double {
    guard curve.scores.contains(score) else { throw .outOfRange }
    guard let bytes = curve.bytes(at: score) else { throw .sparse }
    return bytes
  }

  package func summary(outOf: Int, options: AnalysisOptions) -> MatchedQuality {
    var result = result
    result.bytes = ratios.figure(outOf: outOf, options: options)
    result.total = total.referenceBytes > 0 ? total : nil
    result.problems = ratios.problemCounts
    guard options.givesTimeIntervals else { return result }
    for operation in TimedOperation.allCases {
      guard let values = timeRatios[operation] else { continue }
      result.cpu[operation]?.meanRatio = values.mean.map(exp)
      result.cpu[operation]?.ratioInterval = Bootstrap.interval(
        of: values, resamples: options.resamples, seed: options.seed, population: options.population)?.mapped(
          exp)
    }
    return result
  }
}
