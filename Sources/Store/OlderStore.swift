import Foundation
import GRDB
import Model
import Pixels

/// The migration from 0.1.0, and from the versions between it and this one, whose points, reads, tiles and imported
/// files had tables of their own.
enum OlderStore {
  private static let tables = """
    CREATE TABLE IF NOT EXISTS question(subject TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE result(
      image INTEGER NOT NULL, way TEXT NOT NULL DEFAULT '', setup INTEGER NOT NULL, quality INTEGER NOT NULL,
      status INTEGER NOT NULL, run INTEGER, native_quality INTEGER, bytes INTEGER, hash BLOB, agree INTEGER,
      conditions INTEGER, encode_wall INTEGER, encode_cpu INTEGER, decode_wall INTEGER, decode_cpu INTEGER,
      samples BLOB, peak_memory INTEGER, scoring_cpu INTEGER, failure_kind TEXT, message TEXT, encode_peak INTEGER,
      decode_peak INTEGER, failed_scores TEXT, origin INTEGER NOT NULL DEFAULT 0, sequence INTEGER, detail TEXT,
      PRIMARY KEY(image, way, setup, quality)) WITHOUT ROWID;
    CREATE UNIQUE INDEX result_sequence ON result(sequence) WHERE sequence IS NOT NULL;
    """

  static func migrate(_ db: Database, from version: Int) throws {
    // Version 13, which no release had, wrote results of other ways in another form: they are measured again.
    guard version < 13 else { return try db.execute(sql: "DELETE FROM result WHERE way <> ''") }
    try db.execute(sql: tables)
    try addBuilds(db)
    for (table, column, type) in [("timing", "run", "INTEGER"), ("run", "drift", "REAL")]
    where try !columns(of: table, db).contains(column) {
      try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) \(type)")
    }
    try copyPoints(db)
    if version < 12 { try forgetHighDynamicRange(db) }
    var identifiers = StoreIdentifiers()
    for record in try reads(db) + tiles(db) + imports(db) {
      try StoreWriter.put(record, run: nil, &identifiers, db)
    }
    for table in ["point", "reading", "tiling", "read_source", "imported"] {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
  }

  private static func columns(of table: String, _ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
  }

  /// Setups get a library build; empty for the system's own, as in 0.1.0.
  private static func addBuilds(_ db: Database) throws {
    guard try !columns(of: "setup", db).contains("build") else { return }
    try db.execute(
      sql: """
        CREATE TABLE setup_of_build(
          id INTEGER PRIMARY KEY, preparation INTEGER NOT NULL, codec TEXT NOT NULL, build TEXT NOT NULL,
          settings TEXT NOT NULL, libraries TEXT NOT NULL, UNIQUE(preparation, codec, build, settings, libraries));
        INSERT INTO setup_of_build SELECT id, preparation, codec, '', settings, libraries FROM setup;
        DROP TABLE setup;
        ALTER TABLE setup_of_build RENAME TO setup;
        """)
  }

  private static func copyPoints(_ db: Database) throws {
    let known = Set(try columns(of: "result", db) + StoredField.added)
    let there = try columns(of: "point", db).filter {
      known.contains($0) || $0.wholeMatch(of: /score_[0-9]+/) != nil
    }
    for column in Set(there).subtracting(try columns(of: "result", db)) {
      let type = column.hasPrefix("score_") ? "REAL" : "INTEGER"
      try db.execute(sql: "ALTER TABLE result ADD COLUMN \(column) \(type)")
    }
    let target = there.joined(separator: ", ")
    guard !there.contains("origin") else {
      return try db.execute(sql: "INSERT INTO result(\(target)) SELECT \(target) FROM point")
    }
    // Points that a merge has brought may have no run.
    let isSearched =
      "coalesce(run IN (SELECT id FROM run WHERE json_extract(manifest, '$.target') IS NOT NULL), 0)"
    let origin = "\(isSearched) * \(StoredOrigin.bit(.searched))"
    try db.execute(sql: "INSERT INTO result(\(target), origin) SELECT \(target), \(origin) FROM point")
  }

  /// PQ and HLG were scored as SDR: everything about such pictures is deleted, so that a run refuses them.
  private static func forgetHighDynamicRange(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TEMP TABLE hdr AS SELECT image FROM prepared WHERE profile LIKE '% PQ' OR profile LIKE '% HLG';
        DELETE FROM file WHERE hash IN (SELECT hash FROM image WHERE id IN hdr);
        DELETE FROM result WHERE image IN hdr;
        DELETE FROM timing WHERE image IN hdr;
        DELETE FROM prepared WHERE image IN hdr;
        """)
    for table in ["imported", "reading", "tiling"] where try StoreMerger.isTable(table, in: "main", db) {
      try db.execute(sql: "DELETE FROM \(table) WHERE image IN hdr")
    }
    try db.execute(sql: "DROP TABLE hdr")
  }
}

// The tables that no release had, of version 12.
extension OlderStore {
  private struct Read: Codable {
    var format: String
    var fileBytes, width, height, decodedWidth, decodedHeight, deliveredWidth, deliveredHeight: Int
    var decodedBytes, peakBytes, predictedBytes: Int?
    var samples: [TimingSample]
    var reductionCPUNanoseconds: Int64
    var touchedBytes: Int
    var ssimulacra2, alignedSSIMULACRA2, ceilingSSIMULACRA2, originalSSIMULACRA2, psnrLuma: Double?
    var remarks: [String]

    func figures(_ conditions: TimingSeries.Conditions) -> Figures {
      var figures = Figures(
        format: format, fileBytes: fileBytes, width: width, height: height, touchedBytes: touchedBytes)
      (figures[.decodedWidth], figures[.decodedHeight]) = (decodedWidth, decodedHeight)
      (figures[.deliveredWidth], figures[.deliveredHeight]) = (deliveredWidth, deliveredHeight)
      figures.figures[.decodedBytes] = decodedBytes
      (figures.figures[.decodePeak], figures.figures[.predictedPeak]) = (peakBytes, predictedBytes)
      figures.timing = TimingSeries(conditions: conditions, encode: [], decode: samples)
      if reductionCPUNanoseconds > 0 { figures[.reductionCPU] = Int(reductionCPUNanoseconds) }
      (figures[.plain], figures[.aligned]) = (ssimulacra2, alignedSSIMULACRA2)
      (figures[.ceiling], figures[.original]) = (ceilingSSIMULACRA2, originalSSIMULACRA2)
      figures.scores["psnr-y"] = psnrLuma
      figures.remarks = remarks
      return figures
    }
  }

  private struct Cutting<Figures: Codable & Sendable>: Codable {
    var outcome: Outcome<Figures>
    var header: ImageHeader?
  }

  private struct Whole: Codable {
    var bytes: Int
    var ssimulacra2: Double?
    var containerBytes, decodePeakBytes: Int?
    var encodeNanoseconds, decodeNanoseconds: Int64?

    var figures: Figures {
      var figures = Figures(
        encodedBytes: bytes,
        timing: TimingSeries(
          conditions: .contended, encode: OlderStore.samples(encodeNanoseconds),
          decode: OlderStore.samples(decodeNanoseconds)))
      figures[.plain] = ssimulacra2
      figures.figures[.decodePeak] = decodePeakBytes
      return figures
    }
  }

  private struct Tiling: Codable {
    var pyramid: TilePyramid
    var whole: Whole
    var tiles: [[TileCost]]
    var headerBytes: [Int]
    var containerBytes, viewportPeakBytes: Int?
    var ssimulacra2, seamStep, wholeSeamStep: Double?
    var encodeNanoseconds: Int64
    var remarks: [String]

    var figures: Figures {
      var levels = TiledLevels(pyramid: pyramid)
      (levels.tiles, levels.headerBytes) = (tiles, headerBytes)
      (levels.seamStep, levels.wholeSeamStep) = (seamStep, wholeSeamStep)
      var figures = Figures(tiles: levels)
      figures.timing.encode = OlderStore.samples(encodeNanoseconds)
      figures.figures[.container] = containerBytes
      figures.figures[.wholeContainer] = whole.containerBytes
      figures.figures[.decodePeak] = viewportPeakBytes
      (figures[.plain], figures.remarks) = (ssimulacra2, remarks)
      return figures
    }
  }

  private static func samples(_ cpu: Int64?) -> [TimingSample] {
    cpu.map { [TimingSample(wallNanoseconds: 0, cpuNanoseconds: $0)] } ?? []
  }

  private struct Imported: Codable {
    var bytes: Int
    var metadataBytes: Int?
    var format, decoder: String
    var making: FileMaking
    var decode: TimingSample
    var asked, steps: [String]
    var scores: [String: Double]
    var failedScores, metricPrograms: [String: String]?

    var figures: Figures {
      var figures = Figures(
        encodedBytes: bytes, timing: TimingSeries(conditions: .contended, encode: [], decode: [decode]),
        scores: scores, remarks: steps)
      figures.figures[.metadata] = metadataBytes
      (figures.format, figures.decoder, figures.making) = (format, decoder, making.summary)
      (figures.asked, figures.failedScores) = (asked, failedScores ?? [:])
      figures.metricPrograms = metricPrograms
      return figures
    }
  }

  private enum Verdict: Codable {
    case measured(Imported)
    case refused(Failure)
  }

  private static func value<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try ScoreJSON.decoder().decode(type, from: Data(text.utf8))
  }

  /// The rows of a table with image and source, in order of arrival: the case as `StoredResult.key` reads it, then these
  /// columns.
  private static func rows(_ table: String, _ columns: [String], _ db: Database) throws -> [Row] {
    guard try StoreMerger.isTable(table, in: "main", db) else { return [] }
    let there = try Self.columns(of: table, db)
    let build = try Self.columns(of: "read_source", db).contains("build") ? "s.build" : "''"
    let names = columns.map { there.contains($0) ? "t.\($0)" : "NULL" }.joined(separator: ", ")
    return try Row.fetchAll(
      db,
      sql: """
        SELECT i.name, i.hash, s.preparation, s.codec, \(build), s.settings, s.libraries, s.quality, \(names)
        FROM \(table) t JOIN image i ON i.id = t.image JOIN read_source s ON s.id = t.source ORDER BY t.id
        """)
  }

  private static func reads(_ db: Database) throws -> [CaseRecord] {
    try rows("reading", ["route", "wanted", "conditions", "outcome", "origin"], db).map { row in
      guard let route = ReadRoute(rawValue: try row.required(8, Row.text)) else {
        throw StoredValueError(column: 8)
      }
      guard let wanted = WantedPixels(try row.required(9, Row.text)) else {
        throw StoredValueError(column: 9)
      }
      guard let conditions = StoredTiming.conditions(try row.required(10, Row.integer)) else {
        throw StoredValueError(column: 10)
      }
      return CaseRecord(
        key: try StoredResult.key(row, .read(route, wanted)),
        outcome: try value(Outcome<Read>.self, row.required(11, Row.text)).map { $0.figures(conditions) },
        timesOrigin: try row.text(12).map { try StoredJSON.value(TimesOrigin.self, $0) })
    }
  }

  private static func tiles(_ db: Database) throws -> [CaseRecord] {
    let rows = try rows("tiling", ["cut", "outcome"], db)
    // Those of cuts know more, and take the place of others.
    let order = try rows.filter { try $0.text(8) == "whole" } + rows.filter { try $0.text(8) != "whole" }
    return try order.flatMap { row in
      let (form, text) = (try row.required(8, Row.text), try row.required(9, Row.text))
      guard form != "whole" else {
        let whole = try value(Whole.self, text)
        return [CaseRecord(key: try StoredResult.key(row, .whole), outcome: .measured(whole.figures))]
      }
      guard let way = TileCut(form) else { throw StoredValueError(column: 8) }
      let cutting = try value(Cutting<Tiling>.self, text)
      let key = try StoredResult.key(row, .tiles(way))
      let cut = CaseRecord(key: key, outcome: cutting.outcome.map(\.figures), header: cutting.header)
      guard let tiling = cutting.outcome.value else { return [cut] }
      // The picture without tiles was a part of each cut.
      var whole = key
      whole.way = .whole
      return [cut, CaseRecord(key: whole, outcome: .measured(tiling.whole.figures))]
    }
  }

  private static func imports(_ db: Database) throws -> [CaseRecord] {
    guard try StoreMerger.isTable("imported", in: "main", db) else { return [] }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT i.name, i.hash, q.spelling, m.series, m.file, m.hash, m.outcome
        FROM imported m JOIN image i ON i.id = m.image JOIN preparation q ON q.id = m.preparation
        """)
    return try rows.map { row in
      let outcome: Outcome<Figures> =
        switch try value(Verdict.self, row.required(6, Row.text)) {
        case .measured(let file): .measured(file.figures)
        case .refused(let failure): .failed(failure)
        }
      return CaseRecord(
        key: Case(
          image: ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1)),
          preparation: try row.required(2, Row.text), series: try row.required(3, Row.text),
          file: try row.required(4, Row.text)),
        outcome: outcome, fileHash: try row.hash(5))
    }
  }
}
