import GRDB
package import Model
import Pixels
import Synchronization

extension ResultStore: RecordSink {
  /// Commits a record before returning. It replaces an existing record of the same case, but keeps scores of metrics
  /// outside the run if the file is the same. Exclusive times are stored separately from the sweep's times.
  package func append(_ record: SweepRecord) throws(StoreError) {
    let run = activeRun.withLock { $0 }
    try write { db in
      try identifiers.withLock { identifiers in
        switch record {
        case .image(let image): try StoreWriter.put(image, &identifiers, db)
        case .point(let point):
          try StoreWriter.put(point, run: run, &identifiers, db)
          // Earlier times belong to a measurement that is being discarded.
          if options.fresh, point.key.way == .point {
            try StoreWriter.dropTimes(of: point.key, &identifiers, db)
          }
        case .timing(let key, let timing):
          try StoreWriter.put(timing, of: key, run: run?.id, &identifiers, db)
        case .reuse(let key, let origin): try StoreWriter.mark(key, origin, &identifiers, db)
        }
      }
    }
  }
}

enum StoreWriter {
  static func mark(
    _ key: Case, _ origin: PointOrigin, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws {
    let bit = [origin.member.rawValue.databaseValue]
    try db.cachedStatement(sql: "UPDATE result SET origin = origin | ? WHERE \(StoredResult.isCase)").execute(
      arguments: StatementArguments(values: bit + columns(key, &identifiers, db)))
  }

  static func put(_ record: ImageRecord, _ identifiers: inout StoreIdentifiers, _ db: Database) throws {
    var values = [
      try identifiers.image(record.identity, db).databaseValue,
      try identifiers.preparation(record.preparation, db).databaseValue,
    ]
    for field in PreparedFields.all { values += try field.values(record) }
    let sql = record.problem == nil ? putPrepared : putProblem
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values: values))
  }

  private static let putPrepared = put { "excluded.\($0)" }
  /// Keeps what is known of an image that could be used within other limits, since its points remain.
  private static let putProblem = put { "coalesce(excluded.\($0), \($0))" }

  private static func put(_ value: (_ column: String) -> String) -> String {
    let columns = ["image", "preparation"] + PreparedFields.columns
    return "INSERT INTO prepared(\(columns.joined(separator: ", "))) "
      + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) "
      + "ON CONFLICT(image, preparation) DO UPDATE SET "
      + PreparedFields.columns.map { "\($0) = \(value($0))" }.joined(separator: ", ")
  }

  static func put(
    _ timing: TimingSeries, of key: Case, run: Int64?, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws {
    let (image, setup) = try numbers(key, &identifiers, db)
    let sql = """
      INSERT OR REPLACE INTO timing(image, setup, quality, conditions, samples, run) VALUES (?,?,?,?,?,?)
      """
    try db.cachedStatement(sql: sql).execute(
      arguments: [
        image, setup, key.quality.thousandths, StoredTiming.number(timing.conditions),
        StoredTiming.blob(timing), run,
      ])
  }

  static func dropTimes(
    of key: Case, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws {
    let (image, setup) = try numbers(key, &identifiers, db)
    try db.cachedStatement(sql: "DELETE FROM timing WHERE image = ? AND setup = ? AND quality = ?").execute(
      arguments: [image, setup, key.quality.thousandths])
  }

  static func put(
    _ record: CaseRecord, run active: ActiveRun?, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws {
    let key = try columns(record.key, &identifiers, db)
    guard record.key.way == .point else { return try put(record, key, db) }
    let (figures, manifest) = (record.figures, active?.manifest)
    let scores = Dictionary(
      (figures?.scores ?? [:]).map { (StoredMetric.storedName($0.key, in: manifest), $0.value) },
      uniquingKeysWith: { first, _ in first })
    // Registered even without a score, so that readers find its failures.
    let failed = (figures?.failedScores ?? [:]).keys.map { StoredMetric.storedName($0, in: manifest) }
    let metrics = try identifiers.metrics(with: failed.sorted() + scores.keys.sorted(), db)
    let earlier = try Row.fetchOne(
      db.cachedStatement(sql: metrics.select), arguments: StatementArguments(values: key))
    // Earlier reasons for measuring the point remain valid.
    let origin = (earlier?[0] ?? 0) | record.origin.member.rawValue
    var values = key + [active?.id.databaseValue ?? .null, origin.databaseValue]
    let point = PointFields.Point(record: record, manifest: manifest)
    for field in PointFields.all { values += try field.values(point) }
    let isSameFile = figures.map { Self.isFile(of: earlier, $0) } ?? false
    for (index, metric) in metrics.all.enumerated() {
      // If the run computes this metric but has no score, scoring failed, so the old score is dropped.
      let isKept = isSameFile && active.map { !$0.metrics.contains(metric.stored) } ?? false
      values.append(scores[metric.stored]?.databaseValue ?? (isKept ? earlier?[index + 3] : nil) ?? .null)
    }
    try db.cachedStatement(sql: metrics.insert).execute(arguments: StatementArguments(values: values))
  }

  /// True if an earlier row from `StoredMetrics.select` has the same bytes, so its scores remain valid.
  private static func isFile(of earlier: Row?, _ figures: Figures) -> Bool {
    earlier?[1] == figures.encodedBytes.databaseValue
      && earlier?[2] == StoredHash.value(figures.encodedHash)
  }

  /// Stores the result of a way other than a point, last in the order of arrival.
  private static func put(_ record: CaseRecord, _ key: [DatabaseValue], _ db: Database) throws {
    let columns = StoredResult.written.joined(separator: ", ")
    var record = record
    if record.figures != nil {
      let sql = "SELECT \(columns) FROM result WHERE \(StoredResult.isCase)"
      let earlier = try db.map(sql, StatementArguments(values: key)) {
        try StoredResult.record($0, record.key, from: 0)
      }
      record = earlier.first.map(record.keepingScores) ?? record
    }
    let sql = """
      INSERT OR REPLACE INTO result(\(StoredResult.keyColumns), \(columns), sequence) VALUES (?,?,?,?,?,?,?,?,
        (SELECT coalesce(max(sequence), 0) + 1 FROM result WHERE sequence IS NOT NULL))
      """
    try db.cachedStatement(sql: sql).execute(
      arguments: StatementArguments(values: key + StoredResult.values(record)))
  }

  /// The values of `StoredResult.keyColumns`.
  static func columns(
    _ key: Case, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws -> [DatabaseValue] {
    let (image, setup) = try numbers(key, &identifiers, db)
    return [
      image.databaseValue, key.way.description.databaseValue, setup.databaseValue,
      (key.encodedAt?.thousandths ?? -1).databaseValue,
    ]
  }

  private static func numbers(
    _ key: Case, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws -> (image: Int64, setup: Int64) {
    let setup = StoreSetup(preparation: key.preparation, variant: key.variant, libraries: key.libraries)
    return (try identifiers.image(key.image, db), try identifiers.setup(setup, db))
  }
}
