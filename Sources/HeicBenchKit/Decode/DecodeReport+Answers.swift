import Model
import Reports
import Store

// The answers about reads in tables, words and JSON.
extension DecodeReport {
  private var nothing: String {
    gainMaps.isEmpty
      ? "heicbench could not read any of the files." : "No image could be read without its gain map."
  }

  private static let mostNamed = 3

  /// The codec that appears sooner at equal quality; if there is no such comparison, `A picture of 320 px: JPEG files
  /// (12 MP) 32 ms, 0.7 MiB at the decoder's reduced size; HEIC files (12 MP, 3 files) 433 to 647 ms, 71 MiB by
  /// decoding all of it, or 7.2 ms from the thumbnail that 2 of 3 have, if SSIMULACRA2 68.6 is enough (--score).`
  var headline: String {
    let ranked = answers.filter(\.isRanked)
    let sizes = ranked.filter { if case .side = $0.wanted { true } else { false } } + ranked
    guard let wanted = sizes.first?.wanted else { return answers.first.map(sentence) ?? nothing }
    if let even = breakEvens.first(where: { $0.wanted == wanted }) ?? breakEvens.first {
      return sentence(even)
    }
    let all = answers.filter { $0.wanted == wanted }
    let found = all.filter { $0.group.encoding == nil }
    let told = (found.isEmpty ? all : found).sorted {
      ($1.megapixels?.upperBound ?? 0) < ($0.megapixels?.upperBound ?? 0)
    }
    let parts = told.prefix(Self.mostNamed).map(phrase)
    let rest = told.count - parts.count
    return "\(wanted.subject): \(parts.joined(separator: "; "))"
      + (rest > 0 ? "; \(Numerals.counted(rest, "more kind")) in the table." : ".")
  }

  /// `HEIC files (12 MP, 3 files) 433 to 647 ms, 71 MiB by decoding all of it, or 7.2 ms from …`
  private func phrase(_ answer: RouteAnswer) -> String {
    let pixels = answer.megapixels.map { Self.text($0, decimals: $0.upperBound < 9.95 ? 1 : 0) + " MP" }
    let files = [pixels, answer.files > 1 ? Numerals.counted(answer.files, "file") : nil].compactMap(\.self)
    let name = "\(answer.group.kind) (\(files.joined(separator: ", ")))"
    let score = Numerals.fixed(question.score, decimals: 0)
    guard let cheapest = answer.cheapest else {
      return "\(name): no decoding method reaches SSIMULACRA2 \(score)"
    }
    func cost(_ route: RouteAnswer.Route) -> String {
      [
        route.cpuRange.map { Self.text($0, decimals: $0.upperBound < 9.95 ? 1 : 0) + " ms" },
        route.peakRange.map { Self.text($0, decimals: $0.upperBound < 9.95 ? 1 : 0) + " MiB" },
      ].compactMap(\.self).joined(separator: ", ")
    }
    var text = "\(name) \(cost(cheapest)) \(cheapest.route.phrase)"
    if cheapest.honestFiles < answer.files { text += " in \(cheapest.honestFiles) of them" }
    let thumbnail = answer.routes.first { $0.route == .thumbnail && $0.route != cheapest.route }
    guard let thumbnail, let cpu = thumbnail.cpu, cpu < cheapest.cpu ?? 0 else { return text }
    let has = thumbnail.files == 1 ? "has" : "have"
    text +=
      ", or \(Numerals.fixed(cpu, decimals: cpu < 9.95 ? 1 : 0)) ms from "
      + (answer.files == 1
        ? "its thumbnail" : "the embedded thumbnail (\(thumbnail.files) of \(answer.files) \(has) one)")
    if thumbnail.honestFiles == 0, let shown = thumbnail.score {
      text += ", which is poor (SSIMULACRA2 \(Numerals.fixed(shown, decimals: 1)))"
    } else if thumbnail.honestFiles < thumbnail.files {
      text += ", good enough in \(thumbnail.honestFiles) of them"
    }
    return text
  }

  /// `433 to 647`, or one number if the ends are close.
  private static func text(_ range: ClosedRange<Double>, decimals: Int) -> String {
    let ends = [range.lowerBound, range.upperBound].map { Numerals.fixed($0, decimals: decimals) }
    return range.upperBound <= 1.05 * range.lowerBound || ends[0] == ends[1]
      ? ends[1] : ends.joined(separator: " to ")
  }

  /// The answers, a note on unequal files, and the codec that appears sooner at equal quality.
  var brief: [ReportBlock] {
    guard !answers.isEmpty else { return [] }
    return [
      .table(ReportTable("Answers", briefColumns, answers)),
      .list([legend, copied, unlike, unequal].compactMap { $0 } + bandwidthSentences),
    ]
  }

  var blocks: [ReportBlock] {
    let count = counts.measured + counts.unsupported + counts.failed
    var blocks: [ReportBlock] = [
      .paragraph(Self.explanation),
      .inMarkdown([
        .paragraph(
          "\(Numerals.counted(count, "read")): \(counts.measured) measured, \(counts.unsupported) not possible, "
            + "\(counts.failed) failed.")
      ]), .heading("Answers"), .paragraph(legend), .table(ReportTable("Answers", answerColumns, answers)),
    ]
    blocks += [copied, unlike, unequal].compactMap { $0.map { .paragraph($0) } }
    if !breakEvens.isEmpty {
      blocks += [
        .heading("Time to pixels"), .inMarkdown([.list(bandwidthSentences)]),
        .onPage(bandwidthSentences.map { .paragraph($0) }),
      ]
    }
    blocks += GainMapReport.blocks(gainMaps)
    let lines = answers.flatMap { answer in answer.routes.map { (answer, $0) } }
    blocks += [
      .heading("Routes"), .charts(charts), .pictures([]),
      .table(ReportTable("Routes", routeColumns, lines, fold: .open)),
    ]
    guard !memory.first.isEmpty else { return blocks }
    let title = "Memory, measured and predicted"
    blocks += [
      .heading(title), .table(ReportTable(title, DecodeColumns.memory, memory.first, fold: .closed)),
    ]
    let more = memory.count - memory.first.count
    if more > 0 {
      blocks.append(
        .markdown("\(Numerals.counted(more, "more line")) of these are in `\(Self.files.csv)`."))
    }
    return blocks
  }

  private static let explanation =
    "CPU times are medians of the decode only, without the reduction to the wanted size. Memory is how much "
    + "the process grows in a decode, including the result but not the file. Scores are SSIMULACRA2 against the "
    + "whole picture, decoded and reduced in linear light; a thumbnail is scored after the best shift of up to "
    + "a pixel. The ceiling is the score of another good filter on the same pixels."

  private var answerColumns: [Column<RouteAnswer>] {
    [
      .text("kind", "Files") { $0.kind }, Self.wanted,
      Self.milliseconds("cpu_ms", "CPU", unit: "ms") { $0.cheapest?.cpu },
      .number("peak_mib", "Memory", unit: "MiB", decimals: 1) { $0.cheapest?.peakMiB }, Self.route,
      Column("honest", title: "Good enough in") { answer in
        Cell(text: answer.cheapest.map { "\($0.honestFiles) of \(answer.files)" })
      },
      Self.milliseconds("full_cpu_ms", "Full decode", unit: "ms") { $0.whole?.cpu },
      .number("full_peak_mib", "Full decode", unit: "MiB", decimals: 1) { $0.whole?.peakMiB },
      .number("full_cpu_per_mp", "Full decode", unit: "ms/MP", decimals: 1) { $0.full?.cpuPerMegapixel },
      .number("full_peak_per_mp", "Full decode", unit: "MiB/MP", decimals: 1) { $0.full?.peakPerMegapixel },
      .text("largest", "Largest file") { $0.largest },
      Column("shown", title: "Score of the route") { answer in
        answer.cheapest.map { $0.isExact ? .text("same pixels") : Cell(number: $0.score, decimals: 1) }
          ?? .empty
      }, .number("original", "Score of the file", decimals: 1) { $0.original },
    ] + overConnection(unit: "ms")
  }

  private var briefColumns: [Column<RouteAnswer>] {
    [
      .text("kind", "File") { $0.kind.replacing(" at quality ", with: " at ") }, Self.wanted, Self.route,
      Self.milliseconds("cpu_ms", "ms") { $0.cheapest?.cpu },
      .number("peak_mib", "MiB", decimals: 1) { $0.cheapest?.peakMiB },
      Self.milliseconds("full_cpu_ms", "All, ms") { $0.whole?.cpu },
      .number("full_cpu_per_mp", "ms/MP", decimals: 1) { $0.full?.cpuPerMegapixel },
    ] + overConnection() + [.number("original", "File's score", decimals: 1) { $0.original }]
  }

  private static let wanted = Column<RouteAnswer>.code("wanted", "Wanted") { $0.wanted.description }

  private static let route = Column<RouteAnswer>("route", title: "Cheapest", alignment: .leading) { answer in
    guard answer.isRanked else { return .text("not ranked below \(RouteAnswer.smallestRanked) px") }
    return answer.cheapest.map { .code($0.route.rawValue) } ?? .text("none")
  }

  private func overConnection(unit: String = "") -> [Column<RouteAnswer>] {
    guard let bandwidth = question.bandwidth else { return [] }
    return [
      Self.milliseconds("way_ms", "Over \(Numerals.short(bandwidth)) Mbit/s", unit: unit) {
        $0.cheapest?.time
      }
    ]
  }

  /// A column of times to read, with tenths below 10 ms.
  private static func milliseconds(
    _ name: String, _ title: String, unit: String = "", _ value: @escaping @Sendable (RouteAnswer) -> Double?
  ) -> Column<RouteAnswer> {
    Column(name, title: title, unit: unit) { answer in
      let value = value(answer)
      return Cell(number: value, decimals: (value ?? 0) < 10 ? 1 : 0)
    }
  }

  private var routeColumns: [Column<(answer: RouteAnswer, route: RouteAnswer.Route)>] {
    [
      .text("kind", "Files") { $0.answer.kind }, .code("wanted", "Wanted") { $0.answer.wanted.description },
      .code("route", "Route") { $0.route.route.rawValue },
      Column("files", title: "Works on") { .text("\($0.route.files) of \($0.answer.files)") },
      .count("honest", "Good enough in") { $0.answer.isRanked ? $0.route.honestFiles : nil },
      .number("cpu_ms", "CPU", unit: "ms", decimals: 1) { $0.route.cpu },
      .number("peak_mib", "Memory", unit: "MiB", decimals: 1) { $0.route.peakMiB },
      .number("ssimulacra2", "Score", decimals: 1) { $0.route.score },
      .number("ceiling", "Ceiling", decimals: 1) { $0.route.ceiling },
    ]
      + (question.metrics ?? []).map { metric in
        .number(metric.column, metric.title, unit: metric.unit, decimals: metric.decimals) {
          $0.route.further[metric.id]
        }
      }
  }

  func json(_ answer: RouteAnswer) -> JSONValue {
    let routes = answer.routes.map { route in
      JSONValue.object(
        [
          ("route", .text(route.route.rawValue)), ("files", .integer(route.files)),
          ("honest_files", .integer(route.honestFiles)), ("cpu_ms", .number(route.cpu)),
          ("peak_mib", .number(route.peakMiB)), ("ssimulacra2", .number(route.score, decimals: 1)),
          ("ssimulacra2_ceiling", .number(route.ceiling, decimals: 1)),
        ]
          + (question.metrics ?? []).map { metric in
            (metric.column, .number(route.further[metric.id], decimals: metric.decimals))
          })
    }
    return .object([
      ("kind", .text(answer.kind)), ("wanted", .text(answer.wanted.description)),
      ("files", .integer(answer.files)), ("largest", .text(answer.largest)),
      ("ranked", .cell(.flag(answer.isRanked))),
      ("cheapest", .text(answer.cheapest?.route.rawValue)), ("sentence", .text(sentence(answer))),
      ("routes", .array(routes)),
    ])
  }

  /// No bandwidth is below 0, so 0 means that the variant appears sooner below none.
  func json(_ even: BreakEven) -> JSONValue {
    let (below, above): (Double?, Double?) =
      switch even.sooner {
      case .always: (nil, nil)
      case .never: (0, nil)
      case .below(let limit): (limit, nil)
      case .above(let limit): (0, limit)
      }
    return .object([
      ("variant", .text(even.variant.name)), ("reference", .text(even.reference.name)),
      ("wanted", .text(even.wanted.description)), ("score", .number(BreakEven.score)),
      ("images", .integer(even.images)),
      ("bytes", .number(even.variantCost.bytes, decimals: 0)), ("cpu_ms", .number(even.variantCost.cpu)),
      ("reference_bytes", .number(even.referenceCost.bytes, decimals: 0)),
      ("reference_cpu_ms", .number(even.referenceCost.cpu)),
      ("always_sooner", .cell(.flag(even.sooner == .always))), ("sooner_below_mbits", .number(below)),
      ("sooner_above_mbits", .number(above)),
    ])
  }

  var bandwidthSentences: [String] { breakEvens.map(sentence) }

  var legend: String {
    var parts = [
      "Each row: the cheapest way to get this size in good quality (SSIMULACRA2 "
        + "\(Numerals.short(question.score)) or more compared with a full decode). Times are CPU medians. All: the cost of decoding everything"
    ]
    if question.bandwidth != nil {
      parts.append("Over a connection: transfer and decode of each file, median")
    }
    if answers.contains(where: { $0.original != nil }) {
      parts.append("File's score: SSIMULACRA2 compared with the original")
    }
    return parts.joined(separator: ". ") + "."
  }

  /// A note that equal quality numbers of different codecs do not mean equal quality, with each codec's score; nil if
  /// codecs are compared at equal scores or there is only one.
  var unequal: String? {
    let encoded = answers.filter { $0.group.encoding != nil }
    guard breakEvens.isEmpty, Set(encoded.map(\.group.encoding?.variant)).count > 1 else { return nil }
    var kinds: Set<String> = []
    let scores = encoded.filter { kinds.insert($0.kind).inserted }.map { answer in
      "\(answer.kind) \(answer.original.map { Numerals.fixed($0, decimals: 1) } ?? "no score")"
    }.joined(separator: ", ")
    let target = Numerals.short(BreakEven.score)
    let remedy =
      Set(encoded.map(\.group.encoding?.quality)).count > 1
      ? "To compare them at SSIMULACRA2 \(target), add more --qualities."
      : "To compare them at SSIMULACRA2 \(target), use --qualities 0.4,0.6,0.8."
    return
      "These files differ in quality (SSIMULACRA2: \(scores)), so do not compare codecs here. \(remedy)"
  }

  /// `320 px from HEIC files (3 files): 5.1 ms and 0.7 MiB from its thumbnail …`
  func sentence(_ answer: RouteAnswer) -> String {
    let start =
      "\(answer.wanted.phrase) from \(answer.kind) (\(Numerals.counted(answer.files, "file"))): "
    guard answer.isRanked else {
      return start
        + "not ranked, because below \(RouteAnswer.smallestRanked) px two good filters differ more than the "
        + "decoding methods do."
    }
    guard let cheapest = answer.cheapest else {
      return start
        + "no decoding method reaches SSIMULACRA2 \(Numerals.fixed(question.score, decimals: 0))."
    }
    var text = start + "\(cheapest.cost) \(cheapest.route.phrase)"
    if cheapest.isExact {
      if cheapest.route != .full { text += " (the same pixels as the full decode)" }
    } else if let score = cheapest.score {
      text += " (SSIMULACRA2 \(Numerals.fixed(score, decimals: 0)) against the full decode)"
    }
    if cheapest.honestFiles < answer.files { text += " in \(cheapest.honestFiles) of \(answer.files)" }
    if let full = answer.comparison {
      text += ", \(full.cost) by a full decode"
    }
    // The median time for a file to arrive and be decoded.
    if let bandwidth = question.bandwidth, let total = cheapest.time {
      text +=
        "; \(Numerals.fixed(total, decimals: 0)) ms including transfer at \(Numerals.short(bandwidth)) Mbit/s"
    }
    if let original = answer.original {
      text += "; the file scores SSIMULACRA2 \(Numerals.fixed(original, decimals: 1))"
    }
    return text + "."
  }

  /// The gap in SSIMULACRA2 points between two files above which a figure between them is called a rough estimate.
  private static let closeScores = 10.0

  /// `All pixels at SSIMULACRA2 70: heic's 61,203 bytes and 39 ms beside jpeg's …: sooner below 12 Mbit/s.`
  private func sentence(_ even: BreakEven) -> String {
    func cost(_ cost: ReadCost) -> String {
      "\(Numerals.grouped(cost.bytes, decimals: 0)) bytes and \(Numerals.fixed(cost.cpu, decimals: 1)) ms"
    }
    let (reference, variant) = (even.reference.name, even.variant.name)
    var text =
      "\(even.wanted.phrase) at SSIMULACRA2 \(Numerals.short(BreakEven.score)) "
      + "(\(Numerals.counted(even.images, "image"))): \(cost(even.variantCost)) with \(variant), "
      + "\(cost(even.referenceCost)) with \(reference); \(variant) appears "
    // About two digits are all that such a figure supports: `0.88`, `12`, `140`.
    func digits(_ limit: Double) -> String {
      Numerals.grouped(limit, decimals: limit < 1 ? 2 : limit < 10 ? 1 : 0)
    }
    switch even.sooner {
    case .always: text += "sooner over any connection"
    case .never: text += "later over any connection"
    case .below(let limit): text += "sooner below \(digits(limit)) Mbit/s"
    case .above(let limit): text += "sooner above \(digits(limit)) Mbit/s"
    }
    if let bandwidth = question.bandwidth {
      let times = [even.variantCost, even.referenceCost].map {
        "\(Numerals.fixed($0.time(over: bandwidth), decimals: 0)) ms"
      }
      text += ", over \(Numerals.short(bandwidth)) Mbit/s after \(times[0]) and \(times[1])"
    }
    if even.widestGap > Self.closeScores {
      text +=
        "; a rough estimate between scores up to \(Numerals.fixed(even.widestGap, decimals: 0)) apart, so add "
        + "--qualities"
    }
    return text + "."
  }
}

extension RouteAnswer {
  /// The full decode of the files that the cheapest route can show.
  fileprivate var whole: Route? { comparison ?? cheapest }

  /// The full decode of all files; nil if it was not requested.
  fileprivate var full: Route? { routes.first { $0.route == .full } }

  /// `IMG_1.heic: 12.2 MP, 433 ms, 70.9 MiB` if there are several files.
  fileprivate var largest: String? {
    guard files > 1, let (name, decode) = group.largest else { return nil }
    let figures = [
      (Double(decode.megapixels), "MP"), (decode.cpu, "ms"), (decode.peakBytes / 1_048_576, "MiB"),
    ].filter { !$0.0.isNaN }.map { "\(Numerals.fixed($0.0, decimals: $0.0 < 99.5 ? 1 : 0)) \($0.1)" }
    return "\(name): \(figures.joined(separator: ", "))"
  }
}

extension RouteAnswer.Route {
  fileprivate var cost: String {
    func number(_ value: Double) -> String { Numerals.fixed(value, decimals: value < 10 ? 1 : 0) }
    return (cpu.map { "\(number($0)) ms" } ?? "unknown time")
      + (peakMiB.map { " and \(number($0)) MiB" } ?? "")
  }
}

extension WantedPixels {
  /// The subject of a sentence about this size.
  fileprivate var subject: String {
    if case .side(let side) = self { "A picture of \(side) px" } else { phrase }
  }

  fileprivate var phrase: String {
    switch self {
    case .all: "All pixels"
    case .side(let side): "\(side) px"
    case .part(let width, let height): "A part of \(width)×\(height)"
    }
  }
}

extension ReadRoute {
  fileprivate var phrase: String {
    switch self {
    case .full: "by a full decode"
    case .ycbcr: "without conversion to RGB"
    case .scaled: "at a reduced decoding size"
    case .thumbnail: "from the embedded thumbnail"
    case .region: "decoding only that part"
    case .firstTile: "from the first tile"
    case .gainMap: "with its gain map"
    }
  }
}
