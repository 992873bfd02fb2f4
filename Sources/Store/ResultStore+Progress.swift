import GRDB
import Model

extension ResultStore {
  /// How far a run came: of its usable images, variants and qualities, how many points are there, whoever
  /// measured them. Points beside the grid do not count, so that they cannot hide what is missing.
  package func progress(of run: RunID) throws(StoreError) -> RunProgress? {
    try read { db in
      let sql = "SELECT manifest, list, finished FROM run WHERE id = ?"
      guard let row = try Row.fetchOne(db, sql: sql, arguments: [run.rawValue]),
        let view = try RunView(run, db)
      else { return nil }
      let manifest = try StoredJSON.value(RunManifest.self, try row.required(0, Row.text))
      let list = Int64(try row.required(1, Row.integer))
      let images = try Self.usableImages(list, preparation: view.preparation, db)
      let done = try Self.points(of: view, list: list, qualities: manifest.qualities, db)
      let (perImage, overflow) = manifest.variants.count.multipliedReportingOverflow(
        by: manifest.qualities.count)
      let (planned, tooMany) = perImage.multipliedReportingOverflow(by: images)
      return RunProgress(
        planned: manifest.target != nil || overflow || tooMany ? nil : planned, done: done, images: images,
        isFinished: try row.text(2) != nil)
    }
  }

  /// The images of a list but those that are known to be of no use.
  private static func usableImages(_ list: Int64, preparation: String, _ db: Database) throws -> Int {
    let sql = """
      SELECT count(*) FROM list_image l LEFT JOIN prepared r ON r.image = l.image
        AND r.preparation = (SELECT id FROM preparation WHERE spelling = ?)
      WHERE l.list = ? AND r.problem IS NULL
      """
    return try Int.fetchOne(db, sql: sql, arguments: [preparation, list]) ?? 0
  }

  /// The points of a list's images at these qualities, or at any for a search.
  private static func points(
    of view: RunView, list: Int64, qualities: [Quality], _ db: Database
  ) throws -> Int {
    let setups = view.setupOrders.keys.sorted().map(String.init).joined(separator: ",")
    let wanted = qualities.map { String($0.thousandths) }.joined(separator: ",")
    let sql = """
      SELECT count(*) FROM list_image l JOIN point p ON p.image = l.image
      WHERE l.list = ? AND p.setup IN (\(setups))\(qualities.isEmpty ? "" : " AND p.quality IN (\(wanted))")
      """
    return try Int.fetchOne(db, sql: sql, arguments: [list]) ?? 0
  }
}
