package import Analysis
package import Model
package import Store

package enum MatchedQualityColumns {
  static func all(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    let bytes = bytes(headline: headline)
    let names = Set(bytes.map(\.name))
    return bytes + time(headline: headline).filter { !names.contains($0.name) } + [
      .code("interval_method", "Interval by") { $0.bytes?.interval?.method.rawValue },
      .text("advice", "To do") { Wording.advice($0, of: headline) },
    ]
  }

  static func bytes(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    subject(headline: headline) + [
      .change("bytes_change_percent", "Bytes", decimals: 1) { $0.bytes?.mean },
      .change("bytes_change_lower_percent", "95 % from", decimals: 1) { $0.bytes?.interval?.lower },
      .change("bytes_change_upper_percent", "to", decimals: 1) { $0.bytes?.interval?.upper },
      .change("bytes_change_median_percent", "Median", decimals: 1) { $0.bytes?.median },
      .change("best_percent", "Best", decimals: 1) { $0.bytes?.extremes?.best.value },
      .code("best_image", "Best image") { $0.bytes?.extremes?.best.image },
      .change("worst_percent", "Worst", decimals: 1) { $0.bytes?.extremes?.worst.value },
      .code("worst_image", "Worst image") { $0.bytes?.extremes?.worst.image },
      .change("total_change_percent", "Total bytes", decimals: 1) { $0.total?.changePercent },
      .count("images", "Images") { $0.bytes?.images },
      .count("out_of", "of") { $0.bytes?.outOf },
      .count("bound_by_chroma", "Bound by chroma") { $0.boundByChroma > 0 ? $0.boundByChroma : nil },
      Column("remarks", title: "Left out", alignment: .leading) { Cell(problems: $0.problems) },
    ]
  }

  /// The answer, in columns that fit a terminal of 80 columns.
  package static func brief(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    subject(headline: headline) + [
      .change("bytes_change_percent", "Bytes", decimals: 1) { $0.bytes?.mean },
      .text("interval", "95 % interval") { $0.bytes?.interval?.ends(decimals: 1) },
      Column("encode_cpu_ratio", title: "Encode CPU") { Cell(times: $0.cpu[.encode]?.ratio) },
      Column("images", title: "Images") { Cell(images: $0.bytes?.images, of: $0.bytes?.outOf) },
      Column("remarks", title: "Left out", alignment: .leading) { Cell(problems: $0.problems) },
    ]
  }

  static func time(
    headline: MetricTraits?, reference: CodecVariant? = nil
  ) -> [Column<MatchedQuality>] {
    let other = reference?.name ?? "Reference"
    let times = TimedOperation.allCases.flatMap { operation -> [Column<MatchedQuality>] in
      let name = "\(operation)_cpu"
      return [
        .number("\(name)_ms_per_megapixel", "\(operation.title) CPU", unit: "ms/MP", decimals: 1) {
          $0.cpu[operation]?.millisecondsPerMegapixel
        },
        .number(
          "reference_\(name)_ms_per_megapixel", "\(other), \(operation) CPU", unit: "ms/MP", decimals: 1
        ) { $0.cpu[operation]?.referenceMillisecondsPerMegapixel },
        Column("\(name)_ratio", title: operation == .encode ? "Ratio" : "Ratio, \(operation)") {
          Cell(ratio: $0.cpu[operation]?.ratio)
        },
      ]
    }
    return subject(headline: headline) + times + [
      .number("bytes_saved_per_cpu_second", "Bytes saved per CPU second", decimals: 0) {
        $0.bytesSavedPerCPUSecond
      }
    ]
  }

  /// Times of different processors side by side, with the ratios of codecs on each.
  static func timeByProcessor(
    headline: MetricTraits?, reference: CodecVariant? = nil
  ) -> [Column<MatchedQuality>] {
    let ratios = TimedOperation.allCases.flatMap { operation -> [Column<MatchedQuality>] in
      [
        Column("\(operation)_cpu_mean_ratio", title: "\(operation.title), mean ratio") {
          Cell(ratio: $0.cpu[operation]?.meanRatio)
        },
        Column("\(operation)_cpu_ratio_lower", title: "95 % from") {
          Cell(ratio: $0.cpu[operation]?.ratioInterval?.lower)
        },
        Column("\(operation)_cpu_ratio_upper", title: "to") {
          Cell(ratio: $0.cpu[operation]?.ratioInterval?.upper)
        },
      ]
    }
    return time(headline: headline, reference: reference).filter { $0.name != "bytes_saved_per_cpu_second" }
      + ratios + [
        .code("processor", "Processor") { $0.processor },
        .count("images", "Images") { $0.cpu[.encode]?.images },
      ]
  }

  private static func subject(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    [
      .code("variant", "Codec") { $0.variant.name },
      .target(headline) { $0.target },
    ]
  }
}

extension Cell {
  init(problems: [ProblemCount]) {
    let phrases = problems.filter { $0.images > 0 }.map { "\($0.images) \($0.problem.label)" }
    self = phrases.isEmpty ? .empty : .text(phrases.joined(separator: ", "))
  }

  /// `24`, or `20 of 24`.
  init(images: Int?, of all: Int?) {
    self.init(text: images.map { $0 == all ? "\($0)" : "\($0) of \(all ?? 0)" })
  }

  /// `× 1.5`.
  init(times ratio: Double?) { self.init(text: ratio.map { "× \(Numerals.ratio($0))" }) }

  /// A ratio with enough decimals for two significant digits: 0.15, not 0.1.
  init(ratio: Double?) {
    self.init(number: ratio, decimals: ratio.map { $0 < 0.0995 ? 3 : $0 < 0.995 ? 2 : 1 } ?? 1)
  }
}

enum BDRateColumns {
  static func all(_ analysis: Analysis) -> [Column<BDRateSummary>] {
    let (titles, headline) = (analysis.metricTitles, analysis.options.headlineMetric)
    return [
      .code("variant", "Codec") { $0.variant.name },
      .text("metric", "Metric") { titles[$0.metric] ?? $0.metric },
      .text("range", "Range") { spelling(of: $0, titles: titles, headlineID: headline) },
      .change("bd_rate_percent", "BD-rate", decimals: 1) { $0.percent?.mean },
      .change("bd_rate_lower_percent", "95 % from", decimals: 1) { $0.percent?.interval?.lower },
      .change("bd_rate_upper_percent", "to", decimals: 1) { $0.percent?.interval?.upper },
      .change("bd_rate_median_percent", "Median", decimals: 1) { $0.percent?.median },
      .code("best_image", "Best image") { $0.percent?.extremes?.best.image },
      .code("worst_image", "Worst image") { $0.percent?.extremes?.worst.image },
      .count("images", "Images") { $0.percent?.images },
      .count("out_of", "of") { $0.percent?.outOf },
      .number("coverage_percent", "Range covered", unit: "%", decimals: 0) { $0.coverage.map { $0 * 100 } },
      Column("remarks", title: "Remarks", alignment: .leading) { Cell(problems: $0.problems) },
    ]
  }

  static func spelling(
    of summary: BDRateSummary, titles: [String: String], headlineID: String
  ) -> String {
    guard case .band(let lower, let upper) = summary.range else { return "all scores in common" }
    let band = "\(titles[headlineID] ?? headlineID) \(Numerals.short(lower)) to \(Numerals.short(upper))"
    return summary.metric == headlineID ? band : "where \(summary.reference.name) has \(band)"
  }
}

extension Analysis {
  var metricTitles: [String: String] { Dictionary(metrics.map { ($0.id, $0.title) }) { first, _ in first } }
}

extension ConfidenceInterval {
  /// `−35 to −25`.
  func ends(decimals: Int) -> String {
    "\(Numerals.signed(lower, decimals: decimals)) to \(Numerals.signed(upper, decimals: decimals))"
  }
}

/// A variant at one quality over all images. Equal quality numbers of two codecs do not mean equal quality.
package enum QualitySummaryColumns {
  /// Wall times appear only in rows that `hasExclusiveTimes`: with other jobs running, they say nothing about one
  /// encode.
  package static func all(
    metrics: [MetricTraits], reference: CodecVariant?,
    hasExclusiveTimes: @escaping @Sendable (QualitySummary) -> Bool
  ) -> [Column<QualitySummary>] {
    size(reference: reference) + time(hasExclusiveTimes: hasExclusiveTimes)
      + metrics.map { metric in
        .number("mean_\(metric.column)", metric.title, unit: metric.unit, decimals: metric.decimals) {
          $0.meanScores[metric.id]
        }
      }
  }

  /// Times of different processors side by side.
  static func timesByProcessor(
    hasExclusiveTimes: @escaping @Sendable (QualitySummary) -> Bool
  ) -> [Column<QualitySummary>] {
    [
      .code("variant", "Codec") { $0.variant.name },
      Column("quality", title: "Quality") { .numeral($0.quality.description) },
      .code("processor", "Processor") { $0.processor }, .count("images", "Images") { $0.images },
    ] + time(hasExclusiveTimes: hasExclusiveTimes).dropLast()
  }

  private static func size(reference: CodecVariant?) -> [Column<QualitySummary>] {
    [
      .code("variant", "Codec") { $0.variant.name },
      Column("quality", title: "Quality") { .numeral($0.quality.description) },
      .count("images", "Images") { $0.images },
      Column("failed", title: "Failed") { $0.failed > 0 ? .integer($0.failed) : .empty },
      Column("unsupported", title: "Unsupported") { $0.unsupported > 0 ? .integer($0.unsupported) : .empty },
      .count("total_bytes", "Total bytes") { $0.totalBytes },
      .number("mean_bits_per_pixel", "Bits per pixel", decimals: 3) { $0.meanBitsPerPixel },
      .number("compression_ratio", "Ratio", decimals: 1) { $0.compressionRatio },
      .number(
        "percent_of_reference", reference.map { "Size against \($0.name)" } ?? "Size", unit: "%", decimals: 1
      ) { $0.percentOfReference },
    ]
  }

  private static func time(
    hasExclusiveTimes: @escaping @Sendable (QualitySummary) -> Bool
  ) -> [Column<QualitySummary>] {
    TimingClock.allCases.reversed().flatMap { clock in
      TimedOperation.allCases.map { operation in
        let call = TimedCall(operation, clock)
        return .number(
          "\(call)_ms_per_megapixel", operation.title + (clock == .cpu ? " CPU" : " wall, alone"),
          unit: "ms/MP", decimals: 1
        ) { clock == .cpu || hasExclusiveTimes($0) ? $0.millisecondsPerMegapixel[call] : nil }
      }
    } + [
      .number("peak_memory_mib", "Peak memory", unit: "MiB", decimals: 0) { $0.peakMemoryMiB }
    ]
  }
}

/// The base pictures of files with a gain map, as SDR.
enum BaseColumns {
  static let explanation = """
    SSIMULACRA2 of the base, the picture that SDR screens show, against the same base uncoded. This is an SDR score: \
    do not compare it with the HDR scores above, which are for the picture with its whole gain map. Bytes are means \
    per file; the rest is metadata and container structure.
    """

  static let all: [Column<QualitySummary>] = [
    .code("variant", "Codec") { $0.variant.name },
    Column("quality", title: "Quality") { .numeral($0.quality.description) },
    .count("images", "Images") { $0.images },
    .number("base_ssimulacra2", "SSIMULACRA2 of the base", decimals: 1) { $0.gainMaps[.baseScore] },
    .number("base_bytes", "Base", unit: "bytes", decimals: 0) { $0.gainMaps[.baseBytes] },
    .number("map_bytes", "Map", unit: "bytes", decimals: 0) { $0.gainMaps[.mapBytes] },
    .number("rest_bytes", "Rest", unit: "bytes", decimals: 0) { summary in
      guard let base = summary.gainMaps[.baseBytes], let map = summary.gainMaps[.mapBytes] else { return nil }
      return Double(summary.totalBytes) / Double(summary.images) - base - map
    },
  ]
}
