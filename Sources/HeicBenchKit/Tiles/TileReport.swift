import Analysis
import Metrics
import Model
import Pixels
import Reports
import Store

/// A picture cut in one way: one row of tiles.csv.
struct TileRow: Sendable {
  let record: CaseRecord
  /// The picture without tiles at the same setting; nil if it is not in the store.
  let whole: Figures?
  /// Bytes of level 0 against the untiled picture at the same score, percent; nil without scores or a curve.
  var matchedOverhead: Double?

  var cut: TileCut { record.key.cut }
  var figures: Figures? { record.figures }
  var tiles: TiledLevels? { record.figures?.tiles }
  /// The processor that timed the cut; nil if there are no times or it is unknown.
  var processor: String? { figures.flatMap { _ in record.timesOrigin?.processor } }

  /// Bytes of level 0 against the untiled picture's at the same setting, percent.
  var overhead: Double? { whole.flatMap { overhead(over: Double($0.encodedBytes)) } }

  private func overhead(over bytes: Double) -> Double? {
    tiles.map { (Double($0.bytes(ofLevel: 0)) / bytes - 1) * 100 }
  }

  /// The picture without tiles at the same setting.
  fileprivate var untiled: Case { record.key.untiled(at: record.key.quality) }

  /// Settings to pass to `--codec`, including the grid.
  var settings: String { record.key.cutVariant.canonicalSettings }

  /// Codec and storage of the tiles, for tables: `heic`, `heic in one file`.
  var kind: String { record.key.variant.title + (cut.form == .grid ? " in one file" : "") }

  /// True if it counts for judging tile sizes: cuts along the blocks of a source that was already coded in blocks are
  /// cheaper.
  var isJudged: Bool { record.header?.isLossy != true || record.key.downscale > 1 }

  /// Combines cuts with the curves of their untiled pictures, among the same records.
  static func all(_ records: [CaseRecord]) -> [TileRow] {
    let untiled = records.filter { $0.key.way.kind != .tiles }
    let curves = Dictionary(grouping: untiled) { curve(of: $0.key) }.mapValues { records in
      try? RateQualityCurve(
        records.compactMap { record in
          record.figures.flatMap { figures in
            figures.scores[MetricTraits.headline.id].map { .init(score: $0, bytes: figures.encodedBytes) }
          }
        })
    }
    var wholes: [Case: (figures: Figures, origin: TimesOrigin?)] = [:]
    // Points first. Both describe the same bytes, and either may have scores that the other lacks.
    for record in untiled.filter({ $0.key.way == .point }) + untiled.filter({ $0.key.way == .whole }) {
      guard let figures = record.figures else { continue }
      let point = record.key.untiled(at: record.key.quality)
      let own = (figures, record.timesOrigin)
      wholes[point, default: own].figures.scores.merge(figures.scores) { own, _ in own }
      // Times of tiles and of the picture without tiles come from the same call if both were measured in it. A cut that
      // lost its worker is timed later, alone, and the picture is not timed again.
      if record.key.way == .whole {
        wholes[point]?.figures.timing = figures.timing
        wholes[point]?.origin = record.timesOrigin
      }
    }
    return records.filter { $0.key.way.kind == .tiles }.map { record in
      let score = record.figures?.scores[MetricTraits.headline.id]
      let bytes = score.flatMap { curves[curve(of: record.key)]??.bytes(at: $0) }
      var whole = wholes[record.key.untiled(at: record.key.quality)]
      // Times from different processors are not compared.
      if let own = record.timesOrigin?.processor, let other = whole?.origin?.processor, own != other {
        whole?.figures.timing = Figures.untimed
      }
      var row = TileRow(record: record, whole: whole?.figures)
      row.matchedOverhead = bytes.flatMap { row.overhead(over: $0) }
      return row
    }
  }

  private static func curve(of key: Case) -> Case {
    var curve = key.untiled(at: nil)
    curve.libraries = ""
    return curve
  }

  /// - Parameter viewport: The size of the viewport in the middle of level 0 whose cost the viewport columns show.
  static func columns(of rows: [TileRow], viewport: PixelSize) -> [Column<TileRow>] {
    let further = MetricTraits.standard.filter { metric in
      metric.id != MetricTraits.headline.id && rows.contains { $0.figures?.scores[metric.id] != nil }
    }
    return picture + bytes + scores(MetricTraits.headline, decimals: 2)
      + [.number("encode_cpu_ms", "Encode CPU", unit: "ms", decimals: 2) { cpu($0.figures?.timing.encode) }]
      + costs(viewport) + [
        .number("whole_decode_cpu_ms", "Whole, decode CPU", unit: "ms", decimals: 2) {
          $0.figures == nil ? nil : cpu($0.whole?.timing.decode)
        }
      ] + (rows.unlikeProcessors.isEmpty ? [] : [.code("processor", "Processor") { $0.processor }]) + [
        .code("status", "Status") { $0.record.outcome.word },
        .text("error", "Remark") { $0.record.outcome.remark(\.remarks) },
      ] + further.flatMap { scores($0, decimals: $0.decimals) }
  }

  private static let picture: [Column<TileRow>] = [
    .code("image", "Image") { $0.record.key.image.name },
    .count("width", "Columns") { $0.tiles?.pyramid.width },
    .count("height", "Rows") { $0.tiles?.pyramid.height },
    .code("codec", "Codec") { $0.record.key.variant.codec },
    .code("settings", "Settings") { $0.settings.isEmpty ? nil : $0.settings },
    .code("build", "Build") { $0.record.key.variant.build ?? LibraryBuild.system },
    Column("quality", title: "Quality") { .numeral($0.record.key.quality.description) },
    .count("tile_size", "Tile", unit: "px") { $0.cut.tileSize },
    .count("overlap", "Overlap", unit: "px") { $0.cut.overlap },
    .count("levels", "Levels") { $0.tiles?.tiles.count },
    .count("tiles", "Tiles") { $0.tiles.map { $0.tiles.joined().count } },
  ]

  private static let bytes: [Column<TileRow>] = [
    .count("whole_bytes", "Whole", unit: "bytes") { $0.figures == nil ? nil : $0.whole?.encodedBytes },
    .count("level0_bytes", "Level 0", unit: "bytes") { $0.tiles?.bytes(ofLevel: 0) },
    .count("total_bytes", "All levels", unit: "bytes") { $0.figures?.encodedBytes },
    .change("overhead_percent", "Overhead", decimals: 2) { $0.overhead },
    .change("matched_overhead_percent", "At equal score", decimals: 2) { $0.matchedOverhead },
    .count("container_bytes", "Container", unit: "bytes") { $0.figures?.figures[.container] },
  ]

  private static func costs(_ viewport: PixelSize) -> [Column<TileRow>] {
    let cost = { @Sendable (row: TileRow) in
      row.tiles.map { tiles in
        let (width, height) = (tiles.pyramid.levels[0].width, tiles.pyramid.levels[0].height)
        let centre = PixelRegion.centred(
          width: viewport.width, height: viewport.height, inWidth: width, height: height)
        return ViewportCost.of(centre, level: 0, tiles)
      }
    }
    return [
      .count("viewport_tiles", "Viewport, tiles") { cost($0).map { Int($0.tiles) } },
      .count("viewport_bytes", "Viewport", unit: "bytes") { cost($0).map { Int($0.bytes) } },
      .number("viewport_cpu_ms", "Viewport, CPU", unit: "ms", decimals: 2) { cost($0)?.cpu },
      .number("viewport_peak_mib", "Viewport, memory", unit: "MiB", decimals: 2) {
        $0.figures?.mebibytes(.decodePeak)
      },
    ]
  }

  private static func scores(_ metric: MetricTraits, decimals: Int) -> [Column<TileRow>] {
    [
      .number("whole_\(metric.column)", "Whole, \(metric.title)", decimals: decimals) {
        $0.figures == nil ? nil : $0.whole?.scores[metric.id]
      },
      .number("level0_\(metric.column)", "Level 0, \(metric.title)", decimals: decimals) {
        $0.figures?.scores[metric.id]
      },
    ]
  }

  private static func cpu(_ samples: [TimingSample]?) -> Double? { samples?.leastCPU.map { $0 / 1e6 } }
}

extension [TileRow] {
  /// The cuts that count for judging tile sizes: those of one processor, or all if there is none.
  func judged(of processor: String?) -> [TileRow] {
    filter { $0.tiles != nil && $0.isJudged && (processor == nil || $0.processor == processor) }
  }

  /// The cuts by which tile sizes are compared: the same pictures at the same qualities. Calls that were stopped or had
  /// other options leave sizes without some of them. A size that has too few in common with the others is left out, so
  /// that a trial with one picture does not take the others away.
  var comparable: [TileRow] { grouped { "\($0.kind) \($0.cut.overlap)" }.flatMap(\.shared) }

  private var shared: [TileRow] {
    var (sizes, common): (Set<Int>, Set<Case>) = ([], [])
    for size in grouped(by: \.cut.tileSize).sorted(by: { $0.count > $1.count }) {
      let own = Set(size.map(\.untiled))
      let both = sizes.isEmpty ? own : common.intersection(own)
      guard both.count * (sizes.count + 1) >= common.count * sizes.count else { continue }
      sizes.insert(size[0].cut.tileSize)
      common = both
    }
    return filter { sizes.contains($0.cut.tileSize) && common.contains($0.untiled) }
  }

  /// The processors that timed cuts, the one with the most first; empty unless there are several.
  var unlikeProcessors: [String] {
    let counts = Dictionary(compactMap(\.processor).map { ($0, 1) }, uniquingKeysWith: +)
    return counts.count < 2 ? [] : counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}

extension Case {
  /// The variant that codes the tiles, with the grid setting for tiles in one file.
  var cutVariant: CodecVariant {
    guard cut.form == .grid else { return variant }
    let settings = variant.settings.merging(["grid": String(cut.tileSize)]) { $1 }
    return CodecVariant(codec: variant.codec, build: variant.build, settings: settings)
  }
}

extension Figures {
  func mebibytes(_ quantity: Quantity) -> Double? { figures[quantity].map { Double($0) / 1_048_576 } }
}

/// A report on a folder's cuts.
struct TileReport: Sendable {
  static let files = FeatureFiles(table: "tiles.csv", named: "tiles", charts: TileSummary.charts)

  let rows: [TileRow]
  private let view: PixelSize

  /// Reports cuts in this order, using points without tiles for comparison.
  init(_ records: [CaseRecord], view: PixelSize) { (rows, self.view) = (TileRow.all(records), view) }

  /// Reports the tiles of the last call on a store; nil if there were none.
  init?(of store: ResultStore) throws {
    guard let question = try store.tileScope(), let view = PixelSize(question.view) else { return nil }
    self.init(try store.tilings(question), view: view)
  }

  var feature: FeatureReport {
    let summary = TileSummary(rows, viewport: view)
    var report = FeatureReport(
      Self.files, title: "Tile costs", anchor: "tiles",
      answer: summary.answer, blocks: summary.blocks,
      table: StreamedTable(TileRow.columns(of: rows, viewport: view), rows))
    report.brief = [.list(summary.sentences)]
    return report
  }
}
