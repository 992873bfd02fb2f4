import Foundation
import GRDB
package import Model
import Synchronization

extension ResultStore {
  /// Keeps a read: it is committed when this returns. One that is there already is replaced.
  /// - Parameter preparation: how pictures were prepared for codecs, canonically spelled.
  package func append(_ record: ReadRecord, preparation: String) throws(StoreError) {
    try write { db in
      let image = try identifiers.withLock { try $0.image(record.key.image, db) }
      let source = try StoredRead.source(of: record, preparation, db)
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO reading(image, source, route, wanted, status, conditions, outcome, origin)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(
        arguments: [
          image, source, record.key.route.rawValue, record.key.wanted.description,
          StoreWriter.Status.number(record.outcome), StoredTiming.number(record.conditions),
          try StoredJSON.scoredText(record.outcome), try record.origin.map { try StoredJSON.text($0) },
        ])
    }
  }

  /// What need not be read again: what was measured, or what is not possible, and what failed unless it is to be
  /// tried again.
  /// - Parameters:
  ///   - preparation: how pictures are prepared for codecs, canonically spelled.
  ///   - alone: whether only times count that were taken with nothing beside.
  package func finishedReads(preparation: String, alone: Bool) throws(StoreError) -> Set<ReadKey> {
    guard !options.fresh else { return [] }
    let failed = options.retryFailed
    return try read { db in
      var keys: Set<ReadKey> = []
      try StoredRead.forEach(db) { stored in
        guard stored.preparation.isEmpty || stored.preparation == preparation else { return }
        switch stored.record.outcome {
        case .measured where alone && stored.record.conditions == .contended: return
        case .failed where failed: return
        default: keys.insert(stored.record.key)
        }
      }
      return keys
    }
  }

  /// Brings the reads and tiles of other stores, which have nothing else, into this one. What is here stands, unless it
  /// failed here and was measured there.
  package func mergeCosts(_ folders: [String]) throws(StoreError) {
    for folder in folders {
      let source = try ResultStore(reading: folder)
      let (reads, tiles) = (try source.reads(), try source.tileQuestion())
      guard !reads.isEmpty || tiles != nil else {
        throw .unmergeable(path: source.path, reason: "it has neither runs nor reads nor tiles")
      }
      try Self.translating(path) {
        try database.writeWithoutTransaction { db in
          var report = MergeReport(run: RunID(rawValue: 0))
          _ = try StoreMerger(path: source.path, here: path).run(db, &report)
        }
      }
    }
  }

  /// All reads by the names of their images, of each the one that came last, whatever the libraries and the image's
  /// content were before. Pictures that are gone are left out.
  package func reads() throws(StoreError) -> [ReadRecord] {
    var records: [ReadRecord] = []
    var walk = ReadWalk(gone: try read(Self.goneFromReads))
    while let some = try next(&walk) { records += some }
    return records
  }

  /// Hands out the same reads one after the other; memory stays flat, and `body` may use the store.
  /// - Throws: `StoreError`, or what `body` throws.
  package func forEachRead(_ body: (ReadRecord) throws -> Void) throws {
    var walk = ReadWalk(gone: try read(Self.goneFromReads))
    while let some = try next(&walk) { try some.forEach(body) }
  }

  /// Whether there are any.
  package func hasReads() throws(StoreError) -> Bool {
    var walk = ReadWalk(gone: try read(Self.goneFromReads))
    while let some = try next(&walk) { if !some.isEmpty { return true } }
    return false
  }

  /// How far a walk through all reads has come.
  private struct ReadWalk {
    /// How many names are read at a time.
    static let batch = 64
    /// Names of pictures that are left out.
    let gone: Set<String>
    /// The name that was last.
    var last: String?
  }

  /// The reads of the next names, in their order; nil at the end.
  private func next(_ walk: inout ReadWalk) throws(StoreError) -> [ReadRecord]? {
    let (last, gone) = (walk.last, walk.gone)
    let names = try read { db in
      try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT DISTINCT name FROM image i WHERE name \(last == nil ? ">=" : ">") ?
              AND EXISTS (SELECT 1 FROM reading r WHERE r.image = i.id) ORDER BY name LIMIT ?
            """), arguments: [last ?? "", ReadWalk.batch])
    }
    guard let first = names.first, let end = names.last else { return nil }
    walk.last = end
    return try read { db in
      var places: [StoredRead.Place: Int] = [:]
      var records: [StoredRead] = []
      try StoredRead.forEach(db, from: first, to: end) { stored in
        guard !gone.contains(stored.record.key.image.name) else { return }
        let place = StoredRead.Place(stored.record.key)
        if let index = places[place] {
          records[index] = stored
        } else {
          places[place] = records.count
          records.append(stored)
        }
      }
      return records.sorted { StoredRead.precedes($0, $1) }.map(\.record)
    }
  }
}

/// A read as it is stored.
struct StoredRead {
  var record: ReadRecord
  var preparation: String
  var source: Int64

  /// What stands in the place of a quality for files as they were found.
  private static let noQuality = -1

  /// What a table has one row for.
  struct Place: Hashable {
    private let key: ReadKey

    init(_ key: ReadKey) {
      var key = key
      key.libraries = ""
      key.image = ImageIdentity(name: key.image.name, contentHash: "")
      self.key = key
    }
  }

  /// By images; of each the file as it was found first, by the system's libraries and by builds, then encodings in the
  /// order in which they came; routes and sizes from the smallest up.
  static func precedes(_ a: StoredRead, _ b: StoredRead) -> Bool {
    let (x, y) = (a.record.key, b.record.key)
    if x.image.name != y.image.name { return x.image.name.utf8.lexicographicallyPrecedes(y.image.name.utf8) }
    if (x.encoding == nil) != (y.encoding == nil) { return x.encoding == nil }
    if x.encoding != y.encoding { return a.source < b.source }
    if x.build != y.build { return (x.build ?? "") < (y.build ?? "") }
    let routes = ReadRoute.allCases
    let (i, j) = (routes.firstIndex(of: x.route) ?? 0, routes.firstIndex(of: y.route) ?? 0)
    return i == j ? x.wanted.amount < y.wanted.amount : i < j
  }

  /// The outcome of a stored text.
  static func outcome(_ text: String) throws -> Outcome<ReadMeasurement> {
    try ScoreJSON.decoder().decode(Outcome<ReadMeasurement>.self, from: Data(text.utf8))
  }

  /// The number of what a read is made of.
  static func source(of record: ReadRecord, _ preparation: String, _ db: Database) throws -> Int64 {
    let encoding = record.key.encoding
    return try StoredSource(
      preparation: encoding == nil ? "" : preparation,
      variant: CodecVariant(
        codec: encoding?.variant.codec ?? record.sourceFormat ?? "", build: record.key.build,
        settings: encoding?.variant.settings ?? [:]),
      quality: encoding?.quality.thousandths ?? noQuality, libraries: record.key.libraries
    ).number(db)
  }

  /// Hands on every read in the order in which they came.
  static func forEach(_ db: Database, _ body: (StoredRead) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(columns)
        FROM reading r JOIN image i ON i.id = r.image JOIN read_source s ON s.id = r.source ORDER BY r.id
        """)
    while let row = try rows.next() { try body(StoredRead(row)) }
  }

  /// Hands on the reads of pictures between two names, these included, in the order in which they came.
  static func forEach(
    _ db: Database, from first: String, to last: String, _ body: (StoredRead) throws -> Void
  ) throws {
    // The order of the tables is given, so that only the reads of these pictures are looked at.
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT \(columns)
          FROM image i CROSS JOIN reading r ON r.image = i.id JOIN read_source s ON s.id = r.source
          WHERE i.name BETWEEN ? AND ? ORDER BY r.id
          """), arguments: [first, last])
    while let row = try rows.next() { try body(StoredRead(row)) }
  }

  private static let columns =
    "i.name, i.hash, s.preparation, s.codec, s.settings, s.quality, s.libraries, r.route, r.wanted, r.conditions, "
    + "r.outcome, s.id, r.origin, s.build"

  private init(_ row: Row) throws {
    let codec = try row.required(3, Row.text)
    let quality = Quality(thousandths: try row.required(5, Row.integer))
    let build = try row.required(13, Row.text)
    let encoding = try quality.map { quality in
      ReadEncoding(
        variant: CodecVariant(
          codec: codec, build: build.isEmpty ? nil : build,
          settings: try StoredJSON.value([String: String].self, row.required(4, Row.text))),
        quality: quality)
    }
    guard let route = ReadRoute(rawValue: try row.required(7, Row.text)) else {
      throw StoredValueError(column: 7)
    }
    guard let wanted = WantedPixels(try row.required(8, Row.text)) else { throw StoredValueError(column: 8) }
    guard let conditions = StoredTiming.conditions(try row.required(9, Row.integer)) else {
      throw StoredValueError(column: 9)
    }
    preparation = try row.required(2, Row.text)
    source = Int64(try row.required(11, Row.integer))
    let image = ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1))
    record = ReadRecord(
      key: ReadKey(
        image: image, encoding: encoding, route: route, wanted: wanted,
        libraries: try row.required(6, Row.text), build: build.isEmpty ? nil : build),
      outcome: try Self.outcome(row.required(10, Row.text)), conditions: conditions,
      sourceFormat: encoding == nil && !codec.isEmpty ? codec : nil,
      origin: try String?.fromDatabaseValue(row[12]).flatMap { $0 }.map {
        try StoredJSON.value(TimesOrigin.self, $0)
      })
  }
}

extension WantedPixels {
  /// Something to sort by.
  fileprivate var amount: Int {
    switch self {
    case .side(let side): side
    case .part(let width, let height): width * height
    case .all: .max
    }
  }
}
