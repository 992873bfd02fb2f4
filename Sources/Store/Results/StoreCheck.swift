import GRDB
import Model

/// Validation of a store before use: it may be damaged, or come from a stranger.
///
/// The database checks numbers by itself; only blobs and JSON, which it cannot interpret, are read here.
enum StoreCheck {
  /// Throws `StoreError.damaged` for anything that would break a reader of the store, attached as `schema`.
  static func run(_ db: Database, schema: String = "main", path: String) throws {
    try ResultStore.translating(path) {
      do {
        try refuseForeignObjects(db, schema, path)
        let verdict = try String.fetchOne(db, sql: "PRAGMA \(schema).quick_check(1)")
        if let verdict, verdict != "ok" { throw StoreError.damaged(path: path, reason: verdict) }
        try checkNumbers(db, schema, path)
        try checkTexts(db, schema, path)
        do { try StoredResult.check(db, schema: schema) } catch is StoredValueError {
          throw StoreError.damaged(path: path, reason: "a row of “result” has impossible values")
        }
      } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY {
        throw StoreError.damaged(path: path, reason: error.message ?? "\(error.resultCode)")
      }
    }
  }

  /// heicbench creates no views or triggers, and foreign ones could do anything when read.
  private static func refuseForeignObjects(_ db: Database, _ schema: String, _ path: String) throws {
    let sql = "SELECT name FROM \(schema).sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1"
    guard let name = try String.fetchOne(db, sql: sql) else { return }
    throw StoreError.damaged(
      path: path, reason: "it contains “\(name.prefix(40))”, which heicbench did not create")
  }

  /// The permitted values of each table as SQL conditions, which allow NULL in nullable columns.
  private static let conditions: [(table: String, hold: [String])] = [
    (
      "run",
      [
        StoreCondition.whole("id", 1), StoreCondition.text("manifest"), StoreCondition.text("uid"),
        StoreCondition.text("host"), StoreCondition.whole("list", 0),
      ]
    ),
    (
      "list_image",
      [
        StoreCondition.whole("list", 0), StoreCondition.whole("position", 0),
        StoreCondition.whole("image", 1),
      ]
    ),
    (
      "image",
      [
        StoreCondition.whole("id", 1), StoreCondition.text("name"),
        "typeof(hash) IN ('blob', 'text') AND length(hash) <= 64",
      ]
    ),
    ("preparation", [StoreCondition.text("spelling")]),
    (
      "setup",
      ["codec", "build", "settings", "libraries"].map(StoreCondition.text)
        + ["json_valid(settings)", "json_type(settings) = 'object'"]
    ),
    ("metric", [StoreCondition.whole("id", 1), StoreCondition.text("name")]),
    ("prepared", PreparedFields.all.flatMap(\.holds)),
    (
      "result",
      [
        StoreCondition.whole("image", 1), StoreCondition.whole("setup", 1),
        StoreCondition.whole("quality", -1, 1000),
        StoreCondition.optional("run", StoreCondition.whole("run", 1)),
        """
        CASE way WHEN '' THEN quality >= 0 AND sequence IS NULL AND detail IS NULL
          ELSE \(StoreCondition.text("way")) AND \(StoreCondition.whole("sequence", 1, 1 << 53)) AND typeof(detail) = 'text'
            AND length(detail) <= \(StoreCondition.longestDetail) AND json_valid(detail) END
        """,
      ] + PointFields.all.flatMap(\.holds)
        // A single condition, since there are millions of points.
        + [
          "(status <> \(ResultRow.Status.measured.number) OR way <> '' OR "
            + PointFields.all.flatMap(\.holdsMeasured).joined(separator: " AND ") + ")"
        ]
    ),
    ("question", [StoreCondition.text("subject"), StoreCondition.text("text")]),
    (
      "timing",
      [
        StoreCondition.whole("quality", 0, 1000), StoreCondition.whole("conditions", 0, 2),
        "typeof(samples) = 'blob'",
      ]
    ),
  ]

  private static func checkNumbers(_ db: Database, _ schema: String, _ path: String) throws {
    let columns = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info('result', ?)", arguments: [schema])
    let scores = columns.filter { $0.wholeMatch(of: /score_[0-9]+/) != nil }
    let further = [
      // Texts and blobs compare greater than any number, unless column affinity converts the number to text, which the
      // unary plus prevents.
      "result": scores.map { StoreCondition.optional($0, "+\($0) <= 9e999") },
      "metric": ["'score_' || id IN (SELECT name FROM pragma_table_info('result', '\(schema)'))"],
    ]
    for (table, hold) in conditions {
      let holds = (hold + further[table, default: []]).joined(separator: " AND ")
      let sql = "SELECT 1 FROM \(schema).\(table) WHERE (\(holds)) IS NOT TRUE LIMIT 1"
      guard try Int.fetchOne(db, sql: sql) == nil else {
        throw StoreError.damaged(
          path: path, reason: "a row of “\(table)” has values that heicbench never writes")
      }
    }
  }

  private static func checkTexts(_ db: Database, _ schema: String, _ path: String) throws {
    for text in try String.fetchAll(db, sql: "SELECT manifest FROM \(schema).run") {
      _ = try StoredManifest.value(text)
    }
    for text in try String.fetchAll(db, sql: "SELECT settings FROM \(schema).setup") {
      _ = try StoredJSON.value([String: String].self, text)
    }
    for sql in [
      "SELECT message FROM \(schema).result WHERE way = '' AND status = 0 AND message IS NOT NULL",
      "SELECT steps FROM \(schema).prepared WHERE steps IS NOT NULL GROUP BY steps",
    ] {
      let rows = try String.fetchCursor(db, sql: sql)
      while let text = try rows.next() { _ = try StoredJSON.value([String].self, text) }
    }
    for times in ["result WHERE way = '' AND", "timing WHERE"] {
      try db.forEach("SELECT conditions, samples FROM \(schema).\(times) samples IS NOT NULL") { row in
        guard (try? StoredTiming.series(row, 0, 1)) != nil else {
          throw StoreError.damaged(path: path, reason: "the times of an encode cannot be read")
        }
      }
    }
  }
}
