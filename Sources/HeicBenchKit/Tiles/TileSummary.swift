import Analysis
import Model
import Pixels
import Reports
import Store

/// The report on tiles in words: an answer for each codec, and the tables that support it.
struct TileSummary: Sendable {
  private let rows: [TileRow]
  /// Figures over all cuts; they have no times if different processors made the cuts.
  private let figures: [TileFigures]
  /// Figures with times: the same ones, or separate ones per processor, the processor with the most cuts first.
  private let timed: [TileFigures]
  private let processors: [String]
  /// The cuts from the processor with the most cuts by which sizes are compared, and their figures.
  private let compared: [TileRow]
  private let answering: [TileFigures]
  private let viewport: PixelSize
  private let copied: String?

  init(_ rows: [TileRow], viewport: PixelSize) {
    let copies = rows.map(\.record).copies
    (self.rows, self.viewport) = (rows, viewport)
    let own = rows.filter { !copies.contains($0.record.key.image.name) }
    let (all, unlike) = (TileFigures.all(own, viewport: viewport), own.filter(\.isJudged).unlikeProcessors)
    (figures, processors) = (all, unlike)
    let split = unlike.isEmpty ? all : unlike.flatMap { TileFigures.all(own, viewport: viewport, of: $0) }
    let (judged, processor) = (own.judged(of: unlike.first), unlike.first)
    (timed, compared) = (split, judged.comparable)
    answering =
      compared.count == judged.count
      ? split.filter { $0.processor == processor }
      : TileFigures.all(compared, viewport: viewport, of: processor)
    copied = Wording.copies(copies.count, "picture")
  }

  var sentences: [String] {
    // If there is no answer, the reason is the answer.
    let chosen = answering.byName
    let answers = figures.byName.flatMap { sizes in
      [overhead(sizes), chosen.first { $0[0].name == sizes[0].name }.flatMap(choice)]
    }
    return (answers + [figures.isEmpty ? nil : leftOut, copied, unlike]).compactMap { $0 }
  }

  /// The sizes that the answer does not cover; nil if there are none.
  private var uncompared: String? {
    let others = timed.filter { size in
      size.processor == processors.first
        && !answering.contains { $0.name == size.name && $0.tileSize == size.tileSize }
    }
    guard !others.isEmpty else { return nil }
    return
      "Not compared with other sizes, because too few pictures, qualities or libraries are the same: "
      + "\(Numerals.listed(others.map { "\($0.tileSize) with \($0.name)" }))."
  }

  private var unlike: String? {
    processors.isEmpty
      ? nil
      : "Tile sizes are chosen from the cuts timed on \(processors[0]), the largest group; CPU times of "
        + "\(processors.dropFirst().joined(separator: ", ")) are listed too. Times from different processors are not "
        + "pooled."
  }

  /// `A viewport of 1920×1080 is cheapest in tiles of 512 pixels with JPEG (42 kB, 2 ms; +1.8 % bytes (+1.1 to
  /// +2.6 %) against no tiles at equal SSIMULACRA2), 1024 with HEIC (34 kB, 32 ms; +0.0 % (−0.2 to +0.3 %)); 4 pictures.`
  var answer: String {
    let images = Set(compared.map(\.record.key.image)).count
    let sizes = answering.byName.compactMap { best(of: $0) }
    let basis = Self.basis(of: sizes)
    let parts = sizes.enumerated().map { index, best -> String in
      let cost =
        "\(Numerals.fixed(best.viewport.bytes / 1000, decimals: 0)) kB, "
        + "\(Numerals.fixed(best.viewport.cpu, decimals: 0)) ms"
      let overhead = best[keyPath: basis.change].map { change in
        "; \(Numerals.signed(change.mean, decimals: 1)) %\(index == 0 ? " bytes" : "")"
          + Self.ends(change.interval, unit: " %") + (index == 0 ? " against no tiles \(basis.words)" : "")
          + (change.images < images ? " on \(Self.pictures(change.images))" : "")
      }
      return
        "\(index == 0 ? "tiles of " : "")\(best.tileSize)\(index == 0 ? " pixels" : "") with \(best.name) "
        + "(\(cost)\(overhead ?? ""))"
    }
    guard !parts.isEmpty else { return leftOut ?? sentences.first ?? nothing }
    return
      "A viewport of \(viewport.width)×\(viewport.height) is cheapest in \(parts.joined(separator: ", ")); "
      + "\(Self.pictures(images)).\(parts.count > 1 ? unequal : "")\(uncompared.map { " \($0)" } ?? "")"
  }

  /// ` Codecs at the same quality numbers (0.5, 0.8) do not look the same: compare sizes of tiles, not codecs.`
  private var unequal: String {
    let qualities = Set(rows.filter(\.isJudged).map(\.record.key.quality)).sorted().map(\.description)
    return
      " Codecs at the same quality numbers (\(qualities.joined(separator: ", "))) do not look the same: this compares "
      + "tile sizes, not codecs."
  }

  /// The size with the fewest bytes, or with clearly less CPU time if bytes hardly differ.
  private func best(of sizes: [TileFigures]) -> TileFigures? {
    guard let bytes = sizes.least(\.bytes), let cpu = sizes.least(\.cpu) else { return nil }
    return !Self.areClose(bytes, cpu) && cpu.viewport.bytes <= 1.05 * bytes.viewport.bytes ? cpu : bytes
  }

  /// True if a size takes hardly more CPU time than the least; such small differences are noise.
  private static func areClose(_ size: TileFigures, _ least: TileFigures) -> Bool {
    size.viewport.cpu <= max(1.05 * least.viewport.cpu, least.viewport.cpu + 1)
  }

  var blocks: [ReportBlock] {
    let charts = ReportBlock.charts(charts)
    let failed = rows.count { $0.tiles == nil }
    let viewportTitle = "A viewport of \(viewport.width) × \(viewport.height) at level 0"
    return [
      .paragraph(Self.explanation),
      .inMarkdown([
        .paragraph("\(Numerals.counted(rows.count, "row")): \(rows.count - failed) measured, \(failed) not.")
      ]),
      .heading("Answers"), .list(sentences), .onPage([charts]),
      .heading("Bytes, by tile size"),
      .table(ReportTable("Bytes, by tile size", Self.byteColumns, figures)), .inMarkdown([charts]),
      .heading(viewportTitle),
      .inMarkdown([
        .paragraph(
          "Means over \(ViewportCost.places) places throughout the picture. The walk is 120 zooms and pans with a "
            + "cache of decoded tiles.")
      ]), .table(ReportTable(viewportTitle, Self.viewportColumns, timed)),
      .heading("A viewport, by level"),
      .table(ReportTable("A viewport, by level", Self.levelColumns, levels(timed))),
    ]
  }

  private func levels(_ figures: [TileFigures]) -> [Level] {
    figures.flatMap { figures in
      figures.levels(viewport).enumerated().map { Level(figures: figures, level: $0, cost: $1) }
    }
  }

  private static let explanation =
    "Level 0 is the picture itself; each further level halves its sides, by averaging 2 × 2 pixels in linear "
    + "light, until one tile is enough. Overhead compares level 0 in tiles with the same picture without tiles; at "
    + "equal score, with the size that the picture without tiles has at the score of the reassembled level 0. Means "
    + "are geometric, over pictures; each picture counts once, with all its qualities. Intervals are "
    + "95 % intervals (Student’s t up to \(Bootstrap.fewImages) pictures)."

  /// Columns that identify a row's cuts. Empty columns are left out, as are overlaps if all are 0 and processors if
  /// there is only one.
  private static func cuts<Row>(_ figures: @escaping @Sendable (Row) -> TileFigures) -> [Column<Row>] {
    [
      .code("processor", "Processor") { figures($0).processor },
      .text("kind", "Codec") { figures($0).kind },
      .count("tile", "Tile", unit: "px") { figures($0).tileSize },
      .count("overlap", "Overlap", unit: "px") { figures($0).overlap == 0 ? nil : figures($0).overlap },
    ]
  }

  private static let byteColumns: [Column<TileFigures>] =
    cuts { $0 } + [
      .count("images", "Pictures") { $0.images },
      Column("overhead", title: "Overhead", unit: "%") { .text(text($0.overhead)) },
      Column("matched", title: "At equal score", unit: "%") { .text(text($0.matched)) },
      .count("matched_images", "on") { $0.matched?.images },
      .change("container", "Container", unit: "points", decimals: 1) { $0.containerShare },
      .change("coded", "Coded", unit: "points", decimals: 1) { $0.codedShare },
      .change("upper", "Upper levels", unit: "% of level 0", decimals: 1) { $0.upperShare },
      Column("seams", title: "Seam steps", unit: "%") { .text(text($0.seams)) },
      .change("encode", "Encode CPU, all levels", decimals: 0) { $0.encodeCPU?.mean },
    ]

  private static let viewportColumns: [Column<TileFigures>] =
    cuts { $0 } + [
      .number("tiles", "Tiles", decimals: 1) { $0.viewport.tiles },
      .number("bytes", "Bytes", unit: "kB", decimals: 1) { $0.viewport.bytes / 1000 },
      Column("bytes_over", title: "over the least", unit: "%") { .text(text($0.bytesOverBest)) },
      .number("cpu", "CPU", unit: "ms", decimals: 1) { $0.viewport.cpu },
      Column("cpu_over", title: "over the least", unit: "%") { .text(text($0.cpuOverBest)) },
      .number("peak", "Memory", unit: "MiB", decimals: 1) { $0.viewportPeakMiB },
      .number("whole_bytes", "Whole", unit: "kB", decimals: 1) { $0.wholeBytes / 1000 },
      .number("whole_cpu", "Whole, CPU", unit: "ms", decimals: 1) { $0.wholeCPU },
      .number("whole_peak", "Whole, memory", unit: "MiB", decimals: 1) { $0.wholePeakMiB },
      .change("encode", "Encode CPU, all levels", decimals: 0) {
        $0.processor == nil ? nil : $0.encodeCPU?.mean
      },
    ]
    + TileFigures.caches.indices.map { index in
      Column("walk\(index)", title: "Walk, \(TileFigures.caches[index]) MiB", alignment: .leading) {
        figures in
        let walk = figures.walks[index]
        return .text(
          "\(Numerals.fixed(walk.cost.bytes / 1000, decimals: 0)) kB, \(Numerals.fixed(walk.cost.cpu, decimals: 0)) ms, "
            + "\(Numerals.fixed(walk.hitShare * 100, decimals: 0)) % hits")
      }
    }

  /// Mean cost of the viewport in a level.
  private struct Level: Sendable {
    var figures: TileFigures
    var level: Int
    var cost: ViewportCost
  }

  private static let levelColumns: [Column<Level>] =
    cuts(\.figures) + [
      .count("level", "Level") { $0.level },
      .number("tiles", "Tiles", decimals: 1) { $0.cost.tiles },
      .number("bytes", "Bytes", unit: "kB", decimals: 1) { $0.cost.bytes / 1000 },
      .number("cpu", "CPU", unit: "ms", decimals: 1) { $0.cost.cpu },
    ]

  static let charts = ["tiles-overhead", "tiles-viewport", "tiles-viewport-cpu"]

  /// Overhead against the tile size, and a viewport against the level; a chart without data is absent.
  private var charts: [ReportChart] {
    [
      overheadChart,
      viewportChart(1, "Bytes", "Bytes of the viewport (kB)", figures) { $0.bytes / 1000 },
      viewportChart(2, "CPU time", "CPU time of decoding the viewport (ms)", answering) { $0.cpu },
    ].compactMap { $0 }
  }

  /// Overhead at equal score with its interval; nil if fewer than two sizes have one.
  private var overheadChart: ReportChart? {
    let matched = figures.compactMap { figure in
      figure.matched.map { (figure, change: $0, percent: "\(Numerals.signed($0.mean, decimals: 1)) %") }
    }
    let points = matched.map { figure, change, percent in
      ReportChart.Point(
        line: figure.name, x: Double(figure.tileSize), y: change.mean, interval: change.interval,
        tip: "\(figure.name), \(figure.tileSize) px: \(percent)")
    }
    return ReportChart(
      Self.charts[0], title: "Bytes of tiles at equal SSIMULACRA2, by tile size", points,
      x: ("Side of a tile in pixels (logarithmic)", .logarithmic, 0.1),
      y: ("Level 0 in tiles against no tiles (%)", .linear, 0.08), isSigned: true, isCounted: true
    ) { _ in
      matched.map { "\($0.0.name) at \($0.0.tileSize): \($0.percent)" }.joined(separator: "; ") + "."
    }
  }

  private func viewportChart(
    _ index: Int, _ noun: String, _ axis: String, _ figures: [TileFigures], value: (ViewportCost) -> Double
  ) -> ReportChart? {
    let points = levels(figures).map { level in
      let (line, y) = ("\(level.figures.name), \(level.figures.tileSize)", value(level.cost))
      return ReportChart.Point(
        line: line, x: Double(level.level), y: y,
        tip: "\(line) px, level \(level.level): \(Numerals.fixed(y, decimals: 1))")
    }
    let highest = points.map(\.y).max() ?? 0
    return ReportChart(
      Self.charts[index], title: "\(noun) that a viewport takes, by level", points,
      x: ("Level: 0 is the picture itself, each further one halves the sides", .linear, 0.04),
      y: (axis, .linear, 0.06), isCounted: true
    ) { "\($0) lines; at most \(Numerals.short(highest.rounded()))." }
  }

  private static func text(_ change: TileFigures.Change?) -> String {
    change.map { Numerals.signed($0.mean, decimals: 1) + ends($0.interval) } ?? ""
  }

  private static func ends(
    _ interval: ConfidenceInterval?, decimals: Int = 1, unit: String = ""
  ) -> String {
    guard let interval else { return "" }
    let ends = [interval.lower, interval.upper].map { Numerals.signed($0, decimals: decimals) }
    return " (\(ends[0]) to \(ends[1])\(unit))"
  }

  /// `12 pictures`, `4 pictures, too few for an interval`.
  private static func pictures(_ count: Int) -> String {
    Numerals.counted(count, "picture") + (count < Bootstrap.minimumImages ? ", too few for an interval" : "")
  }

  /// `heic: against the picture without tiles at equal SSIMULACRA2, level 0 takes 3.1 % more in 512-pixel tiles …`
  private func overhead(_ sizes: [TileFigures]) -> String? {
    let basis = Self.basis(of: sizes)
    let parts = sizes.reversed().compactMap { size -> String? in
      guard let change = size[keyPath: basis.change] else { return nil }
      let word = change.mean < 0 ? "less" : "more"
      return "\(Numerals.fixed(abs(change.mean), decimals: 1)) % \(word) in \(size.tileSize)-pixel tiles"
        + Self.ends(change.interval, unit: " %")
    }
    guard let last = parts.last, let first = sizes.first else { return nil }
    let others = parts.dropLast().joined(separator: ", ")
    return "\(first.name): against the picture without tiles \(basis.words), level 0 takes "
      + (others.isEmpty ? last : "\(others) and \(last)")
      + "; \(Self.pictures(first[keyPath: basis.change]?.images ?? first.images))."
  }

  /// The one basis on which a sentence compares all these sizes with no tiles.
  private static func basis(
    of sizes: [TileFigures]
  ) -> (words: String, change: KeyPath<TileFigures, TileFigures.Change?>) {
    guard sizes.allSatisfy({ $0.matched != nil }) else { return ("at the same setting", \.overhead) }
    return ("at equal SSIMULACRA2", \.matched)
  }

  private func choice(_ sizes: [TileFigures]) -> String? {
    guard sizes.count > 1, let leastBytes = sizes.least(\.bytes), let leastCPU = sizes.least(\.cpu) else {
      return nil
    }
    func cost(_ size: TileFigures) -> String {
      "\(Numerals.fixed(size.viewport.bytes / 1000, decimals: 0)) kB and "
        + "\(Numerals.fixed(size.viewport.cpu, decimals: 0)) ms"
    }
    let view = "a viewport of \(viewport.width)×\(viewport.height)"
    guard leastBytes.tileSize != leastCPU.tileSize, !Self.areClose(leastBytes, leastCPU) else {
      let cpu =
        leastBytes.tileSize == leastCPU.tileSize ? "and the least CPU" : "and hardly more CPU than the least,"
      return
        "\(leastBytes.name): \(view) takes the fewest bytes \(cpu) with tiles of "
        + "\(leastBytes.tileSize) pixels, \(cost(leastBytes))\(margin(of: leastBytes, among: sizes))."
    }
    let frontier = sizes.frontier.map { "\($0.tileSize) (\(cost($0)))" }.joined(separator: ", ")
    return
      "\(leastBytes.name): for \(view) bytes and CPU disagree; sizes that no other beats in both: \(frontier)."
  }

  /// How certain the choice is: how much more the next size takes.
  private func margin(of best: TileFigures, among sizes: [TileFigures]) -> String {
    guard let next = sizes.filter({ $0.tileSize != best.tileSize }).least(\.bytes),
      let over = next.bytesOverBest
    else { return "" }
    let share = Numerals.fixed(over.mean, decimals: 0)
    let words = "; the next, \(next.tileSize), takes \(share == "0" ? "as many" : "\(share) % more") bytes"
    let isClear = over.interval.map { $0.lower > 0 } ?? true
    let ends =
      over.interval == nil
      ? " (too few pictures for an interval)" : Self.ends(over.interval, decimals: 0, unit: " %")
    return words + ends
      + (isClear ? "" : ", which may be chance with these pictures")
  }

  /// Why the first picture could not be cut, which is usually the same for all.
  private var nothing: String {
    let failure = rows.lazy.compactMap { row in row.record.outcome.failure.map { (row, $0) } }.first
    return (rows.isEmpty ? "Nothing was cut" : "Nothing could be cut")
      + (failure.map { ": “\($0.0.record.key.image.name)” \($0.1.message)" } ?? "") + "."
  }

  private var leftOut: String? {
    let names = rows.filter { !$0.isJudged && $0.tiles != nil }.grouped(by: \.record.key.image.name).map {
      $0[0].record.key.image.name
    }
    guard !names.isEmpty else { return nil }
    return
      "Left out of the answer, because the size of a source already coded in blocks depends on where it is "
      + "cut: \(Numerals.listed(names)). --downscale 2 makes such sources usable."
  }
}
