package import Curves
package import Model
import Store

/// A variant against the reference at one score of the headline metric, where both reach it.
package struct MatchedQuality: Sendable, Hashable {
  /// The variant.
  package var variant: CodecVariant
  /// What it is compared with.
  package var reference: CodecVariant
  /// The headline metric's identifier.
  package var metric: String
  /// The score.
  package var target: Double
  /// The change in bytes, percent, as the geometric mean of the per-image ratios; nil where none exists.
  package var bytes: CorpusFigure?
  /// Bytes in total over the images for which it holds. Large images dominate it.
  package var total: MatchedTotal?
  /// CPU time of each operation at the target.
  package var cpu: OperationTable<MatchedTime>
  /// Bytes saved per extra CPU-second of encoding; nil unless it saves bytes and takes longer.
  package var bytesSavedPerCPUSecond: Double?
  /// What stood in the way, in the order of `CurveProblem`.
  package var problems: [ProblemCount]
  /// On which side of the target the images lie that were not measured around it.
  package var reach: TargetReach

  /// States a comparison.
  package init(
    variant: CodecVariant, reference: CodecVariant, metric: String, target: Double, bytes: CorpusFigure?,
    total: MatchedTotal?, cpu: OperationTable<MatchedTime>, bytesSavedPerCPUSecond: Double?,
    problems: [ProblemCount], reach: TargetReach = .init()
  ) {
    self.variant = variant
    self.reference = reference
    self.metric = metric
    self.target = target
    self.bytes = bytes
    self.total = total
    self.cpu = cpu
    self.bytesSavedPerCPUSecond = bytesSavedPerCPUSecond
    self.problems = problems
    self.reach = reach
  }
}

/// Images whose curve ends before a target score, by the side on which they lie.
package struct TargetReach: Sendable, Hashable {
  /// Images in which everything that was measured of a variant lies on one side.
  package struct Side: Sendable, Hashable {
    /// All scores are higher: lower qualities were not measured, or there are none.
    package var above = 0
    /// Those of them for which there is no lower quality.
    package var aboveForGood = 0
    /// All scores are lower: higher qualities were not measured, or there are none.
    package var below = 0
    /// Those of them for which there is no higher quality.
    package var belowForGood = 0

    /// Starts at zero.
    package init() {}

    mutating func add(_ scores: ClosedRange<Double>, _ ends: ScaleEnds, around score: Double) {
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

  /// The variant.
  package var variant = Side()
  /// What it is compared with.
  package var reference = Side()

  /// Starts at zero.
  package init() {}
}

/// Bytes of two variants at equal score, summed over the images for which both reach it.
package struct MatchedTotal: Sendable, Hashable {
  /// Bytes of the variant, interpolated.
  package var bytes: Double
  /// Bytes of the reference, interpolated.
  package var referenceBytes: Double

  /// States two totals.
  package init(bytes: Double, referenceBytes: Double) {
    self.bytes = bytes
    self.referenceBytes = referenceBytes
  }

  /// The change of the total in percent.
  package var changePercent: Double { (bytes / referenceBytes - 1) * 100 }
}

/// CPU times of two variants at equal score: all time over all pixels of the images for which both are known.
package struct MatchedTime: Sendable, Hashable {
  /// The images that it stands on.
  package var images: Int
  /// Milliseconds per megapixel (10⁶ pixels) of the variant.
  package var millisecondsPerMegapixel: Double
  /// Milliseconds per megapixel of the reference.
  package var referenceMillisecondsPerMegapixel: Double

  /// States two times.
  package init(
    images: Int, millisecondsPerMegapixel: Double, referenceMillisecondsPerMegapixel: Double
  ) {
    self.images = images
    self.millisecondsPerMegapixel = millisecondsPerMegapixel
    self.referenceMillisecondsPerMegapixel = referenceMillisecondsPerMegapixel
  }

  /// How many times as long the variant takes.
  package var ratio: Double { millisecondsPerMegapixel / referenceMillisecondsPerMegapixel }
}

extension MatchedQuality {
  /// Says of a run that did not come to its end that figures are missing so far, and not why: points that would give
  /// them may only not have been measured.
  mutating func endEarly(begun: Int, outOf all: Int) {
    bytes?.begun = begun
    let missing = all - (bytes?.images ?? 0)
    problems = missing > 0 ? [ProblemCount(problem: .unfinished, images: missing)] : []
    reach = TargetReach()
  }
}
