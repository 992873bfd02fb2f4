package import Analysis
package import Model
package import Store

/// The bytes and times of a variant at equal score, against the reference.
package enum MatchedQualityColumns {
  /// The columns of both tables, each once, with the interval's method and advice.
  package static func all(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    let bytes = bytes(headline: headline)
    let names = Set(bytes.map(\.name))
    return bytes + time(headline: headline).filter { !names.contains($0.name) } + [
      Column("interval_method", title: "Interval by", alignment: .leading) {
        Cell(code: $0.bytes?.interval?.method.rawValue)
      },
      Column("advice", title: "To do", alignment: .leading) { Cell(text: Wording.advice($0)) },
    ]
  }

  package static func bytes(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    subject(headline: headline) + [
      Column("bytes_change_percent", title: "Bytes", unit: "%") {
        Cell(change: $0.bytes?.mean, decimals: 1)
      },
      Column("bytes_change_lower_percent", title: "95 % from", unit: "%") {
        Cell(change: $0.bytes?.interval?.lower, decimals: 1)
      },
      Column("bytes_change_upper_percent", title: "to", unit: "%") {
        Cell(change: $0.bytes?.interval?.upper, decimals: 1)
      },
      Column("bytes_change_median_percent", title: "Median", unit: "%") {
        Cell(change: $0.bytes?.median, decimals: 1)
      },
      Column("best_percent", title: "Best", unit: "%") { Cell(change: $0.bytes?.best.value, decimals: 1) },
      Column("best_image", title: "Best image", alignment: .leading) { Cell(code: $0.bytes?.best.image) },
      Column("worst_percent", title: "Worst", unit: "%") {
        Cell(change: $0.bytes?.worst.value, decimals: 1)
      },
      Column("worst_image", title: "Worst image", alignment: .leading) { Cell(code: $0.bytes?.worst.image) },
      Column("total_change_percent", title: "Total bytes", unit: "%") {
        Cell(change: $0.total?.changePercent, decimals: 1)
      },
      Column("images", title: "Images") { Cell(integer: $0.bytes?.images) },
      Column("out_of", title: "of") { Cell(integer: $0.bytes?.outOf) },
      Column("remarks", title: "Left out", alignment: .leading) { Cell(problems: $0.problems) },
    ]
  }

  /// The answer, narrowed to a terminal of 80 columns.
  package static func brief(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    subject(headline: headline) + [
      Column("bytes_change_percent", title: "Bytes", unit: "%") {
        Cell(change: $0.bytes?.mean, decimals: 1)
      },
      Column("interval", title: "95 % interval", alignment: .leading) {
        Cell(
          text: $0.bytes?.interval.map {
            "\(Numerals.signed($0.lower, decimals: 1)) to \(Numerals.signed($0.upper, decimals: 1))"
          })
      },
      Column("encode_cpu_ratio", title: "Encode CPU") { matched in
        Cell(text: matched.cpu[.encode].map { "× \(Numerals.ratio($0.ratio))" })
      },
      Column("images", title: "Images") { matched in
        Cell(
          text: matched.bytes.map {
            $0.images == $0.outOf ? "\($0.images)" : "\($0.images) of \($0.outOf)"
          })
      },
      Column("remarks", title: "Left out", alignment: .leading) { Cell(problems: $0.problems) },
    ]
  }

  /// CPU time at the target scores, beside that of `reference`.
  package static func time(
    headline: MetricTraits?, reference: CodecVariant? = nil
  ) -> [Column<MatchedQuality>] {
    let other = reference?.name ?? "Reference"
    let times = TimedOperation.allCases.flatMap { operation -> [Column<MatchedQuality>] in
      let name = "\(operation)_cpu"
      return [
        Column("\(name)_ms_per_megapixel", title: "\(operation.title) CPU", unit: "ms/MP") {
          Cell(number: $0.cpu[operation]?.millisecondsPerMegapixel, decimals: 1)
        },
        Column("reference_\(name)_ms_per_megapixel", title: "\(other), \(operation) CPU", unit: "ms/MP") {
          Cell(number: $0.cpu[operation]?.referenceMillisecondsPerMegapixel, decimals: 1)
        },
        Column("\(name)_ratio", title: operation == .encode ? "Ratio" : "Ratio, \(operation)") {
          Cell(ratio: $0.cpu[operation]?.ratio)
        },
      ]
    }
    return subject(headline: headline) + times + [
      Column("bytes_saved_per_cpu_second", title: "Bytes saved per CPU second") {
        Cell(number: $0.bytesSavedPerCPUSecond, decimals: 0)
      }
    ]
  }

  private static func subject(headline: MetricTraits?) -> [Column<MatchedQuality>] {
    [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("target", title: headline?.title ?? "Score", unit: headline?.unit ?? "") {
        .numeral(Numerals.short($0.target))
      },
    ]
  }
}

extension Cell {
  /// The obstacles to a figure, each with its number of images.
  init(problems: [ProblemCount]) {
    let phrases = problems.filter { $0.images > 0 }.map { "\($0.images) \($0.problem.label)" }
    self = phrases.isEmpty ? .empty : .text(phrases.joined(separator: ", "))
  }
}

extension Cell {
  /// A ratio with enough decimals for two significant digits: 0.15 and not 0.1.
  init(ratio: Double?) {
    self.init(number: ratio, decimals: ratio.map { $0 < 0.0995 ? 3 : $0 < 0.995 ? 2 : 1 } ?? 1)
  }
}
