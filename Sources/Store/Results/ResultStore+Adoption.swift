import GRDB
import Model
import Pixels

extension ResultStore {
  /// Copies points known under another preparation to this run's, for images that get the same pixels from both: images
  /// without transparent pixels, whether alpha is kept or not, and images with few bits, at any greater depth. So each
  /// point is measured once, whatever other codecs a run has.
  static func adoptPoints(
    of manifest: RunManifest, list: Int64, _ identifiers: inout StoreIdentifiers, _ db: Database
  ) throws {
    let wanted = manifest.preparation.canonicalSpelling
    guard let own = PreparationWords(wanted), try !isSame(manifest, list, db) else { return }
    let others = try db.map("SELECT id, spelling FROM preparation", []) { row in
      (id: try row.number(of: 0) as Int64, words: PreparationWords(try row.string(1)))
    }
    for other in others {
      guard let words = other.words, words != own, words.rest == own.rest else { continue }
      let setups = try StoreDictionary(db).setups
      for description in manifest.variants {
        var setup = StoreSetup(
          preparation: words.spelling, variant: description.variant, libraries: description.librariesInKey)
        guard let known = setups.first(where: { $0.value == setup })?.key else { continue }
        setup.preparation = wanted
        try copy(known, to: identifiers.setup(setup, db), list, alike(own, other.id), db)
      }
      let number = try identifiers.preparation(wanted, db)
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO prepared(image, preparation, \(preparedColumns))
            SELECT r.image, ?, \(preparedColumns) FROM prepared r
            JOIN list_image l ON l.list = ? AND l.image = r.image WHERE \(alike(own, other.id))
          """, arguments: [number, list])
    }
  }

  /// True if the latest run had the same images, preparation and variants, and so has already adopted everything.
  private static func isSame(_ manifest: RunManifest, _ list: Int64, _ db: Database) throws -> Bool {
    let sql = "SELECT list, manifest FROM run ORDER BY id DESC LIMIT 1"
    let latest = try db.map(sql) { row in
      (list: try row.number(of: 0) as Int64, manifest: try StoredManifest.value(row.string(1)))
    }.first
    return latest.map {
      $0.list == list && $0.manifest.preparation == manifest.preparation
        && $0.manifest.variants == manifest.variants
    } ?? false
  }

  private static let preparedColumns = PreparedFields.columns.joined(separator: ", ")

  /// A condition on table `prepared`, with alias `r`, for images of another preparation that have the same pixels as
  /// under `own`.
  private static func alike(_ own: PreparationWords, _ other: Int64) -> String {
    let alpha = ChannelLayout.allCases.filter(\.hasAlpha).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return """
      r.preparation = \(other) AND r.problem IS NULL AND min(max(r.bit_depth, 8), \(own.depth)) = r.prepared_depth
        AND (r.layout NOT IN (\(alpha)) OR r.steps LIKE '%"\(ImageRecord.opaqueAlphaStep)"%')
      """
  }

  /// Copies the points of a setup that have figures or never will, and their times, if the other setup lacks them.
  private static func copy(
    _ setup: Int64, to other: Int64, _ list: Int64, _ condition: String, _ db: Database
  ) throws {
    for (table, rows) in [("result", "p.way = '' AND p.status < 2"), ("timing", "1")] {
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info(?) WHERE name <> 'setup'", arguments: [table])
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO \(table)(setup, \(columns.joined(separator: ", ")))
            SELECT ?, \(columns.map { "p.\($0)" }.joined(separator: ", ")) FROM \(table) p
            JOIN list_image l ON l.list = ? AND l.image = p.image
            JOIN prepared r ON r.image = p.image AND \(condition)
            WHERE p.setup = ? AND \(rows)
          """, arguments: [other, list, setup])
    }
  }
}

/// Alpha and depth from a preparation's spelling, and the rest of the spelling, which affects every image's pixels.
private struct PreparationWords: Equatable {
  let spelling: String
  let depth: Int
  let rest: [Substring]

  init?(_ spelling: String) {
    let words = spelling.split(separator: " ")
    guard
      let depth = words.lazy.compactMap({ $0.wholeMatch(of: /depth=([0-9]+)/)?.1 }).first.flatMap({ Int($0) })
    else { return nil }
    (self.spelling, self.depth) = (spelling, depth)
    rest = words.filter { !$0.hasPrefix("alpha=") && !$0.hasPrefix("depth=") }
  }
}
