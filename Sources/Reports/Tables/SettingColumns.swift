package import Analysis
import Metrics
package import Model
package import Store

package enum SettingColumns {
  /// `headline` names the score. A single image has one quality and no range.
  package static func all(headline: MetricTraits?, isOfOneImage: Bool = false) -> [Column<QualitySetting>] {
    let columns = columns(headline, isOfOneImage ? "Quality" : "Set") { setting in
      guard setting.unreached > 0 else { return Cell(number: setting.highest, decimals: 2) }
      let verb = setting.unreached == 1 ? "does" : "do"
      return .text("–, \(Numerals.counted(setting.unreached, "image")) \(verb) not reach it")
    }
    let hidden = ["quality_median"] + (isOfOneImage ? ["quality_lowest", "quality_highest", "images"] : [])
    return columns.filter { !hidden.contains($0.name) }
  }

  private static func columns(
    _ headline: MetricTraits?, _ title: String, highest: @escaping @Sendable (QualitySetting) -> Cell
  ) -> [Column<QualitySetting>] {
    [
      .target(headline) { $0.target },
      .code("variant", "Codec") { $0.variant.name },
      .number("quality", title, decimals: 2) { $0.quality },
      .number("quality_median", "Median", decimals: 2) { $0.median },
      .number("quality_lowest", "From", decimals: 2) { $0.lowest },
      Column("quality_highest", title: "To", cell: highest),
      Column("images", title: "Images") { Cell(images: $0.images, of: $0.outOf) },
      .code("command", "Command") { command($0.variant, quality: $0.quality) },
    ]
  }

  static func forPrograms(headline: MetricTraits?) -> [Column<QualitySetting>] {
    columns(headline, "Set") { Cell(number: $0.highest, decimals: 2) } + [
      .count("unreached", "Do not reach it") { $0.unreached },
      .code("command_alternative", "Or") { alternative($0.variant, quality: $0.quality) },
    ]
  }

  static func explanation(_ headline: MetricTraits?, isOfOneImage: Bool = false) -> String {
    let score = headline?.title ?? "score"
    return isOfOneImage
      ? "The quality needed to reach each \(score)."
      : "Set is the lowest quality at which 9 in 10 images reach that \(score); From and To are the "
        + "qualities of the easiest and the hardest image. Use “heicbench recommend --share” for another share."
  }

  /// Notes on how the programs' files differ from the measured ones, then each variant's command for a second program.
  package static func notes(_ analysis: Analysis) -> [String] {
    notes(analysis.settings.filter { $0.quality != nil }.map(\.variant))
      + alternatives(analysis.settings, analysis.headline, near: analysis.drawnTarget)
  }

  /// Conditions under which the commands of these variants produce the measured files.
  package static func notes(_ variants: [CodecVariant]) -> [String] {
    var told: Set<String> = []
    return variants.filter { command($0, quality: 0.5) != nil }
      .compactMap { encoders[$0.codec]?.note }.filter { told.insert($0).inserted }
  }

  static func alternatives(_ settings: [QualitySetting], _ headline: MetricTraits?, near target: Double)
    -> [String]
  {
    var told: Set<CodecVariant> = []
    return settings.sorted { abs($0.target - target) < abs($1.target - target) }.compactMap { setting in
      guard let command = alternative(setting.variant, quality: setting.quality),
        told.insert(setting.variant).inserted
      else { return nil }
      return
        "\(setting.variant.name) with avifenc (libavif 1.0 or later): “\(command)” for "
        + "\(headline?.title ?? "score") \(Numerals.short(setting.target)). Without these options avifenc uses "
        + "other settings."
        + (headline?.isHDR == true ? " --cicp gives the picture’s code points, such as 9/16/9 for PQ." : "")
    }
  }

  /// The command of the program that most people have; nil for settings without an equivalent in it, and for a build.
  package static func command(_ variant: CodecVariant, quality: Double?) -> String? {
    command(encoders[variant.codec], variant, quality)
  }

  /// The same for a second program that results in the same encoder settings; nil if there is none.
  package static func alternative(_ variant: CodecVariant, quality: Double?) -> String? {
    command(alternatives[variant.codec], variant, quality)
  }

  private static func command(_ encoder: Encoder?, _ variant: CodecVariant, _ quality: Double?) -> String? {
    guard variant.build == nil, let encoder, let quality, (0...1).contains(quality) else { return nil }
    let settings = encoder.otherDefaults.merging(variant.settings) { $1 }
    let number = Int((quality * 100).rounded())
    guard number >= encoder.lowest else { return nil }
    var words = [encoder.program, encoder.quality, "\(number)"]
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      let isPassed = encoder.passed.map(key.hasPrefix) ?? false
      let spelling =
        encoder.settings["\(key)=\(value)"]
        ?? encoder.settings[key].map { $0.replacing("#", with: ShellWord.quoted(value)) }
      // Quoted, because settings may come from a stranger's results.
      guard let spelling = isPassed ? "-p \(ShellWord.quoted("\(key)=\(value)"))" : spelling else {
        return nil
      }
      words.append(spelling)
    }
    if number < encoder.coarse.below { words.append(encoder.coarse.option) }
    return words.joined(separator: " ")
  }

  private struct Encoder {
    var program: String
    var quality: String
    /// Our defaults that differ from the program's.
    var otherDefaults: [String: String] = [:]
    /// Options by `key=value`, or by `key` with `#` for the value.
    var settings: [String: String] = [:]
    /// The prefix of keys that the program accepts in the same spelling.
    var passed: String?
    /// An option needed at low quality numbers, and the number below which it is needed.
    var coarse = (option: "", below: 0)
    /// The lowest quality number that the program accepts.
    var lowest = 0
    /// How the program's files differ from the measured ones, or which formats the program reads.
    var note: String?
  }

  private static let heifNote =
    "heif-enc also copies metadata and sRGB profiles, which heicbench leaves out. heif-enc 1.15 drops a PNG’s cICP colours."

  /// cjpeg of libjpeg-turbo, heif-enc of libheif, cwebp and cjxl: programs built on the same libraries. From an 8-bit
  /// picture without alpha, profile or metadata they produce the measured files; only cjxl's container may differ.
  private static let encoders = [
    "jpeg": Encoder(
      program: "cjpeg", quality: "-quality",
      settings: [
        "progressive=true": "-progressive", "optimise=true": "-optimize", "chroma=444": "-sample 1x1",
        "chroma=422": "-sample 2x1",
      ],
      // Up to quality 24 the standard's tables have steps over 255, which are clamped to 8 bits for baseline files
      // only.
      coarse: ("-baseline", below: 25),
      note:
        "cjpeg does not read PNG; use “pngtopnm a.png | cjpeg …”. PPM drops colour profiles."),
    "heic": Encoder(
      program: "heif-enc", quality: "-q",
      settings: [
        "preset": "-p preset=#", "tune": "-p tune=#", "chroma": "-p chroma=#",
        "chroma-offset": "-p x265:cbqpoffs=# -p x265:crqpoffs=#",
      ], passed: "x265:", note: heifNote),
    "avif": Encoder(
      program: "heif-enc -A", quality: "-q", otherDefaults: ["threads": "1"],
      settings: [
        "speed": "-p speed=#", "tune": "-p tune=#", "chroma": "-p chroma=#", "threads=1": "-p threads=1",
      ],
      note: heifNote),
    "webp": Encoder(program: "cwebp", quality: "-q", settings: ["method": "-m #"]),
    // The cjxl of libjxl 0.7 refuses distances above 15, which lower numbers need.
    "jxl": Encoder(
      program: "cjxl", quality: "-q", settings: ["effort": "-e #"], lowest: 5,
      note:
        "For JPEG input add --lossless_jpeg=0, or cjxl recompresses the JPEG losslessly. cjxl reads a PNG’s gAMA as "
        + "a power of 2.2; use “pngtopnm a.png | cjxl …” for the measured file."),
  ]

  /// avifenc of libavif: its number becomes the same quantiser of aom as in libheif, ((100 − q) · 63 + 50) / 100
  /// without the remainder; chroma, tuning and, for deep images, bits differ unless stated. docs/lab/recommend.md has the
  /// measurements.
  private static let alternatives = [
    "avif": Encoder(
      program: "avifenc", quality: "-q",
      otherDefaults: ["chroma": "420", "depth": "8", "speed": "6", "tune": "ssim"],
      settings: ["chroma": "-y #", "depth": "-d #", "speed": "-s #", "tune": "-a tune=#"])
  ]
}
