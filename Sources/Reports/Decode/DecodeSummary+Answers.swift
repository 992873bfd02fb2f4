import Analysis
import Model
import Store

/// The answers as a table: one row for each kind of file and wanted size.
extension DecodeSummary {
  /// The terminal's text: the answers, the inequality of the files, and the codec that is sooner at equal quality.
  package var terminalText: String {
    var paragraphs: [String] = []
    if !answers.isEmpty {
      paragraphs.append(TextTableWriter(briefColumns).table(answers) + answerLegend)
    }
    let notes = [unequal].compactMap { $0 } + bandwidthSentences
    if !notes.isEmpty { paragraphs.append(notes.joined(separator: "\n")) }
    return paragraphs.joined(separator: "\n\n")
  }

  /// The table of decode.md and of the page.
  var answerColumns: [Column<RouteAnswer>] {
    [
      Column("kind", title: "Files", alignment: .leading) { .text($0.kind) }, Self.wanted,
      Self.route,
      Column("honest", title: "Honest on") { answer in
        Cell(text: answer.cheapest.map { "\($0.honestFiles) of \(answer.files)" })
      },
      Column("cpu_ms", title: "CPU", unit: "ms") { Cell.milliseconds($0.cheapest?.cpu) },
      Column("peak_mib", title: "Memory", unit: "MiB") { Cell(number: $0.cheapest?.peakMiB, decimals: 1) },
      Column("full_cpu_ms", title: "All of it", unit: "ms") { Cell.milliseconds(Self.whole($0)?.cpu) },
      Column("full_peak_mib", title: "All of it", unit: "MiB") {
        Cell(number: Self.whole($0)?.peakMiB, decimals: 1)
      },
      Column("shown", title: "Score of the route") { Self.shown($0) },
      Column("original", title: "Score of the file") { Cell(number: $0.original, decimals: 1) },
    ] + way(unit: "ms")
  }

  /// The same, narrowed to a terminal of 80 columns.
  private var briefColumns: [Column<RouteAnswer>] {
    [
      Column("kind", title: "File", alignment: .leading) {
        .text($0.kind.replacing(" at quality ", with: " at "))
      }, Self.wanted, Self.route,
      Column("cpu_ms", title: "ms") { Cell.milliseconds($0.cheapest?.cpu) },
      Column("peak_mib", title: "MiB") { Cell(number: $0.cheapest?.peakMiB, decimals: 1) },
      Column("full_cpu_ms", title: "All, ms") { Cell.milliseconds(Self.whole($0)?.cpu) },
    ] + way() + [Column("original", title: "File's score") { Cell(number: $0.original, decimals: 1) }]
  }

  var answerLegend: String {
    var parts = [
      "Each line: the route with the least CPU among those that show the picture at SSIMULACRA 2 "
        + "\(Numerals.short(score)) of the full decode. CPU of the decode, medians; All: decoding all of the same files"
    ]
    if bandwidth != nil { parts.append("Over a connection: the way and the decode of each file, the median") }
    if answers.contains(where: { $0.original != nil }) {
      parts.append("Score of the file: SSIMULACRA 2 against what was encoded")
    }
    return parts.joined(separator: ". ") + "."
  }

  /// A note that equal quality numbers of several codecs are not equal quality, with each codec's score; nil if codecs
  /// are compared at equal scores or there is only one.
  var unequal: String? {
    var scores: [(kind: String, score: Double?)] = []
    for answer in answers where answer.encoding != nil && !scores.contains(where: { $0.kind == answer.kind })
    {
      scores.append((answer.kind, answer.original))
    }
    guard breakEvens.isEmpty, Set(answers.compactMap(\.encoding?.variant)).count > 1 else { return nil }
    let list = scores.map { kind, score in
      "\(kind) \(score.map { Numerals.fixed($0, decimals: 1) } ?? "no score")"
    }.joined(separator: ", ")
    let remedy =
      Set(answers.compactMap(\.encoding?.quality)).count > 1
      ? "No picture has SSIMULACRA 2 \(Numerals.short(Self.quality)) between two of these qualities with two codecs; "
        + "more --qualities would say who is on the screen sooner there."
      : "--qualities 0.4,0.6,0.8 says who is on the screen sooner at \(Numerals.short(Self.quality))."
    return
      "Codecs are not compared at equal quality here (SSIMULACRA 2 against the original: \(list)). \(remedy)"
  }

  private func way(unit: String = "") -> [Column<RouteAnswer>] {
    guard let bandwidth else { return [] }
    return [
      Column("way_ms", title: "Over \(Numerals.short(bandwidth)) Mbit/s", unit: unit) {
        Cell.milliseconds($0.cheapest?.time(over: bandwidth))
      }
    ]
  }

  private static let wanted = Column<RouteAnswer>("wanted", title: "Wanted", alignment: .leading) {
    .code($0.wanted.description)
  }

  private static let route = Column<RouteAnswer>("route", title: "Cheapest", alignment: .leading) { answer in
    guard answer.isRanked else { return .text("not ranked") }
    return answer.cheapest.map { .code($0.route.rawValue) } ?? .text("none")
  }

  /// The full decode of the files that the cheapest route shows.
  private static func whole(_ answer: RouteAnswer) -> RouteAnswer.Route? {
    answer.comparison ?? answer.cheapest
  }

  private static func shown(_ answer: RouteAnswer) -> Cell {
    guard let cheapest = answer.cheapest else { return .empty }
    return cheapest.isExact ? .text("same pixels") : Cell(number: cheapest.score, decimals: 1)
  }
}

extension Cell {
  /// A time for readers, with tenths below 10 ms.
  fileprivate static func milliseconds(_ value: Double?) -> Cell {
    Cell(number: value, decimals: (value ?? 0) < 10 ? 1 : 0)
  }
}
