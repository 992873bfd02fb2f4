import Metrics
import Model
import Pixels
import Store

struct QualityAccumulator: Sendable {
  private static let calls = TimedCall.of(TimedOperation.allCases)

  private var summary: QualitySummary
  private var bytesWithPixels = 0.0
  private var rawBytes = 0.0
  private var encodedWithRaw = 0.0
  private var own = 0.0
  private var reference = 0.0
  /// In whole nanoseconds, as the store has them: their sum is exact, so that the store's own sums give the same figures
  /// to the last digit.
  private var times = OrdinalTable<TimedCall, (nanoseconds: Double, pixels: Double)>()
  private var scores: [String: Mean] = [:]
  private var capped: [String: Double] = [:]
  private var gainMaps = OrdinalTable<Quantity, Mean>()

  init(variant: CodecVariant, quality: Quality) {
    summary = QualitySummary(variant: variant, quality: quality)
  }

  mutating func add(_ row: ResultRow) {
    switch row.status {
    case .failed: summary.failed += 1
    case .unsupported: summary.unsupported += 1
    case .measured: addMeasured(row)
    }
  }

  private mutating func addMeasured(_ row: ResultRow) {
    guard let bytes = row.encodedBytes else { return }
    summary.images += 1
    summary.totalBytes +|= bytes
    summary.totalPixels +|= (row.pixels ?? 0)
    if let pixels = row.pixels, pixels > 0 { bytesWithPixels += Double(bytes) }
    if let raw = row.rawBytes {
      rawBytes += Double(raw)
      encodedWithRaw += Double(bytes)
    }
    for call in Self.calls {
      guard let timing = row.times[call], let pixels = row.pixels, pixels > 0 else { continue }
      times[call, default: (0, 0)].nanoseconds += (timing.median * 1e6).rounded()
      times[call]?.pixels += Double(pixels)
    }
    if let peak = row.figures[.peakMemory] {
      summary.peakMemoryMiB = max(peak, summary.peakMemoryMiB ?? peak)
    }
    for quantity in Quantity.ofGainMaps {
      if let value = row.figures[quantity] { gainMaps[quantity, default: Mean()].add(value) }
    }
    for (metric, score) in row.scores where score.isFinite {
      if let cap = MetricTraits.rules(of: metric)?.cap, score >= cap {
        capped[metric] = cap
      } else {
        scores[metric, default: Mean()].add(score)
      }
    }
  }

  mutating func compare(bytes: Int, referenceBytes: Int) {
    own += Double(bytes)
    reference += Double(referenceBytes)
  }

  var result: QualitySummary {
    var result = summary
    result.meanBitsPerPixel =
      summary.totalPixels > 0 ? bytesWithPixels * 8 / Double(summary.totalPixels) : nil
    result.compressionRatio = encodedWithRaw > 0 ? rawBytes / encodedWithRaw : nil
    result.percentOfReference = reference > 0 ? own / reference * 100 : nil
    // Nanoseconds per pixel are milliseconds per megapixel.
    result.millisecondsPerMegapixel = times.compactMapValues { $0.nanoseconds / $0.pixels }
    result.gainMaps = gainMaps.compactMapValues(\.value)
    result.meanScores = scores.compactMapValues(\.value).merging(capped) { mean, _ in mean }
    return result
  }
}

struct Mean: Sendable, Hashable {
  private var sum = 0.0
  private var count = 0

  mutating func add(_ value: Double) {
    sum += value
    count += 1
  }

  var value: Double? { count > 0 ? sum / Double(count) : nil }
}
