import Analysis
package import Model
package import Store

/// A variant at one quality over all images. Equal qualities of two codecs are not equal quality.
package enum QualitySummaryColumns {
  /// Wall times appear only in rows that `hasExclusiveTimes`: beside other jobs, they say nothing about one encode.
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
