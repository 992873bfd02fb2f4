import Foundation
import GRDB
package import Model
import Synchronization

extension ResultStore {
  private static let tileSubject = "tiles"

  /// Commits a tiled picture, replacing an existing one; `preparation` is canonically spelled.
  package func append(_ record: TilingRecord, preparation: String) throws(StoreError) {
    try write { db in
      let key = record.key
      let outcome = StoredTiling.Cutting(
        outcome: record.outcome, header: record.header, downscale: record.downscale)
      try insert(
        key.image, StoredTiling.source(key, preparation), StoredTiling.Cut(key).description,
        StoreWriter.Status.number(record.outcome), StoredJSON.scoredText(outcome), db)
    }
  }

  package func append(_ point: WholePoint, preparation: String) throws(StoreError) {
    try write { db in
      let source = StoredSource(
        preparation: preparation, variant: point.variant, quality: point.quality.thousandths,
        libraries: point.libraries)
      let figures = StoredTiling.Whole(bytes: point.bytes, ssimulacra2: point.ssimulacra2)
      try insert(
        point.image, source, StoredTiling.wholeCut, StoreWriter.Status.measured,
        StoredJSON.scoredText(figures), db)
    }
  }

  private func insert(
    _ image: ImageIdentity, _ source: StoredSource, _ cut: String, _ status: Int, _ outcome: String,
    _ db: Database
  ) throws {
    let image = try identifiers.withLock { try $0.image(image, db) }
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO tiling(image, source, cut, status, outcome) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [image, try source.number(db), cut, status, outcome])
  }

  /// The cuts that need not be repeated: measured or unsupported ones, and failed ones unless they are retried.
  package func finishedTilings(preparation: String) throws(StoreError) -> Set<TilingKey> {
    guard !options.fresh else { return [] }
    let failed = options.retryFailed
    return try read { db in
      var keys: Set<TilingKey> = []
      try StoredTiling.forEach(db) { stored in
        guard case .tiling(let record) = stored.value, stored.preparation == preparation else { return }
        if case .failed = record.outcome, failed { return }
        keys.insert(record.key)
      }
      return keys
    }
  }

  /// The cuts and the points without tiles that a question covers, ordered by image name, then by arrival. For each
  /// only the latest, whatever its libraries and the image's content.
  package func tilings(
    _ question: TileQuestion
  ) throws(StoreError) -> (records: [TilingRecord], points: [WholePoint]) {
    try read { db in
      var records = Latest<TilingKey, TilingRecord>()
      var points = Latest<TilingKey, WholePoint>()
      try StoredTiling.forEach(db) { stored in
        guard stored.preparation == question.preparation else { return }
        switch stored.value {
        case .tiling(let record) where record.key.view == question.view:
          records.add(record, at: StoredTiling.place(record.key))
        case .tiling: break
        case .whole(let point): points.add(point, at: StoredTiling.place(point))
        }
      }
      return (
        records.values.stablySorted(by: \.key.image.name), points.values.stablySorted(by: \.image.name)
      )
    }
  }

  /// The last question on tiles; nil if there is none.
  package func tileQuestion() throws(StoreError) -> TileQuestion? {
    try question(Self.tileSubject).flatMap {
      try? JSONDecoder().decode(TileQuestion.self, from: Data($0.utf8))
    }
  }

  package func note(_ question: TileQuestion) throws(StoreError) { try note(question, Self.tileSubject) }
}

/// The latest value for each place, in the order in which places first came.
private struct Latest<Place: Hashable, Value> {
  private var indices: [Place: Int] = [:]
  private(set) var values: [Value] = []

  mutating func add(_ value: Value, at place: Place) {
    if let index = indices[place] {
      values[index] = value
    } else {
      indices[place] = values.count
      values.append(value)
    }
  }
}

extension [TilingRecord] {
  fileprivate func stablySorted(by name: (TilingRecord) -> String) -> [TilingRecord] {
    StoredTiling.sorted(self, by: name)
  }
}

extension [WholePoint] {
  fileprivate func stablySorted(by name: (WholePoint) -> String) -> [WholePoint] {
    StoredTiling.sorted(self, by: name)
  }
}

struct StoredTiling {
  enum Value {
    case tiling(TilingRecord)
    case whole(WholePoint)
  }

  var preparation: String
  var value: Value

  static let wholeCut = "whole"

  /// Tile size, overlap, form and view of a cut: `256+0 files 1920x1080`.
  struct Cut: CustomStringConvertible {
    var tileSize, overlap: Int
    var form: TileForm
    var view: String

    init(_ key: TilingKey) {
      (tileSize, overlap, form, view) = (key.tileSize, key.overlap, key.form, key.view)
    }

    init?(_ text: String) {
      let parts = text.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 3, let form = TileForm(rawValue: String(parts[1])), TileView(parts[2]) != nil
      else {
        return nil
      }
      let sizes = parts[0].split(separator: "+", omittingEmptySubsequences: false).compactMap { Int($0) }
      guard sizes.count == 2 else { return nil }
      (tileSize, overlap, self.form, view) = (sizes[0], sizes[1], form, String(parts[2]))
    }

    var description: String { "\(tileSize)+\(overlap) \(form.rawValue) \(view)" }
  }

  struct Cutting: Codable {
    var outcome: Outcome<TilingMeasurement>
    var header: ImageHeader?
    var downscale: Int
  }

  struct Whole: Codable {
    var bytes: Int
    var ssimulacra2: Double?
  }

  static func source(_ key: TilingKey, _ preparation: String) -> StoredSource {
    StoredSource(
      preparation: preparation, variant: key.variant, quality: key.quality.thousandths,
      libraries: key.libraries)
  }

  /// The key of a table row: a cut without libraries and content.
  static func place(_ key: TilingKey) -> TilingKey {
    var key = key
    (key.libraries, key.image) = ("", ImageIdentity(name: key.image.name, contentHash: ""))
    return key
  }

  static func place(_ point: WholePoint) -> TilingKey {
    TilingKey(
      image: ImageIdentity(name: point.image.name, contentHash: ""), variant: point.variant,
      quality: point.quality, tileSize: 0, overlap: 0, form: .files)
  }

  static func sorted<Element>(_ values: [Element], by name: (Element) -> String) -> [Element] {
    values.enumerated().sorted { a, b in
      let (x, y) = (name(a.element), name(b.element))
      return x == y ? a.offset < b.offset : x.utf8.lexicographicallyPrecedes(y.utf8)
    }.map(\.element)
  }

  /// Passes on every row in order of arrival.
  static func forEach(_ db: Database, _ body: (StoredTiling) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: query(schema: "main"))
    while let row = try rows.next() { try body(StoredTiling(row)) }
  }

  private static func query(schema: String) -> String {
    """
    SELECT i.name, i.hash, s.preparation, s.codec, s.build, s.settings, s.quality, s.libraries, t.cut, t.outcome,
      t.status
    FROM \(schema).tiling t JOIN \(schema).image i ON i.id = t.image
      JOIN \(schema).read_source s ON s.id = t.source
    ORDER BY t.id
    """
  }

  /// Throws `StoredValueError` or a decoding error unless heicbench could have written every row.
  static func check(_ db: Database, schema: String) throws {
    let rows = try Row.fetchCursor(db, sql: query(schema: schema))
    while let row = try rows.next() {
      let stored = try StoredTiling(row)
      switch stored.value {
      case .tiling(let record):
        guard StoreWriter.Status.number(record.outcome) == (try row.required(10, Row.integer)),
          (1...1024).contains(record.downscale)
        else { throw StoredValueError(column: 10) }
        guard case .measured(let figures) = record.outcome else { continue }
        guard figures.impossibility(of: record.key) == nil, figures.remarks.count < 1000 else {
          throw StoredValueError(column: 9)
        }
      case .whole(let point):
        guard (1...1 << 42).contains(point.bytes), point.ssimulacra2?.isNaN != true else {
          throw StoredValueError(column: 9)
        }
      }
    }
  }

  private init(_ row: Row) throws {
    preparation = try row.required(2, Row.text)
    let image = ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1))
    let build = try row.required(4, Row.text)
    let variant = CodecVariant(
      codec: try row.required(3, Row.text), build: build.isEmpty ? nil : build,
      settings: try StoredJSON.value([String: String].self, row.required(5, Row.text)))
    guard let quality = Quality(thousandths: try row.required(6, Row.integer)) else {
      throw StoredValueError(column: 6)
    }
    let libraries = try row.required(7, Row.text)
    let (text, outcome) = (try row.required(8, Row.text), Data(try row.required(9, Row.text).utf8))
    guard text != Self.wholeCut else {
      let figures = try ScoreJSON.decoder().decode(Whole.self, from: outcome)
      value = .whole(
        WholePoint(
          image: image, variant: variant, quality: quality, bytes: figures.bytes,
          ssimulacra2: figures.ssimulacra2, libraries: libraries))
      return
    }
    guard let cut = Cut(text) else { throw StoredValueError(column: 8) }
    let figures = try ScoreJSON.decoder().decode(Cutting.self, from: outcome)
    let key = TilingKey(
      image: image, variant: variant, quality: quality, tileSize: cut.tileSize, overlap: cut.overlap,
      form: cut.form, view: cut.view, libraries: libraries)
    value = .tiling(
      TilingRecord(
        key: key, outcome: figures.outcome, header: figures.header, downscale: figures.downscale))
  }
}
