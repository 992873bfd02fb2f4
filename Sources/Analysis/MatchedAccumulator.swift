import Foundation
import Model

struct MatchedAccumulator: Sendable {
  private var ratios = FigureColumn(.logRatio)
  private var reach = TargetReach()
  private var total = EqualScoreSizes(bytes: 0, referenceBytes: 0)
  private var cpu = OperationTable<MatchedTime>()

  /// Adds an image; returns its bytes at the target, or the reason for missing ones.
  mutating func add(
    image: NamedImage, pixels: Int?, at score: Double, _ pair: PairAccumulator.Pair, metric: Int
  ) -> Result<EqualScoreSizes, CurveProblem> {
    do throws(CurveProblem) {
      let (candidate, reference) = (
        try pair.candidate.curves[metric].get(), try pair.reference.curves[metric].get()
      )
      reach.variant.add(candidate.scores, pair.candidate.ends, around: score)
      reach.reference.add(reference.scores, pair.reference.ends, around: score)
      let size = try Self.bytes(candidate, at: score)
      let referenceSize = try Self.bytes(reference, at: score)
      ratios.add(log(size / referenceSize), image: image)
      total.bytes += size
      total.referenceBytes += referenceSize
      for operation in TimedOperation.allCases {
        guard let pixels, pixels > 0, let time = candidate.cpu(operation, at: score),
          let other = reference.cpu(operation, at: score)
        else { continue }
        cpu[operation, default: MatchedTime()].add(
          time, reference: other, pixels: pixels, saved: referenceSize - size)
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

  func summary(
    _ variant: CodecVariant, _ reference: CodecVariant, target: Double, outOf: Int,
    options: AnalysisOptions
  ) -> MatchedQuality {
    MatchedQuality(
      variant: variant, reference: reference, metric: options.headlineMetric, target: target,
      bytes: ratios.figure(outOf: outOf, options: options),
      total: total.referenceBytes > 0 ? total : nil, cpu: cpu, problems: ratios.problemCounts, reach: reach)
  }
}
