import GRDB
import Model

/// The inputs of a measurement other than image and quality.
struct StoreSetup: Sendable, Hashable {
  /// `Preparation.canonicalSpelling`.
  var preparation: String
  var variant: CodecVariant
  var libraries: String
}

/// The row numbers of images, setups and metrics, found or created on demand. Used only inside transactions of the
/// writing connection, and discarded when one is rolled back.
struct StoreIdentifiers {
  private var images: [ImageIdentity: Int64] = [:]
  private var preparations: [String: Int64] = [:]
  private var setups: [StoreSetup: Int64] = [:]
  private var metrics: StoredMetrics?

  /// Points come image by image, so remembering a few images is enough.
  private static let rememberedImages = 4096

  mutating func image(_ identity: ImageIdentity, _ db: Database) throws -> Int64 {
    if let id = images[identity] { return id }
    let id = try Self.image(identity, db) ?? Self.newImage(identity, db)
    if images.count >= Self.rememberedImages { images.removeAll(keepingCapacity: true) }
    images[identity] = id
    return id
  }

  /// The row number of an image by its name in any Unicode spelling; nil if the store does not have the image.
  static func image(_ identity: ImageIdentity, _ db: Database) throws -> Int64? {
    let values = StatementArguments([identity.name.databaseValue, StoredHash.value(identity.contentHash)])
    let exact = try db.cachedStatement(sql: "SELECT id FROM image WHERE name = ? AND hash = ?")
    if let id = try Int64.fetchOne(exact, arguments: values) { return id }
    guard identity.name.utf8.contains(where: { $0 > 0x7F }) else { return nil }
    let sql = """
      SELECT min(id) FROM image
      WHERE \(StoreSchema.hasSpellings("name")) AND name = ? COLLATE \(StoreSchema.sameName) AND hash = ?
      """
    return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: values)
  }

  private static func newImage(_ identity: ImageIdentity, _ db: Database) throws -> Int64 {
    try db.cachedStatement(sql: "INSERT INTO image(name, hash) VALUES (?, ?)").execute(
      arguments: [identity.name.databaseValue, StoredHash.value(identity.contentHash)])
    return db.lastInsertedRowID
  }

  mutating func preparation(_ spelling: String, _ db: Database) throws -> Int64 {
    if let id = preparations[spelling] { return id }
    let id = try Self.findOrMake(
      db, find: "SELECT id FROM preparation WHERE spelling = ?",
      make: "INSERT INTO preparation(spelling) VALUES (?)", [spelling.databaseValue])
    preparations[spelling] = id
    return id
  }

  mutating func setup(_ setup: StoreSetup, _ db: Database) throws -> Int64 {
    if let id = setups[setup] { return id }
    let id = try Self.findOrMake(
      db,
      find:
        "SELECT id FROM setup WHERE preparation = ? AND codec = ? AND build = ? AND settings = ? AND libraries = ?",
      make: "INSERT INTO setup(preparation, codec, build, settings, libraries) VALUES (?, ?, ?, ?, ?)",
      [
        try preparation(setup.preparation, db).databaseValue, setup.variant.codec.databaseValue,
        (setup.variant.build ?? "").databaseValue,
        try StoredJSON.text(setup.variant.settings).databaseValue, setup.libraries.databaseValue,
      ])
    setups[setup] = id
    return id
  }

  /// The store's metrics, after adding those with these stored names. A metric's number names its score column:
  /// `score_N`.
  mutating func metrics(with names: some Sequence<String>, _ db: Database) throws -> StoredMetrics {
    let known = try metrics ?? StoredMetrics(StoreDictionary.metrics(db))
    var all = known.all
    for name in names where !all.contains(where: { $0.stored == name }) {
      try db.execute(sql: "INSERT INTO metric(name) VALUES (?)", arguments: [name])
      let column = "score_\(db.lastInsertedRowID)"
      try db.execute(sql: "ALTER TABLE result ADD COLUMN \(column) REAL")
      all.append(StoredMetric(name: name, stored: name, column: column))
    }
    let metrics = all.count == known.all.count ? known : StoredMetrics(all)
    self.metrics = metrics
    return metrics
  }

  private static func findOrMake(
    _ db: Database, find: String, make: String, _ values: [DatabaseValue]
  ) throws -> Int64 {
    let arguments = StatementArguments(values: values)
    if let id = try Int64.fetchOne(db.cachedStatement(sql: find), arguments: arguments) { return id }
    try db.cachedStatement(sql: make).execute(arguments: arguments)
    return db.lastInsertedRowID
  }
}

struct StoreDictionary {
  var setups: [Int64: StoreSetup] = [:]
  var metrics: [StoredMetric] = []

  init(_ db: Database) throws {
    let sql = """
      SELECT s.id, p.spelling, s.libraries, s.codec, s.build, s.settings
      FROM setup s JOIN preparation p ON p.id = s.preparation
      """
    try db.forEach(sql) { row in
      setups[try row.number(of: 0)] = StoreSetup(
        preparation: try row.string(1), variant: try CodecVariant(row, 3), libraries: try row.string(2))
    }
    metrics = try Self.metrics(db)
  }

  static func metrics(_ db: Database) throws -> [StoredMetric] {
    try db.map("SELECT id, name FROM metric ORDER BY id") { row in
      let name = try row.string(1)
      return StoredMetric(name: name, stored: name, column: "score_\(try row.count(0))")
    }
  }
}

extension CodecVariant {
  /// The variant of codec, build (empty for the system's) and settings (a JSON object) from a column on.
  init(_ row: CurrentRow, _ column: Int) throws {
    let build = try row.string(column + 1)
    self.init(
      codec: try row.string(column), build: build.isEmpty ? nil : build,
      settings: try StoredJSON.value([String: String].self, row.string(column + 2)))
  }
}
