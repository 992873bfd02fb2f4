import Analysis
import Model
import Store

/// The report on reads in words: an answer for each kind of file and wanted size, and the tables behind it.
package struct DecodeSummary {
  private let reads: Int
  private let counts: (measured: Int, unsupported: Int, failed: Int)
  /// The first rows of the table of memory; `furtherMemoryRows` counts the rest.
  let memoryRows: [ReadRow]
  private let furtherMemoryRows: Int
  let answers: [RouteAnswer]
  let breakEvens: [BreakEven]
  let score: Double
  let bandwidth: Double?

  /// `bandwidth` is that of the connection over which files arrive, in Mbit/s; nil leaves it out.
  init(_ table: ReadTable, _ memory: MemoryRows, bandwidth: Double? = nil) {
    (reads, counts) = (table.count, table.counts)
    (memoryRows, furtherMemoryRows) = (memory.first, memory.count - memory.first.count)
    score = table.honestScore
    self.bandwidth = bandwidth
    answers = RouteAnswer.all(table)
    breakEvens = BreakEven.all(table, at: Self.quality)
  }

  /// The SSIMULACRA 2 at which codecs' files are compared: high, but not visually lossless.
  static let quality = 70.0

  package var sentences: [String] { answerSentences + bandwidthSentences }
  var answerSentences: [String] { answers.map { sentence($0) } }
  /// The codec that is on the screen sooner, one sentence per comparison.
  var bandwidthSentences: [String] { breakEvens.map { sentence($0) } }

  package var markdown: String {
    var document = MarkdownDocument()
    document.heading(1, "What it costs to get pixels out")
    add(to: &document, level: 2, charts: ChartKind.decodes)
    return document.text
  }

  var explanation: String {
    "CPU times are medians of the decode alone, without the reduction to the wanted size. Memory is how far the "
      + "process grew in a decode, the result included and the file not. Scores are SSIMULACRA 2 against all of "
      + "the picture decoded and reduced in linear light; a thumbnail's is the one after the best shift within "
      + "a pixel. The ceiling is what another good filter scores on the same pixels."
  }

  /// Adds all sections under headings of this level; `charts` are those stored beside the text.
  func add(to document: inout MarkdownDocument, level: Int, charts: [ChartKind]) {
    document.paragraph(explanation)
    document.paragraph(
      "\(Numerals.counted(reads, "read")): \(counts.measured) measured, \(counts.unsupported) not possible, "
        + "\(counts.failed) failed.")
    document.heading(level, "Answers")
    document.paragraph(MarkdownText.escaped(answerLegend))
    document.table(answerColumns, answers)
    if let unequal { document.paragraph(MarkdownText.escaped(unequal)) }
    if !breakEvens.isEmpty {
      document.heading(level, "Time to pixels")
      document.list(bandwidthSentences.map(MarkdownText.escaped))
    }
    document.heading(level, "Routes")
    for chart in charts { document.image(chart.fileName, alternative: chart.title) }
    document.table(Self.columns, lines)
    if !memoryRows.isEmpty {
      document.heading(level, "Memory, measured and predicted")
      document.table(Self.memoryColumns, memoryRows)
      if furtherMemoryRows > 0 {
        document.paragraph(
          "\(Numerals.counted(furtherMemoryRows, "more line")) of these are in `\(DecodeReport.csvName)`.")
      }
    }
  }

  /// A route with the answer that it belongs to.
  typealias Line = (answer: RouteAnswer, route: RouteAnswer.Route)

  var lines: [Line] { answers.flatMap { answer in answer.routes.map { (answer, $0) } } }

  static let columns: [Column<Line>] = [
    Column("kind", title: "Files", alignment: .leading) { .text($0.answer.kind) },
    Column("wanted", title: "Wanted", alignment: .leading) { .code($0.answer.wanted.description) },
    Column("route", title: "Route", alignment: .leading) { .code($0.route.route.rawValue) },
    Column("files", title: "Works on") { .text("\($0.route.files) of \($0.answer.files)") },
    Column("honest", title: "Honest") { Cell(integer: $0.answer.isRanked ? $0.route.honestFiles : nil) },
    Column("cpu_ms", title: "CPU", unit: "ms") { Cell(number: $0.route.cpu, decimals: 1) },
    Column("peak_mib", title: "Memory", unit: "MiB") { Cell(number: $0.route.peakMiB, decimals: 1) },
    Column("ssimulacra2", title: "Score") { Cell(number: $0.route.score, decimals: 1) },
    Column("ceiling", title: "Ceiling") { Cell(number: $0.route.ceiling, decimals: 1) },
  ]

  static let memoryColumns: [Column<ReadRow>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.record.key.image.name) },
    Column("kind", title: "File", alignment: .leading) { .text($0.kind) },
    Column("route", title: "Route", alignment: .leading) { .code($0.record.key.route.rawValue) },
    Column("megapixels", title: "Picture", unit: "MP") {
      Cell(number: $0.record.measurement.map { Double($0.width) * Double($0.height) / 1e6 }, decimals: 1)
    },
    Column("picture_mib", title: "Pixels given", unit: "MiB") {
      Cell(
        number: $0.record.measurement.map { Double($0.pixelBytes) / 1_048_576 }, decimals: 1)
    },
    Column("peak_mib", title: "Measured", unit: "MiB") {
      Cell(number: $0.record.measurement?.peakBytes.map { Double($0) / 1_048_576 }, decimals: 1)
    },
    Column("predicted_mib", title: "Predicted", unit: "MiB") {
      Cell(number: $0.record.measurement?.predictedBytes.map { Double($0) / 1_048_576 }, decimals: 1)
    },
    Column("off", title: "Off by", unit: "%") {
      guard let figures = $0.record.measurement, let peak = figures.peakBytes, peak > 0,
        let predicted = figures.predictedBytes
      else { return .empty }
      return Cell(change: (Double(predicted) / Double(peak) - 1) * 100, decimals: 0)
    },
  ]

  /// `320 px out of HEIC as found (3 files): 5.1 ms and 0.7 MiB from its thumbnail …`
  func sentence(_ answer: RouteAnswer) -> String {
    let start =
      "\(Self.phrase(answer.wanted)) out of \(answer.kind) (\(Numerals.counted(answer.files, "file"))): "
    guard answer.isRanked else {
      return start
        + "not ranked, since below \(RouteAnswer.smallestRanked) px two good filters of the same pixels "
        + "differ by more than routes do."
    }
    guard let cheapest = answer.cheapest else {
      return start + "no route shows the picture at SSIMULACRA 2 \(Numerals.fixed(score, decimals: 0))."
    }
    var text = start + "\(cost(cheapest)) \(Self.phrase(cheapest.route))"
    if cheapest.isExact {
      if cheapest.route != .full { text += " (the same pixels as the full decode)" }
    } else if let score = cheapest.score {
      text += " (SSIMULACRA 2 \(Numerals.fixed(score, decimals: 0)) against the full decode)"
    }
    if cheapest.honestFiles < answer.files {
      text += " in \(cheapest.honestFiles) of \(answer.files)"
    }
    if let full = answer.comparison {
      text += ", \(cost(full)) by decoding all of \(cheapest.honestFiles < answer.files ? "these" : "it")"
    }
    text += onTheWay(cheapest)
    if let original = answer.original {
      text += "; the file has SSIMULACRA 2 \(Numerals.fixed(original, decimals: 1)) against its original"
    }
    return text + "."
  }

  /// `All pixels at SSIMULACRA 2 70: heic's 61,203 bytes and 39 ms beside jpeg's …: sooner below 12 Mbit/s.`
  private func sentence(_ even: BreakEven) -> String {
    func cost(_ cost: BreakEven.Cost) -> String {
      "\(Numerals.grouped(cost.bytes, decimals: 0)) bytes and \(Numerals.fixed(cost.cpu, decimals: 1)) ms"
    }
    let (reference, variant) = (even.reference.name, even.variant.name)
    let start =
      "\(Self.phrase(even.wanted)) at SSIMULACRA 2 \(Numerals.short(even.score)) "
      + "(\(Numerals.counted(even.images, "image"))): \(cost(even.costs.variant)) with \(variant), "
      + "\(cost(even.costs.reference)) with \(reference); "
    var text =
      switch even.bandwidth {
      case .infinity: start + "\(variant) is on the screen sooner over any connection"
      case 0: start + "\(variant) is on the screen later over any connection"
      default: start + "\(variant) is on the screen sooner below \(Self.megabits(even.bandwidth)) Mbit/s"
      }
    if let bandwidth {
      let times = [even.costs.variant, even.costs.reference].map {
        "\(Numerals.fixed($0.time(over: bandwidth), decimals: 0)) ms"
      }
      text += ", over \(Numerals.short(bandwidth)) Mbit/s after \(times[0]) and \(times[1])"
    }
    if even.widestGap > Self.closeScores {
      text +=
        "; a guess, between files of scores up to \(Numerals.fixed(even.widestGap, decimals: 0)) apart: more --qualities"
    }
    return text + "."
  }

  /// The gap in SSIMULACRA 2 points between two files beyond which a figure between them is called a guess.
  private static let closeScores = 10.0

  /// Rounds to about two digits, all that such a figure supports: `0.88`, `12`, `140`.
  private static func megabits(_ value: Double) -> String {
    Numerals.grouped(value, decimals: value < 1 ? 2 : value < 10 ? 1 : 0)
  }

  private func cost(_ route: RouteAnswer.Route) -> String {
    let cpu = route.cpu.map { "\(Numerals.fixed($0, decimals: $0 < 10 ? 1 : 0)) ms" } ?? "unknown time"
    guard let peak = route.peakMiB else { return cpu }
    return "\(cpu) and \(Numerals.fixed(peak, decimals: peak < 10 ? 1 : 0)) MiB"
  }

  /// The median time for a file to arrive and be decoded at the bandwidth asked for; empty without one.
  private func onTheWay(_ route: RouteAnswer.Route) -> String {
    guard let bandwidth, let total = route.time(over: bandwidth) else { return "" }
    return "; \(Numerals.fixed(total, decimals: 0)) ms with the way over \(Numerals.short(bandwidth)) Mbit/s"
  }

  private static func phrase(_ wanted: WantedPixels) -> String {
    switch wanted {
    case .all: "All pixels"
    case .side(let side): "\(side) px"
    case .part(let width, let height): "A part of \(width)×\(height)"
    }
  }

  private static func phrase(_ route: ReadRoute) -> String {
    switch route {
    case .full: "by decoding all of it"
    case .ycbcr: "without conversion to RGB"
    case .scaled: "at the decoder's reduced size"
    case .thumbnail: "from the embedded thumbnail"
    case .region: "decoding no more than that takes"
    case .firstTile: "from the first tile"
    }
  }
}

/// The rows of the table of memory: one for each file and route, with wanted sizes of equal decodes merged.
struct MemoryRows {
  static let limit = 1000

  private(set) var first: [ReadRow] = []
  private(set) var count = 0
  /// Keys of the current image; reads of one image are adjacent.
  private var seen: Set<String> = []
  private var image: String?

  mutating func add(_ row: ReadRow) {
    if row.record.key.image.name != image {
      image = row.record.key.image.name
      seen.removeAll(keepingCapacity: true)
    }
    guard let figures = row.record.measurement, figures.predictedBytes != nil,
      seen.insert("\(row.kind) \(row.record.key.route) \(figures.decodedWidth)x\(figures.decodedHeight)")
        .inserted
    else { return }
    if count < Self.limit { first.append(row) }
    count += 1
  }
}
