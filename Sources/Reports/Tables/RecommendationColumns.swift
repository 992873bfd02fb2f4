package import Analysis
package import Model
import Store

/// The table “what should I set?”.
package enum RecommendationColumns {
  /// All columns; `headline` names the score, `reference` what savings are against, `roots` the images.
  package static func all(
    headline: MetricTraits?, reference: CodecVariant?, roots: [String]
  ) -> [Column<Recommendation>] {
    [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("quality", title: "Quality") { .numeral($0.quality.description) },
      Column("bits_per_pixel", title: "Bits per pixel") { Cell(number: $0.bitsPerPixel, decimals: 3) },
      Column(
        "bytes_change_percent", title: "Bytes at equal score against \(reference?.name ?? "–")", unit: "%"
      ) {
        Cell(change: $0.change?.mean, decimals: 1)
      },
      Column("encode_cpu_ms_per_megapixel", title: "Encode CPU", unit: "ms/MP") {
        Cell(number: $0.encodeCPU, decimals: 1)
      },
      Column("decode_cpu_ms_per_megapixel", title: "Decode CPU", unit: "ms/MP") {
        Cell(number: $0.decodeCPU, decimals: 1)
      },
      Column("holding", title: "Images with the score") { .integer($0.holding) },
      Column("images", title: "of") { .integer($0.images) },
      Column("worst_image", title: "Worst image", alignment: .leading) { .code($0.worst.image) },
      Column("worst_score", title: "Its \(headline?.title ?? "score")") {
        Cell(number: $0.worst.value, decimals: headline?.decimals ?? 2)
      },
      Column("lacks", title: "Lacks", alignment: .leading) { Cell(text: lacks($0)) },
      Column("command", title: "As a command", alignment: .leading) {
        Cell(code: SettingColumns.command($0.variant, quality: $0.quality.value))
      },
      Column("heicbench_command", title: "With heicbench", alignment: .leading) {
        Cell(code: command($0, roots: roots))
      },
    ]
  }

  /// What a setting does not give; nil for one that gives all.
  private static func lacks(_ found: Recommendation) -> String? {
    let words = found.shortfalls.map { shortfall in
      switch shortfall {
      case .score: "score"
      case .saving: "saving"
      case .encodeCPU: "encode CPU"
      case .decodeCPU: "decode CPU"
      }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// The sweep that measures just this, with the files kept.
  private static func command(_ found: Recommendation, roots: [String]) -> String? {
    guard found.variant.build == nil, !roots.isEmpty else { return nil }
    return
      (["heicbench"] + ShellWord.arguments(ofRoots: roots) + [
        "--codec", found.variant.name, "--qualities", found.quality.description,
      ]
      + ["--keep-encoded", "encoded"]).map(ShellWord.quoted).joined(separator: " ")
  }
}
