import Analysis
package import Model
package import Store

/// A variant at one quality over all images. Equal qualities of two codecs are not equal quality.
package enum QualitySummaryColumns {
  /// Wall times appear only in rows that `hasExclusiveTimes`: taken beside other jobs, they say nothing about one
  /// encode.
  package static func all(
    metrics: [MetricTraits], reference: CodecVariant?,
    hasExclusiveTimes: @escaping @Sendable (QualitySummary) -> Bool
  ) -> [Column<QualitySummary>] {
    size(reference: reference) + time(hasExclusiveTimes: hasExclusiveTimes)
      + metrics.map { metric in
        Column("mean_\(metric.column)", title: metric.title, unit: metric.unit) {
          Cell(number: $0.meanScores[metric.id], decimals: metric.decimals)
        }
      }
  }

  private static func size(reference: CodecVariant?) -> [Column<QualitySummary>] {
    [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("quality", title: "Quality") { .numeral($0.quality.description) },
      Column("images", title: "Images") { .integer($0.images) },
      Column("failed", title: "Failed") { $0.failed > 0 ? .integer($0.failed) : .empty },
      Column("unsupported", title: "Unsupported") { $0.unsupported > 0 ? .integer($0.unsupported) : .empty },
      Column("total_bytes", title: "Total bytes") { .integer($0.totalBytes) },
      Column("mean_bits_per_pixel", title: "Bits per pixel") {
        Cell(number: $0.meanBitsPerPixel, decimals: 3)
      },
      Column("compression_ratio", title: "Ratio") { Cell(number: $0.compressionRatio, decimals: 1) },
      Column(
        "percent_of_reference", title: reference.map { "Size against \($0.name)" } ?? "Size", unit: "%"
      ) { Cell(number: $0.percentOfReference, decimals: 1) },
    ]
  }

  private static func time(
    hasExclusiveTimes: @escaping @Sendable (QualitySummary) -> Bool
  ) -> [Column<QualitySummary>] {
    TimingClock.allCases.reversed().flatMap { clock in
      TimedOperation.allCases.map { operation in
        let call = TimedCall(operation, clock)
        return Column(
          "\(call)_ms_per_megapixel", title: operation.title + (clock == .cpu ? " CPU" : " wall, alone"),
          unit: "ms/MP"
        ) {
          Cell(
            number: clock == .cpu || hasExclusiveTimes($0) ? $0.millisecondsPerMegapixel[call] : nil,
            decimals: 1)
        }
      }
    } + [
      Column("peak_memory_mib", title: "Peak memory", unit: "MiB") {
        Cell(number: $0.peakMemoryMiB, decimals: 0)
      }
    ]
  }
}
