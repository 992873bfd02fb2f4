import Foundation
import Model

/// Bytes and times of a pair at one target score, over streaming images.
struct MatchedAccumulator: Sendable {
  private var ratios = FigureColumn(.logRatio)
  private var reach = TargetReach()
  private var bytes = (candidate: 0.0, reference: 0.0)
  private var cpu = OperationTable<TimeSums>()

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
      bytes.candidate += size
      bytes.reference += referenceSize
      for operation in TimedOperation.allCases {
        cpu[operation, default: TimeSums()].add(
          candidate.cpu(operation, at: score), reference.cpu(operation, at: score), pixels: pixels,
          saved: referenceSize - size)
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
      total: bytes.reference > 0
        ? MatchedTotal(bytes: bytes.candidate, referenceBytes: bytes.reference) : nil,
      cpu: cpu.compactMapValues(\.summary), bytesSavedPerCPUSecond: cpu[.encode]?.savedPerSecond,
      problems: ratios.problemCounts, reach: reach)
  }
}

/// Times of a pair over the images with both known.
private struct TimeSums: Sendable {
  private var images = 0
  private var pixels = 0.0
  private var candidate = 0.0
  private var reference = 0.0
  private var saved = 0.0

  mutating func add(_ candidate: Double?, _ reference: Double?, pixels: Int?, saved: Double) {
    guard let candidate, let reference, let pixels, pixels > 0 else { return }
    images += 1
    self.pixels += Double(pixels)
    self.candidate += candidate
    self.reference += reference
    self.saved += saved
  }

  var summary: MatchedTime? {
    guard pixels > 0 else { return nil }
    return MatchedTime(
      images: images, millisecondsPerMegapixel: candidate / pixels * 1e6,
      referenceMillisecondsPerMegapixel: reference / pixels * 1e6)
  }

  /// Bytes saved per extra second; nil unless bytes are saved and time is spent.
  var savedPerSecond: Double? {
    let extra = (candidate - reference) / 1000
    return extra > 0 && saved > 0 ? saved / extra : nil
  }
}
