import GRDB
import Metrics
package import Model

extension ResultStore {
  /// Each variant at each grid quality over the run's images, in plan order, aggregated by the database for stores with
  /// too many rows to iterate over. Failed and unsupported points are counted, but sums exclude them.
  ///
  /// Unlike in an analysis of the rows, mean scores include infinite ones, and there are no wall times.
  /// - Parameter reference: The variant that sizes are compared with; nil for the run's first.
  package func qualitySummaries(
    of run: RunID, against reference: CodecVariant? = nil
  ) throws(StoreError) -> [QualitySummary] {
    try read { db in
      guard let view = try RunView(run, db) else { return [] }
      let metrics = try view.metrics(db)
      let compared = reference ?? view.manifest.variants.first?.variant
      let setup =
        view.setupOrders.filter { view.variant($0.key) == compared }
        .min { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
      let isOneProcessor = try view.processors(db).count < 2
      let sums = Self.sums(timedHere: isOneProcessor ? view.timedHereCondition : "0")
      db.add(function: Self.medianCPU)
      let sql = """
        SELECT p.setup, p.quality, sum(p.status = 0), sum(p.status = 1), sum(p.status = 2),
          \(sums.map { "total(CASE WHEN p.status = 0 THEN \($0) END)" }.joined(separator: ", ")),
          total(CASE WHEN p.status = 0 AND r.pixels > 0 THEN p.bytes END) * 8.0
            / total(CASE WHEN p.status = 0 AND r.pixels > 0 THEN r.pixels END),
          max(p.peak_memory)\
        \(metrics.map { ", " + Self.mean(of: $0) }.joined())
        FROM list_image l LEFT JOIN prepared r ON r.image = l.image
          AND r.preparation = (SELECT id FROM preparation WHERE spelling = ?)
        JOIN result p ON p.image = l.image AND \(view.gridCondition)
        LEFT JOIN timing t ON t.image = l.image AND t.setup = p.setup AND t.quality = p.quality
          AND \(view.exclusivelyTimedHereCondition)
        LEFT JOIN result f ON f.image = l.image AND f.way = '' AND f.setup = ? AND f.quality = p.quality AND f.status = 0
        WHERE l.list = ? AND l.position IN (\(Self.firstOfCopies(in: view)))
        GROUP BY p.setup, p.quality
        """
      var summaries: [(order: Int, summary: QualitySummary)] = []
      try db.forEach(sql, [view.preparation, setup, view.list, view.list]) { row in
        let setup = try row.number(of: 0)
        guard let variant = view.variant(setup), let order = view.setupOrders[setup] else { return }
        summaries.append((order, try Self.summary(row, variant, metrics)))
      }
      // Qualities of earlier runs may cover only some images, and sums over different images would mislead.
      let images = try Self.usableImages(of: view, withCopies: false, db)
      summaries.removeAll { !view.isPlanned($0.summary.quality) && $0.summary.points < images }
      return summaries.sorted { ($0.order, $0.summary.quality) < ($1.order, $1.summary.quality) }.map(
        \.summary)
    }
  }

  /// The positions of images that are no copies of earlier ones with results, as in reports of all rows.
  private static func firstOfCopies(in view: RunView) -> String {
    """
    SELECT min(o.position) FROM list_image o JOIN image i ON i.id = o.image
    WHERE o.list = ? AND EXISTS (SELECT 1 FROM result p WHERE p.image = o.image AND \(view.setupCondition))
    GROUP BY iif(i.hash = '', i.name, i.hash)
    """
  }

  /// The processors that timed a run's points, except those of foreign hosts, whose times are left out.
  package func processors(of run: RunID) throws(StoreError) -> Set<String> {
    try read { db in try RunView(run, db)?.processors(db) ?? [] }
  }

  /// The cost of the measured points of a run, image by image.
  package func cost(of run: RunID) throws(StoreError) -> RunCost {
    try read { db in
      guard let view = try RunView(run, db) else { return RunCost() }
      let sql = """
        SELECT r.width * r.height,
          total((p.encode_cpu + p.decode_cpu) * \(view.manifest.repeats) + coalesce(p.scoring_cpu, 0)) / 1e9
        FROM list_image l JOIN prepared r ON r.image = l.image
          AND r.preparation = (SELECT id FROM preparation WHERE spelling = ?)
        JOIN result p ON p.image = l.image AND p.status = 0 AND \(view.setupCondition)
        WHERE l.list = ? GROUP BY l.position
        """
      let pages = try Int.fetchOne(
        db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
      return RunCost(
        images: try db.map(sql, [view.preparation, view.list]) { row in
          (pixels: try row.integer(0) ?? 0, seconds: try row.number(1) ?? 0)
        }, processors: try view.processors(db), storeBytes: pages ?? 0)
    }
  }

  /// Sums over measured points in `summary`'s order. Numerators and denominators of ratios cover the same points.
  private static func sums(timedHere: String) -> [String] {
    let timedHere = timedHere == "0" ? timedHere : "(t.samples IS NOT NULL OR \(timedHere))"
    // Most points have no exclusive pass, and a call of a function takes longer than the rest of a point.
    func exclusively(_ operation: String) -> String {
      let swept = "p.\(operation)_cpu"
      return "iif(t.samples IS NULL, \(swept), coalesce(median_cpu(t.samples, '\(operation)'), \(swept)))"
    }
    return [
      "p.bytes", "r.pixels", "iif(r.raw_bytes > 0, p.bytes, 0)", "r.raw_bytes",
      "iif(f.bytes > 0, p.bytes, 0)", "f.bytes",
      "iif(r.pixels > 0 AND \(timedHere), \(exclusively("encode")), 0)",
      "iif(r.pixels > 0 AND \(timedHere), \(exclusively("decode")), 0)",
      "iif(\(timedHere), r.pixels, 0)",
    ]
  }

  /// The median CPU time of an operation in a blob of repeats, nanoseconds: the exclusive pass's times count instead of
  /// the sweep's, as in rows.
  private static var medianCPU: DatabaseFunction {
    DatabaseFunction("median_cpu", argumentCount: 2, pure: true) { values in
      guard case .blob(let blob) = values[0].storage, case .string(let operation) = values[1].storage,
        let series = StoredTiming.series(blob, conditions: .exclusive)
      else { return nil }
      return PointFields.median(operation == "encode" ? series.encode : series.decode, .cpu)
    }
  }

  /// The mean of a metric's scores below its cap, which only marks equal images; the maximum if no score is below it.
  private static func mean(of metric: StoredMetric) -> String {
    let column = "p.\(metric.column)"
    guard let cap = MetricTraits.rules(of: metric.name)?.cap else { return "avg(\(column))" }
    return "coalesce(avg(CASE WHEN \(column) < \(cap) THEN \(column) END), max(\(column)))"
  }

  private static func summary(
    _ row: CurrentRow, _ variant: CodecVariant, _ metrics: [StoredMetric]
  ) throws -> QualitySummary {
    guard let quality = Quality(thousandths: try row.count(1)) else {
      throw StoredValueError(column: 1)
    }
    var summary = QualitySummary(variant: variant, quality: quality)
    summary.images = try row.integer(2) ?? 0
    summary.unsupported = try row.integer(3) ?? 0
    summary.failed = try row.integer(4) ?? 0
    summary.totalBytes = Int(clamping: try row.number(5))
    summary.totalPixels = Int(clamping: try row.number(6))
    summary.compressionRatio = ratio(try row.number(8), try row.number(7))
    summary.percentOfReference = ratio(try row.number(9), try row.number(10)).map { $0 * 100 }
    // Nanoseconds per pixel are milliseconds per megapixel.
    let pixels = try row.number(13) ?? 0
    summary.millisecondsPerMegapixel[TimedCall(.encode, .cpu)] = ratio(try row.number(11), pixels)
    summary.millisecondsPerMegapixel[TimedCall(.decode, .cpu)] = ratio(try row.number(12), pixels)
    summary.meanBitsPerPixel = try row.number(14)
    summary.peakMemoryMiB = try row.integer(15).map { Double($0) / 1_048_576 }
    for (index, metric) in metrics.enumerated() {
      summary.meanScores[metric.name] = try row.number(16 + index)
    }
    return summary
  }

  private static func ratio(_ numerator: Double?, _ denominator: Double?) -> Double? {
    guard let numerator, let denominator, denominator > 0 else { return nil }
    return numerator / denominator
  }
}

/// The cost of a run's measured points.
package struct RunCost: Sendable {
  /// Pixels of each image's file, and CPU seconds of its encodes, decodes and scores.
  package var images: [(pixels: Int, seconds: Double)] = []
  /// The processors that measured the run's times.
  package var processors: Set<String> = []
  package var storeBytes = 0

  package init(
    images: [(pixels: Int, seconds: Double)] = [], processors: Set<String> = [], storeBytes: Int = 0
  ) {
    (self.images, self.processors, self.storeBytes) = (images, processors, storeBytes)
  }
}

extension Int {
  /// Rounds a sum, which the database computes as a real number to avoid overflow.
  fileprivate init(clamping sum: Double?) {
    self = sum.map { Int(exactly: $0.rounded()) ?? ($0 < 0 ? .min : .max) } ?? 0
  }
}

/// One variant at one quality over all images measured there. Sums exclude failed points.
package struct QualitySummary: Sendable, Hashable {
  package var variant: CodecVariant
  package var quality: Quality
  package var images: Int = 0
  package var failed: Int = 0
  package var unsupported: Int = 0
  package var totalBytes: Int = 0
  package var totalPixels: Int = 0
  /// Total bits over total pixels, excluding images of unknown size. Not the mean of the images' own figures, which a
  /// single icon of a few pixels could dominate.
  package var meanBitsPerPixel: Double?
  package var compressionRatio: Double?
  /// Size in percent of the reference's at the same quality number, over the images that have both: 140 means 40 %
  /// larger. Not a comparison at equal quality.
  package var percentOfReference: Double?
  /// The processor of the times; nil if all times of the run come from one processor.
  package var processor: String?
  /// Milliseconds per megapixel: total time over total pixels, from medians of the repeats. For wall times see
  /// `Analysis.timesAreContended`.
  package var millisecondsPerMegapixel = OrdinalTable<TimedCall, Double>()
  package var peakMemoryMiB: Double?
  /// Mean score by metric identifier, over the images with a finite score.
  package var meanScores: [String: Double] = [:]
  /// Means of `Quantity.ofGainMaps` over the images, in display units; empty for variants without gain maps.
  package var gainMaps = OrdinalTable<Quantity, Double>()

  package var points: Int { images + failed + unsupported }

  package init(variant: CodecVariant, quality: Quality) {
    self.variant = variant
    self.quality = quality
  }
}
