import Foundation
package import Model

/// A variant against the reference at one score, image by image.
package struct MatchedAccumulator: Sendable {
  private var result: MatchedQuality
  private var ratios = FigureColumn(.logRatio)
  private var total = EqualScoreSizes(bytes: 0, referenceBytes: 0)

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
      total.bytes += size
      total.referenceBytes += referenceSize
      for operation in TimedOperation.allCases {
        guard let pixels, pixels > 0, let time = candidate.cpu(operation, at: score),
          let other = reference.cpu(operation, at: score)
        else { continue }
        result.cpu[operation, default: MatchedTime()].add(
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

  package func summary(outOf: Int, options: AnalysisOptions) -> MatchedQuality {
    var result = result
    result.bytes = ratios.figure(outOf: outOf, options: options)
    result.total = total.referenceBytes > 0 ? total : nil
    result.problems = ratios.problemCounts
    return result
  }
}
