import Foundation
import GRDB
package import Model
import Synchronization

extension ResultStore {
  /// Commits a read, replacing an existing one; `preparation` is that of pictures for codecs, canonically spelled.
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

  /// The reads that need not be repeated: measured or unsupported ones, and failed ones unless they are retried; with
  /// `alone` no measured ones timed while other jobs ran.
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

  /// Merges stores that hold only reads and tiles into this one. Entries here are kept unless they failed here and
  /// were measured there.
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

  /// The latest read per image name, file or encode, route and size, without pictures that are gone.
  package func reads() throws(StoreError) -> [ReadRecord] {
    var records: [ReadRecord] = []
    var walk = ReadWalk(gone: try read(Self.goneFromReads))
    while let some = try next(&walk) { records += some }
    return records
  }

  /// Passes on the same reads one at a time; memory stays flat, and `body` may use the store.
  /// - Throws: `StoreError`, or errors of `body`.
  package func forEachRead(_ body: (ReadRecord) throws -> Void) throws {
    var walk = ReadWalk(gone: try read(Self.goneFromReads))
    while let some = try next(&walk) { try some.forEach(body) }
  }

  package func hasReads() throws(StoreError) -> Bool {
    var walk = ReadWalk(gone: try read(Self.goneFromReads))
    while let some = try next(&walk) { if !some.isEmpty { return true } }
    return false
  }

  private struct ReadWalk {
    static let batch = 64
    let gone: Set<String>
    var last: String?
  }

  /// The reads of the next names, in order; nil at the end.
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

struct StoredRead {
  var record: ReadRecord
  var preparation: String
  var source: Int64

  /// The stored quality of files as found.
  private static let noQuality = -1

  /// The key of a table row: a read without libraries and content.
  struct Place: Hashable {
    private let key: ReadKey

    init(_ key: ReadKey) {
      var key = key
      key.libraries = ""
      key.image = ImageIdentity(name: key.image.name, contentHash: "")
      self.key = key
    }
  }

  /// Orders by image; within an image files as found first, by the system's libraries and then by builds, then
  /// encodes in order of arrival; routes and sizes ascending.
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

  static func outcome(_ text: String) throws -> Outcome<ReadMeasurement> {
    try ScoreJSON.decoder().decode(Outcome<ReadMeasurement>.self, from: Data(text.utf8))
  }

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

  /// Passes on every read in order of arrival.
  static func forEach(_ db: Database, _ body: (StoredRead) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(columns)
        FROM reading r JOIN image i ON i.id = r.image JOIN read_source s ON s.id = r.source ORDER BY r.id
        """)
    while let row = try rows.next() { try body(StoredRead(row)) }
  }

  /// Passes on the reads of pictures between two names, inclusive, in order of arrival.
  static func forEach(
    _ db: Database, from first: String, to last: String, _ body: (StoredRead) throws -> Void
  ) throws {
    // CROSS JOIN fixes the table order, so that only the reads of these pictures are visited.
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
  /// A sort key.
  fileprivate var amount: Int {
    switch self {
    case .side(let side): side
    case .part(let width, let height): width * height
    case .all: .max
    }
  }
}
