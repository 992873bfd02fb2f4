package import Analysis
package import Model
package import Store

/// The table “which quality to set”.
package enum SettingColumns {
  /// All columns; `headline` names the score. Of one image there is one quality, and nothing between which it lies.
  package static func all(headline: MetricTraits?, isOfOneImage: Bool = false) -> [Column<QualitySetting>] {
    let columns = columns(headline, median: isOfOneImage ? "Quality" : "Median")
    return isOfOneImage
      ? columns.filter { !["quality_lowest", "quality_highest", "images"].contains($0.name) } : columns
  }

  private static func columns(_ headline: MetricTraits?, median: String) -> [Column<QualitySetting>] {
    [
      Column("target", title: headline?.title ?? "Score", unit: headline?.unit ?? "") {
        .numeral(Numerals.short($0.target))
      },
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("quality_median", title: median) { Cell(number: $0.median, decimals: 2) },
      Column("quality_lowest", title: "From") { Cell(number: $0.lowest, decimals: 2) },
      Column("quality_highest", title: "To") { Cell(number: $0.highest, decimals: 2) },
      Column("images", title: "Images") { Cell(text: count($0)) },
      Column("command", title: "As a command", alignment: .leading) {
        Cell(code: command($0.variant, quality: $0.median))
      },
    ]
  }

  /// All columns for programs, with the same for a second program.
  package static func forPrograms(headline: MetricTraits?) -> [Column<QualitySetting>] {
    all(headline: headline) + [
      Column("command_alternative", title: "Or", alignment: .leading) {
        Cell(code: alternative($0.variant, quality: $0.median))
      }
    ]
  }

  /// What the table says, for terminal, summary and page.
  package static func explanation(_ headline: MetricTraits?, isOfOneImage: Bool = false) -> String {
    isOfOneImage
      ? "The quality at which the image has that \(headline?.title ?? "score")."
      : "The quality at which images have a \(headline?.title ?? "score"): the median, and those of the easiest and "
        + "the hardest image. At the median half of the images fall below that score; “heicbench recommend --score” "
        + "names what nine in ten reach."
  }

  /// How a setting is written for a second program, in a sentence for each variant that has one; at the headline's score
  /// where there is a quality for it.
  package static func alternatives(_ analysis: Analysis) -> [String] {
    alternatives(
      analysis.settings, analysis.headline,
      near: analysis.verdicts.compactMap(\.target).first ?? analysis.options.verdictTarget)
  }

  static func alternatives(_ settings: [QualitySetting], _ headline: MetricTraits?, near target: Double)
    -> [String]
  {
    var told: Set<CodecVariant> = []
    return settings.sorted { abs($0.target - target) < abs($1.target - target) }.compactMap { setting in
      guard let command = alternative(setting.variant, quality: setting.median),
        told.insert(setting.variant).inserted
      else { return nil }
      return
        "\(setting.variant.name) with avifenc (libavif 1.0 or later), which takes the same numbers: “\(command)” for "
        + "\(headline?.title ?? "score") \(Numerals.short(setting.target)). Without these options it encodes with "
        + "other settings."
    }
  }

  private static func count(_ setting: QualitySetting) -> String {
    setting.images == setting.outOf
      ? "\(setting.images)" : "\(setting.images) of \(setting.outOf)"
  }

  /// How a variant at a quality is written for the program that most people have; nil where a setting has no
  /// equivalent there, and for a build of the libraries, with which that program does not run.
  static func command(_ variant: CodecVariant, quality: Double) -> String? {
    command(encoders[variant.codec], variant, quality)
  }

  /// The same for a second program that comes to the same encoder settings; nil where there is none.
  static func alternative(_ variant: CodecVariant, quality: Double) -> String? {
    command(alternatives[variant.codec], variant, quality)
  }

  private static func command(_ encoder: Encoder?, _ variant: CodecVariant, _ quality: Double) -> String? {
    guard variant.build == nil, let encoder, (0...1).contains(quality) else { return nil }
    let settings = encoder.otherDefaults.merging(variant.settings) { $1 }
    var words = [encoder.program, encoder.quality, "\(Int((quality * 100).rounded()))"]
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let spelling = encoder.settings["\(key)=\(value)"] ?? encoder.settings[key].map({ $0 + value })
      else { return nil }
      words.append(spelling)
    }
    return words.joined(separator: " ")
  }

  private struct Encoder {
    var program: String
    var quality: String
    /// Our defaults that are none of the program's.
    var otherDefaults: [String: String] = [:]
    /// Settings by `key=value`, or by `key` where the value follows.
    var settings: [String: String] = [:]
  }

  /// cjpeg of libjpeg-turbo, heif-enc of libheif, cwebp and cjxl: programs that stand on the same libraries.
  private static let encoders = [
    "jpeg": Encoder(
      program: "cjpeg", quality: "-quality",
      settings: [
        "progressive=true": "-progressive", "optimise=true": "-optimize", "chroma=444": "-sample 1x1",
        "chroma=422": "-sample 2x1",
      ]),
    "heic": Encoder(
      program: "heif-enc", quality: "-q",
      settings: ["preset": "-p preset=", "tune": "-p tune=", "chroma": "-p chroma="]),
    "avif": Encoder(
      program: "heif-enc -A", quality: "-q",
      settings: ["speed": "-p speed=", "tune": "-p tune=", "chroma": "-p chroma="]),
    "webp": Encoder(program: "cwebp", quality: "-q", settings: ["method": "-m "]),
    "jxl": Encoder(program: "cjxl", quality: "-q", settings: ["effort": "-e "]),
  ]

  /// avifenc of libavif: its number becomes the same quantiser of aom, ((100 − q) · 63 + 50) / 100 without the rest, as in
  /// libheif; chroma, tuning and, for deep images, bits are others unless they are named. docs/import.md has what was
  /// measured.
  private static let alternatives = [
    "avif": Encoder(
      program: "avifenc", quality: "-q",
      otherDefaults: ["chroma": "420", "depth": "8", "speed": "6", "tune": "ssim"],
      settings: ["chroma": "-y ", "depth": "-d ", "speed": "-s ", "tune": "-a tune="])
  ]
}
