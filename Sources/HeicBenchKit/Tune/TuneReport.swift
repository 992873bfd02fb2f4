import Analysis
import Foundation
import Metrics
import Model
import Reports
import Store

/// The report of a search for settings: what answers which wish, on images that the search has not seen, and everything
/// that was tried.
struct TuneReport {
  static let files = FeatureFiles(table: "tune.csv", named: "tune", charts: ["tune"])

  /// A variant compared with the starting settings.
  struct Row: Sendable {
    var wish: String?
    var variant: CodecVariant
    var bytes, encode, decode: PairedComparison?
    /// CPU time, milliseconds per megapixel.
    var encodeTime, decodeTime: Double?
    /// By metric of `witnesses`: the bytes at which it rates both as equal; nil if its curves do not cover that.
    var witnesses: [PairedComparison?] = []
    /// The lowest quality at which nine in ten of the measured images reach the score; nil if fewer ever reach it.
    var quality: Double?
    var outcome = ""
  }

  private let base: CodecVariant
  private let reference: Row
  private let answers: [(wish: TuneChoice.Wish, row: Row?)]
  private let tried: [Row]
  private let chart: ReportChart?
  private let witnesses: [MetricTraits]
  private let score: Double
  private let images: (searching: Int, confirming: Int)
  private let isConfirmed, isComplete: Bool

  init(
    _ search: TuneSearch, _ choice: TuneChoice, _ pool: TunePool, metrics: [MetricTraits], score: Double,
    split: TuneRequest.Split, isConfirmed: Bool
  ) {
    let base = search.tried[0]
    (self.base, self.score, isComplete) = (base, score, search.isComplete)
    images = (split.searching.count, split.confirming.count)
    witnesses = Array(metrics.dropFirst())
    // If the search found nothing, no image was measured to confirm it.
    let isSeen = split.confirming.contains { pool.isMeasured(base, $0) }
    self.isConfirmed = isConfirmed && isSeen
    let shown = self.isConfirmed ? split.confirming : split.searching
    let builder = RowBuilder(pool: pool, base: base, score: score)
    reference = builder.row(base, shown, all: split)
    answers = choice.answers.map { wish, variant in
      (
        wish,
        variant.map { variant in
          var row = builder.row(variant, shown, all: split)
          row.wish = Self.title(wish, base)
          row.witnesses = metrics.indices.dropFirst().map { metric in
            PairedComparison(
              variant, against: base, at: score,
              logarithms: shown.compactMap { pool.witness(metric, variant, against: base, $0) })
          }
          return row
        }
      )
    }
    tried = search.tried.map { variant in
      var row = builder.row(variant, split.searching, all: split)
      row.outcome = variant == base ? "starting point" : Self.outcome(row.bytes)
      return row
    }.sorted { ($0.bytes?.changePercent ?? 0) < ($1.bytes?.changePercent ?? 0) }
    chart = TuneChart(search, tried, score: score).chart
  }

  private struct RowBuilder {
    let pool: TunePool
    let base: CodecVariant
    let score: Double

    func row(_ variant: CodecVariant, _ images: [Int], all split: TuneRequest.Split) -> Row {
      func against(_ quantity: (TuneFigure) -> Double?) -> PairedComparison? {
        guard variant != base else { return nil }
        return PairedComparison(
          variant, against: base, at: score,
          logarithms: images.compactMap { image in
            guard let own = pool.figure(variant, image).flatMap(quantity), own > 0,
              let other = pool.figure(base, image).flatMap(quantity), other > 0
            else { return nil }
            return log(own / other)
          })
      }
      let figures = images.compactMap { pool.figure(variant, $0) }
      let measured = (split.searching + split.confirming).filter { pool.isMeasured(variant, $0) }
      let qualities = measured.compactMap { pool.figure(variant, $0)?.quality }.sorted()
      let enough = QualitySetting.count(of: measured.count, share: QualitySetting.usualShare)
      var row = Row(variant: variant)
      (row.bytes, row.encode, row.decode) = (against(\.bytes), against(\.encode), against(\.decode))
      row.encodeTime = figures.map(\.encode).mean
      row.decodeTime = figures.compactMap(\.decode).mean
      if (1...max(qualities.count, 1)).contains(enough), !qualities.isEmpty {
        row.quality = (qualities[enough - 1] * 100 - 1e-6).rounded(.up) / 100
      }
      return row
    }
  }
}

// Words.
extension TuneReport {
  static func title(_ wish: TuneChoice.Wish, _ base: CodecVariant) -> String {
    switch wish {
    case .anyCPU: "Fewest bytes"
    case .limited(let limit?): "Fewest bytes in \(Numerals.short(limit)) ms/MP"
    case .limited(nil): "Fewest bytes in the CPU time of \(base.name)"
    case .cheapest: "Least CPU time for the bytes of \(base.name)"
    }
  }

  private static func outcome(_ bytes: PairedComparison?) -> String {
    guard let bytes else { return "not measured" }
    if bytes.isSame { return "the same bytes" }
    guard let interval = bytes.interval else { return "too few images" }
    return interval.upper < 0 ? "fewer bytes" : interval.lower > 0 ? "more bytes" : "no clear difference"
  }

  /// `8.2 % fewer bytes (95 % interval 6.1 to 10.2 %)`.
  private static func phrase(_ change: PairedComparison, _ noun: String, less: String = "fewer") -> String {
    guard let interval = change.interval else { return "the same \(noun)" }
    let isLess = change.changePercent < 0
    let sign = isLess ? -1.0 : 1.0
    let ends = [sign * interval.lower, sign * interval.upper].sorted().map { Numerals.plain($0, 1) }
    return
      "\(Numerals.plain(abs(change.changePercent), 1)) % \(isLess ? less : "more") \(noun) (95 % interval \(ends[0]) to "
      + "\(ends[1]) %)"
  }

  private var place: String { "\(MetricTraits.headline.title) \(Numerals.short(score))" }

  private var basis: String {
    isConfirmed
      ? "\(Numerals.counted(images.confirming, "image")) that the search has not seen"
      : "\(Numerals.counted(images.searching, "image")) of the search, not confirmed on others"
  }

  private func sentence(_ row: Row) -> String {
    let bytes = row.bytes.map { Self.phrase($0, "bytes than \(base.name)") } ?? "an unknown number of bytes"
    let time = row.encode.map { " and \(Self.phrase($0, "encode CPU time", less: "less"))" } ?? ""
    return "\(row.variant.name) takes \(bytes)\(time) at \(place); \(basis)."
  }

  private var answer: String {
    let limited = answers.first { if case .limited = $0.wish { true } else { false } }
    if let row = limited?.row { return sentence(row) }
    let title = limited.map { Self.title($0.wish, base) } ?? ""
    let other = answered.first.map { " With more time, \(sentence($0))" } ?? ""
    return "\(title): nothing better than \(base.name) was found at \(place).\(other)"
  }

  /// Notes on an answer: the other metrics' opinions, the decoder that it needs, and its command.
  private func notes(_ row: Row) -> [String] {
    let opinions = zip(witnesses, row.witnesses).map { metric, comparison in
      guard let comparison, let interval = comparison.interval else {
        return "\(metric.title) is inconclusive"
      }
      let verb = interval.upper < 0 ? "agrees" : interval.lower > 0 ? "disagrees" : "is inconclusive"
      return
        "\(metric.title) \(verb) (\(Numerals.signed(comparison.changePercent, decimals: 1)) % of bytes where it rates "
        + "both equal, 95 % interval \(Numerals.plain(interval.lower, 1)) to \(Numerals.plain(interval.upper, 1)) %, "
        + "\(Numerals.counted(comparison.images, "image")))"
    }
    let command = row.quality.flatMap { quality in
      SettingColumns.command(row.variant, quality: quality)
        ?? SettingColumns.alternative(row.variant, quality: quality)
    }
    return [
      opinions.isEmpty ? nil : "\(row.variant.name): \(opinions.joined(separator: "; ")).",
      DecoderNeed.of(row.variant).map { "\(row.variant.name) \($0)" },
      command.map {
        "\(row.variant.name) as a command: “\($0)”. With it, 9 in 10 of these images reach \(place)."
      },
    ].compactMap(\.self)
  }

  private var answered: [Row] { answers.compactMap(\.row) }

  private var details: [String] {
    var told: Set<CodecVariant> = []
    let rows = answered.filter { told.insert($0.variant).inserted }
    let missing = answers.filter { $0.row == nil }.map {
      "\(Self.title($0.wish, base)): \(base.name) itself."
    }
    let ended =
      isComplete
      ? []
      : ["The search stopped before it had tried everything; with more time it may find better settings."]
    return missing + rows.flatMap(notes) + SettingColumns.notes(rows.map(\.variant)) + ended
  }
}

// The document.
extension TuneReport {
  var feature: FeatureReport {
    let answered = ReportTable("Answers", Self.answerColumns(witnesses), [reference] + answered)
    var report = FeatureReport(
      Self.files, title: "Settings of \(base.codecAndBuild) at \(place)", anchor: "tried", answer: answer,
      blocks: [
        .paragraph("Changes are against \(base.name), image by image; \(basis)."), .table(answered),
        .list(details),
        .charts([chart].compactMap(\.self)), .heading("What was tried"),
        .table(
          ReportTable(
            "What was tried", Self.triedColumns, tried, fold: .closed,
            footnotes: [
              "Over the images of the search; settings that failed early were tried on fewer. A row without one of "
                + "the settings found shows what that setting is worth."
            ])),
      ],
      table: StreamedTable(Self.triedColumns, tried))
    report.brief = [.table(answered), .list(details)]
    report.json = [
      ("format", .text("heicbench-tune")), ("format_version", .integer(1)), ("score", .number(score)),
      ("reference", .text(base.name)), ("images_searched", .integer(images.searching)),
      ("images_confirming", .integer(isConfirmed ? images.confirming : 0)),
      ("answers", .rows(Self.answerColumns(witnesses), [reference] + self.answered)),
      ("notes", .strings(details)),
    ]
    return report
  }

  private static func changes(
    _ name: String, _ title: String, _ value: @escaping @Sendable (Row) -> PairedComparison?
  ) -> [Column<Row>] {
    [
      .change("\(name)_percent", title, decimals: 1) { value($0)?.changePercent },
      .change("\(name)_lower", "95 % from", decimals: 1) { value($0)?.interval?.lower },
      .change("\(name)_upper", "to", decimals: 1) { value($0)?.interval?.upper },
    ]
  }

  private static func answerColumns(_ witnesses: [MetricTraits]) -> [Column<Row>] {
    [
      .text("wish", "Wanted") { $0.wish ?? "Starting from" },
      .code("variant", "Settings") { $0.variant.name },
    ]
      + changes("bytes", "Bytes", \.bytes)
      + [
        .count("images", "Images") { $0.bytes?.images },
        .number("encode_cpu_ms_per_mp", "Encode CPU", unit: "ms/MP", decimals: 1) { $0.encodeTime },
      ] + changes("encode_cpu", "Encode CPU", \.encode)
      + [.number("decode_cpu_ms_per_mp", "Decode CPU", unit: "ms/MP", decimals: 1) { $0.decodeTime }]
      + witnesses.enumerated().flatMap { place, metric in
        changes("bytes_by_\(metric.id.replacing("-", with: "_"))", "Bytes by \(metric.title)") {
          $0.witnesses.indices.contains(place) ? $0.witnesses[place] : nil
        }
      } + [
        .number("quality", "Set", decimals: 2) { $0.quality },
        .code("command", "Command") { row in
          row.quality.flatMap { SettingColumns.command(row.variant, quality: $0) }
        },
      ]
  }

  private static let triedColumns: [Column<Row>] =
    [.code("variant", "Settings") { $0.variant.name }] + changes("bytes", "Bytes", \.bytes)
    + [
      .count("images", "Images") { $0.bytes?.images }, .text("outcome", "Outcome") { $0.outcome },
      .number("encode_cpu_ms_per_mp", "Encode CPU", unit: "ms/MP", decimals: 1) { $0.encodeTime },
    ] + changes("encode_cpu", "Encode CPU", \.encode)
    + [.number("decode_cpu_ms_per_mp", "Decode CPU", unit: "ms/MP", decimals: 1) { $0.decodeTime }]
}

/// Bytes against encode CPU time: the starting settings at every speed, and the settings found.
private struct TuneChart {
  let search: TuneSearch
  let rows: [TuneReport.Row]
  let score: Double

  init(_ search: TuneSearch, _ rows: [TuneReport.Row], score: Double) {
    (self.search, self.rows, self.score) = (search, rows, score)
  }

  var chart: ReportChart? {
    let base = search.tried[0]
    let marks = rows.compactMap { row -> (point: ReportChart.Point, tip: String)? in
      guard let time = row.encodeTime, let line = line(of: row.variant) else { return nil }
      let change = row.bytes?.changePercent ?? 0
      let tip =
        "\(row.variant.name): \(Numerals.signed(change, decimals: 1)) % of bytes, "
        + "\(Numerals.grouped(time, decimals: 1)) ms per megapixel"
      let point = ReportChart.Point(
        line: line, x: time, y: change, interval: row.bytes?.interval, radius: row.variant == base ? 7 : 4,
        tip: tip)
      return (point, tip)
    }
    return ReportChart(
      "tune", title: "Bytes against encode time at \(MetricTraits.headline.title) \(Numerals.short(score))",
      marks.map(\.point),
      x: ("Encode CPU time (ms per megapixel, logarithmic)", .logarithmic, 0.1),
      y: ("Bytes against \(base.name) (%)", .linear, 0.08), isSigned: true, fromZero: true
    ) { _ in marks.map(\.tip).joined(separator: "; ") + "." }
  }

  /// The name of a variant's curve over speeds; nil for an intermediate variant.
  private func line(of variant: CodecVariant) -> String? {
    let base = search.tried[0]
    if variant == base { return "starting point: \(base.name)" }
    if search.isSpeed(variant, of: search.found) { return "found: \(search.found.name), at all its speeds" }
    return search.isSpeed(variant, of: base) ? "\(base.name) at other speeds" : nil
  }
}

/// The decoder profile that a file needs beyond the format's usual one.
enum DecoderNeed {
  /// A sentence without its subject; nil if the usual profile is enough. Profiles are those of H.265 (annex A) and of
  /// AV1 (annex A).
  static func of(_ variant: CodecVariant) -> String? {
    let (bits, chroma) = (variant.settings["depth"] ?? "8", variant.settings["chroma"] ?? "420")
    switch variant.codec {
    case "heic" where chroma != "420":
      return
        "needs a decoder for HEVC range extensions (4:\(chroma == "422" ? "2:2" : "4:4")); Main and Main 10 are 4:2:0."
    case "heic" where bits != "8":
      return "needs a decoder for HEVC’s Main \(bits) profile; the Main profile has only 8 bits."
    case "avif" where chroma == "422" || bits == "12":
      return "needs a decoder for AV1’s Professional profile; Main is 4:2:0 with up to 10 bits."
    case "avif" where chroma == "444":
      return "needs a decoder for AV1’s High profile; Main is 4:2:0 with up to 10 bits."
    default: return nil
    }
  }
}
