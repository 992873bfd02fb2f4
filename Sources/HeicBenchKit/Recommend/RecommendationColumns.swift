import Analysis
package import Model
import Reports
package import Store

/// The table “what should I set?”.
package struct RecommendationColumns {
  private let headline: MetricTraits?
  private let reference: CodecVariant?
  private let manifest: RunManifest?

  /// `headline` names the score, `reference` is the base of savings, and `manifest` supplies the images.
  package init(headline: MetricTraits?, reference: CodecVariant?, manifest: RunManifest?) {
    (self.headline, self.reference, self.manifest) = (headline, reference, manifest)
  }

  /// All columns, for programs, described by `$defs/recommendation` in docs/schema.json.
  package var all: [Column<Recommendation>] {
    let (headline, manifest) = (headline, manifest)
    return [
      Self.variant, Self.quality, Self.interpolated,
      Column("bits_per_pixel_interpolated", title: "Bits/px there") {
        Cell(number: $0.estimate?.bitsPerPixel, decimals: 3)
      },
      Column("encode_cpu_interpolated_ms_per_megapixel", title: "Encode there") {
        Self.milliseconds($0.estimate?.cpu[.encode])
      },
      Column("decode_cpu_interpolated_ms_per_megapixel", title: "Decode there") {
        Self.milliseconds($0.estimate?.cpu[.decode])
      },
      Column("quality_too_low", title: "Too low") {
        $0.tooLow.map { .numeral($0.quality.description) } ?? .empty
      },
      Column("holding_too_low", title: "Images with the score there") { Cell(integer: $0.tooLow?.holding) },
      Self.bitsPerPixel,
      Column("bytes_change_percent", title: "Bytes", unit: "%") {
        Cell(change: $0.change?.mean, decimals: 1)
      },
      Column("bytes_change_images", title: "Images of that") { Cell(integer: $0.change?.images) },
    ] + Self.cpu + [
      Column("holding", title: "Images with the score") { .integer($0.holding) },
      Column("images", title: "of") { .integer($0.images) },
      Self.worst,
      Column("worst_score", title: "Score") {
        Cell(number: $0.worst.value, decimals: headline?.decimals ?? 2)
      },
      Self.lacks, Self.command, Self.alternative,
      Column("heicbench_command", title: "With heicbench", alignment: .leading) { found in
        Cell(code: manifest.flatMap { RecommendationCommand.encoding(found, $0) })
      },
    ]
  }

  /// The columns for readers, narrowed to a terminal of 80 columns.
  package var brief: [Column<Recommendation>] {
    let headline = headline
    let change: [Column<Recommendation>] =
      reference == nil ? [] : [Column("change", title: "Bytes (%)") { Cell(text: Self.change($0)) }]
    return [Self.variant, Self.quality, Self.interpolated, Self.bitsPerPixel] + change + [] + Self.cpu + [
      Column("images", title: "Images") { .text("\($0.holding) of \($0.images)") },
      Self.worst,
      Column("worst_score", title: "Score") {
        Cell(number: $0.worst.value, decimals: min(headline?.decimals ?? 1, 1))
      },
    ]
  }

  /// The estimated cost of qualities that were not measured.
  package var estimates: [Column<Recommendation>] {
    [
      Self.variant, Self.interpolated,
      Column("bits_per_pixel", title: "Bits/px") { Cell(number: $0.estimate?.bitsPerPixel, decimals: 3) },
      Column("encode_cpu", title: "Encode") { Self.milliseconds($0.estimate?.cpu[.encode]) },
      Column("decode_cpu", title: "Decode") { Self.milliseconds($0.estimate?.cpu[.decode]) },
      Column("command", title: "As a command", alignment: .leading) { found in
        Cell(code: found.interpolated.flatMap { SettingColumns.command(found.variant, quality: $0) })
      },
    ]
  }

  /// The commands of other programs.
  package var commands: [Column<Recommendation>] { [Self.variant, Self.command, Self.alternative] }

  /// The brief table with the shortfalls of each setting.
  package var missing: [Column<Recommendation>] { brief + [Self.lacks] }

  private static let variant = Column<Recommendation>("variant", title: "Codec", alignment: .leading) {
    .code($0.variant.name)
  }
  private static let quality = Column<Recommendation>("quality", title: "Quality") {
    .numeral($0.quality.description)
  }
  private static let interpolated = Column<Recommendation>("quality_interpolated", title: "Or") {
    Cell(number: $0.interpolated, decimals: 2)
  }
  private static let bitsPerPixel = Column<Recommendation>("bits_per_pixel", title: "Bits/px") {
    Cell(number: $0.bitsPerPixel, decimals: 3)
  }
  private static let cpu = TimedOperation.allCases.map { operation in
    Column<Recommendation>("\(operation)_cpu_ms_per_megapixel", title: operation.title) {
      milliseconds($0.cpu[operation])
    }
  }
  private static func milliseconds(_ value: Double?) -> Cell {
    Cell(number: value, decimals: value.map { $0 < 100 ? 1 : 0 } ?? 1)
  }

  private static let worst = Column<Recommendation>("worst_image", title: "Worst image", alignment: .leading)
  {
    .code($0.worst.image)
  }
  private static let lacks = Column<Recommendation>("lacks", title: "Lacks", alignment: .leading) {
    Cell(text: shortfalls($0))
  }
  private static let command = Column<Recommendation>("command", title: "As a command", alignment: .leading) {
    Cell(code: SettingColumns.command($0.variant, quality: $0.quality.value))
  }
  private static let alternative = Column<Recommendation>(
    "command_alternative", title: "Or", alignment: .leading
  ) {
    Cell(code: SettingColumns.alternative($0.variant, quality: $0.quality.value))
  }

  /// `−27.9`, or `−27.9 (4 images)` if the others have no points near enough.
  private static func change(_ found: Recommendation) -> String? {
    guard let change = found.change else { return nil }
    let mean = Numerals.signed(change.mean, decimals: 1)
    return change.images == found.images ? mean : "\(mean) (\(Numerals.counted(change.images, "image")))"
  }

  /// The wishes that a setting does not fulfil; nil if it fulfils all.
  private static func shortfalls(_ found: Recommendation) -> String? {
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
