import Metrics
package import Model
package import Store

package struct QualityAccumulator: Sendable {
  private static let calls = TimedCall.of(TimedOperation.allCases)

  private var summary: QualitySummary
  private var bytesWithPixels = 0.0
  private var rawBytes = 0.0
  private var encodedWithRaw = 0.0
  private var own = 0.0
  private var reference = 0.0
  private var times = OrdinalTable<TimedCall, TimePerPixel>()
  private var scores: [String: Mean] = [:]
  /// Capped scores of equal images, by metric.
  private var capped: [String: Double] = [:]

  package init(variant: CodecVariant, quality: Quality) {
    summary = QualitySummary(variant: variant, quality: quality)
  }

  package mutating func add(_ row: ResultRow) {
    switch row.status {
    case .failed: summary.failed += 1
    case .unsupported: summary.unsupported += 1
    case .measured: addMeasured(row)
    }
  }

  private mutating func addMeasured(_ row: ResultRow) {
    guard let bytes = row.encodedBytes else { return }
    summary.images += 1
    summary.totalBytes = saturatingSum(summary.totalBytes, bytes)
    summary.totalPixels = saturatingSum(summary.totalPixels, row.pixels ?? 0)
    if let pixels = row.pixels, pixels > 0 { bytesWithPixels += Double(bytes) }
    if let raw = row.rawBytes {
      rawBytes += Double(raw)
      encodedWithRaw += Double(bytes)
    }
    for call in Self.calls { times[call, default: TimePerPixel()].add(row.times[call], pixels: row.pixels) }
    if let peak = row.figures[.peakMemory] {
      summary.peakMemoryMiB = max(peak, summary.peakMemoryMiB ?? peak)
    }
    for (metric, score) in row.scores where score.isFinite {
      if let cap = MetricTraits.rules(of: metric)?.cap, score >= cap {
        capped[metric] = cap
      } else {
        scores[metric, default: Mean()].add(score)
      }
    }
  }

  /// Adds the sizes of an image measured at the same quality number on the reference, too.
  package mutating func compare(bytes: Int, referenceBytes: Int) {
    own += Double(bytes)
    reference += Double(referenceBytes)
  }

  package var result: QualitySummary {
    var result = summary
    result.meanBitsPerPixel =
      summary.totalPixels > 0 ? bytesWithPixels * 8 / Double(summary.totalPixels) : nil
    result.compressionRatio = encodedWithRaw > 0 ? rawBytes / encodedWithRaw : nil
    result.percentOfReference = reference > 0 ? own / reference * 100 : nil
    result.millisecondsPerMegapixel = times.compactMapValues(\.perMegapixel)
    result.meanScores = scores.compactMapValues(\.value).merging(capped) { mean, _ in mean }
    return result
  }
}

struct Mean: Sendable {
  private var sum = 0.0
  private var count = 0

  mutating func add(_ value: Double) {
    sum += value
    count += 1
  }

  var value: Double? { count > 0 ? sum / Double(count) : nil }
}

private struct TimePerPixel: Sendable {
  private var milliseconds = 0.0
  private var pixels = 0.0

  mutating func add(_ timing: ResultRow.Timing?, pixels: Int?) {
    guard let timing, let pixels, pixels > 0 else { return }
    milliseconds += timing.median
    self.pixels += Double(pixels)
  }

  var perMegapixel: Double? { pixels > 0 ? milliseconds / pixels * 1e6 : nil }
}

/// Returns the sum, saturated instead of trapping: rows come from files that anybody can write.
package func saturatingSum(_ a: Int, _ b: Int) -> Int {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? .max : sum
}
