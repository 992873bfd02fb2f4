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

  /// What the table says, for terminal, summary and page.
  package static func explanation(_ headline: MetricTraits?, isOfOneImage: Bool = false) -> String {
    isOfOneImage
      ? "The quality at which the image has that \(headline?.title ?? "score")."
      : "The quality at which images have a \(headline?.title ?? "score"): the median, and those of the easiest and "
        + "the hardest image. At the median half of the images fall below that score; “heicbench recommend --score” "
        + "names what nine in ten reach."
  }

  private static func count(_ setting: QualitySetting) -> String {
    setting.images == setting.outOf
      ? "\(setting.images)" : "\(setting.images) of \(setting.outOf)"
  }

  /// How a variant at a quality is written for the program that most people have; nil where a setting has no
  /// equivalent there, and for a build of the libraries, with which that program does not run.
  static func command(_ variant: CodecVariant, quality: Double) -> String? {
    guard variant.build == nil, let encoder = encoders[variant.codec], (0...1).contains(quality) else {
      return nil
    }
    var words = [encoder.program, encoder.quality, "\(Int((quality * 100).rounded()))"]
    for (key, value) in variant.settings.sorted(by: { $0.key < $1.key }) {
      guard let spelling = encoder.settings["\(key)=\(value)"] ?? encoder.settings[key].map({ $0 + value })
      else { return nil }
      words.append(spelling)
    }
    return words.joined(separator: " ")
  }

  private struct Encoder {
    var program: String
    var quality: String
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
      program: "heif-enc -A", quality: "-q", settings: ["speed": "-p speed=", "chroma": "-p chroma="]),
    "webp": Encoder(program: "cwebp", quality: "-q", settings: ["method": "-m "]),
    "jxl": Encoder(program: "cjxl", quality: "-q", settings: ["effort": "-e "]),
  ]
}
