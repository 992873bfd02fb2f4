import GRDB
package import Model
import Pixels
import Synchronization

extension ResultStore: RecordSink {
  /// Commits a record before returning. It replaces an existing record of its case, but if the file is the same, scores
  /// of metrics outside the run are kept. Exclusive times are stored separately from those of the sweep.
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
  enum Status {
    static let measured = 0
    static let unsupported = 1
    static let failed = 2

    static func number<Value>(_ outcome: Outcome<Value>) -> Int {
      switch outcome {
      case .measured: measured
      case .unsupported: unsupported
      case .failed: failed
      }
    }
  }

  static func mark(
    _ key: Case, _ origin: PointOrigin, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws {
    let bit = [origin.member.rawValue.databaseValue]
    try db.cachedStatement(sql: "UPDATE result SET origin = origin | ? WHERE \(isCase)").execute(
      arguments: StatementArguments(bit + columns(key, &identifiers, db)))
  }

  static func put(_ record: ImageRecord, _ identifiers: inout StoreIdentifiers, _ db: Database) throws {
    let prepared = record.preparedFormat
    let arguments: StatementArguments = [
      try identifiers.image(record.identity, db), try identifiers.preparation(record.preparation, db),
      record.fileBytes, record.header?.format, record.header?.width, record.header?.height,
      record.header?.bitDepth, record.header?.layout.rawValue, record.header?.isLossy,
      record.preparedWidth, record.preparedHeight, prepared?.bitDepth, prepared?.layout.rawValue,
      record.preparedPixels, record.rawBytes, record.profile,
      record.steps.isEmpty ? nil : try StoredJSON.text(record.steps),
      record.problem?.kind.rawValue, record.problem?.message,
    ]
    let sql = "INSERT OR REPLACE INTO prepared VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
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
    // Earlier reasons for measuring it remain valid.
    let earlier = try Int.fetchOne(
      db.cachedStatement(sql: "SELECT origin FROM result WHERE \(isCase)"), arguments: StatementArguments(key)
    )
    let origin = (earlier ?? 0) | record.origin.member.rawValue
    var columns = [keyColumns, "run", "origin"]
    var values = key + [active?.id.databaseValue ?? .null, origin.databaseValue]
    let figures = record.figures
    for field in StoredField.all {
      guard let written = try field.write(record, figures, active?.manifest) else { continue }
      columns += field.columns
      values += written
    }
    if let figures {
      let scores =
        try scores(figures, active?.manifest, &identifiers, db) + otherScores(of: figures, key, active, db)
      columns += scores.map(\.column)
      values += scores.map(\.value)
    }
    let marks = values.map { _ in "?" }.joined(separator: ",")
    let sql = "INSERT OR REPLACE INTO result(\(columns.joined(separator: ", "))) VALUES (\(marks))"
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
  }

  private typealias Score = (column: String, value: DatabaseValue)

  private static func scores(
    _ figures: Figures, _ manifest: RunManifest?, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws -> [Score] {
    // Registered even without a score, so that readers find its failures.
    for metric in figures.failedScores.keys {
      _ = try identifiers.metric(StoredMetric.storedName(metric, in: manifest), db)
    }
    return try figures.scores.sorted { $0.key < $1.key }.map { metric, score in
      let number = try identifiers.metric(StoredMetric.storedName(metric, in: manifest), db)
      return ("score_\(number)", score.databaseValue)
    }
  }

  /// The result of another way than a point, which takes the last place in the order of arrival.
  private static func put(_ record: CaseRecord, _ key: [DatabaseValue], _ db: Database) throws {
    var record = record
    if case .measured(var figures) = record.outcome, let earlier = try earlier(record, key, db) {
      figures.keepScores(of: earlier)
      record.outcome = .measured(figures)
    }
    let columns = StoredResult.written.joined(separator: ", ")
    let sql = """
      INSERT OR REPLACE INTO result(\(keyColumns), \(columns), sequence) VALUES (?,?,?,?,?,?,?,?,
        (SELECT coalesce(max(sequence), 0) + 1 FROM result WHERE sequence IS NOT NULL))
      """
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(key + StoredResult.values(record)))
  }

  /// The stored figures of the same case and file.
  private static func earlier(
    _ record: CaseRecord, _ key: [DatabaseValue], _ db: Database
  ) throws -> Figures? {
    let sql = "SELECT \(StoredResult.written.joined(separator: ", ")) FROM result WHERE \(isCase)"
    let earlier = try db.map(sql, StatementArguments(key)) { row in
      try StoredResult.record(row, record.key, from: 0)
    }.first
    return earlier?.fileHash == record.fileHash ? earlier?.figures : nil
  }

  /// Stored scores of a point, by column, that the run does not compute and that remain valid because the bytes are
  /// the same. A score that the run computes but lacks has failed, and is dropped.
  private static func otherScores(
    of measurement: Figures, _ key: [DatabaseValue], _ run: ActiveRun?, _ db: Database
  ) throws -> [Score] {
    guard let run else { return [] }
    let written = Set(measurement.scores.keys.map { StoredMetric.storedName($0, in: run.manifest) })
    let others = try StoreDictionary.metrics(db).filter {
      !run.metrics.contains($0.stored) && !written.contains($0.stored)
    }
    guard !others.isEmpty else { return [] }
    let sql = """
      SELECT \(others.map(\.column).joined(separator: ", ")) FROM result
      WHERE \(isCase) AND status = \(Status.measured) AND bytes = ? AND hash = ?
      """
    let file: [DatabaseValue] = [
      measurement.encodedBytes.databaseValue, StoredHash.value(measurement.encodedHash),
    ]
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(sql: sql), arguments: StatementArguments(key + file))
    else { return [] }
    return others.enumerated().compactMap { index, metric in
      let score: DatabaseValue = row[index]
      return score.isNull ? nil : (metric.column, score)
    }
  }

  static let keyColumns = "image, way, setup, quality"
  static let isCase = "image = ? AND way = ? AND setup = ? AND quality = ?"

  /// The values of `keyColumns`.
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
