import Analysis
import Model
import Reports
import Store

/// The table “what should I set?”.
struct RecommendationColumns {
  let headline: MetricTraits
  /// The base of savings.
  let reference: CodecVariant?
  /// The run, which knows its images.
  let manifest: RunManifest?

  /// All columns, for programs, described by `$defs/recommendation` in docs/schema.json.
  var all: [Column<Recommendation>] {
    [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("quality", title: "Quality") { .numeral($0.quality.description) },
      Column("quality_interpolated", title: "Or") { Cell(number: $0.interpolated, decimals: 2) },
      Column("quality_too_low", title: "Too low") {
        $0.tooLow.map { .numeral($0.quality.description) } ?? .empty
      },
      Column("holding_too_low", title: "Images with the score there") { Cell(integer: $0.tooLow?.holding) },
      Column("bits_per_pixel", title: "Bits/px") { Cell(number: $0.bitsPerPixel, decimals: 3) },
      Column("bytes_change_percent", title: "Bytes", unit: "%") {
        Cell(change: $0.change?.mean, decimals: 1)
      },
      Column("bytes_change_images", title: "Images of that") { Cell(integer: $0.change?.images) },
    ]
      + TimedOperation.allCases.map { operation in
        Column("\(operation)_cpu_ms_per_megapixel", title: operation.title) { found in
          let value = found.cpu[operation]
          return Cell(number: value, decimals: value.map { $0 < 100 ? 1 : 0 } ?? 1)
        }
      } + [
        Column("holding", title: "Images with the score") { .integer($0.holding) },
        Column("images", title: "of") { .integer($0.images) },
        Column("worst_image", title: "Worst image", alignment: .leading) { .code($0.worst.image) },
        Column("worst_score", title: "Score") { [headline] in
          Cell(number: $0.worst.value, decimals: headline.decimals)
        },
        Column("lacks", title: "Lacks", alignment: .leading) { Cell(text: Self.lacks($0)) },
        Column("command", title: "As a command", alignment: .leading) {
          Cell(code: SettingColumns.command($0.variant, quality: $0.quality.value))
        },
        Column("command_alternative", title: "Or", alignment: .leading) {
          Cell(code: SettingColumns.alternative($0.variant, quality: $0.quality.value))
        },
        Column("heicbench_command", title: "With heicbench", alignment: .leading) { [manifest] found in
          Cell(code: manifest.flatMap { RecommendOutcome.encoding(found, $0) })
        },
      ]
  }

  /// The columns for readers, narrowed to a terminal of 80 columns.
  var brief: [Column<Recommendation>] {
    let change = Column<Recommendation>("change", title: "Bytes (%)") { found in
      Cell(
        text: found.change.map { change in
          let mean = Numerals.signed(change.mean, decimals: 1)
          return change.images == found.images
            ? mean : "\(mean) (\(Numerals.counted(change.images, "image")))"
        })
    }
    return some(["variant", "quality", "quality_interpolated", "bits_per_pixel"])
      + (reference == nil ? [] : [change])
      + some(TimedOperation.allCases.map { "\($0)_cpu_ms_per_megapixel" }) + [
        Column("images", title: "Images") { .text("\($0.holding) of \($0.images)") }
      ] + some(["worst_image"]) + [
        Column("worst_score", title: "Score") { [headline] in
          Cell(number: $0.worst.value, decimals: min(headline.decimals, 1))
        }
      ]
  }

  /// The commands of other programs.
  var commands: [Column<Recommendation>] { some(["variant", "command", "command_alternative"]) }

  /// The brief table with the shortfalls of each setting.
  var missing: [Column<Recommendation>] { brief + some(["lacks"]) }

  private func some(_ names: [String]) -> [Column<Recommendation>] {
    all.filter { names.contains($0.name) }
  }

  private static func lacks(_ found: Recommendation) -> String? {
    let words = found.shortfalls.map { shortfall in
      switch shortfall {
      case .score: "score"
      // The saving is unknown if too few images have points near the score.
      case .saving: found.change?.standsOnHalf == false ? "saving (too few images)" : "saving"
      case .cpu(let operation): "\(operation) CPU"
      }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
