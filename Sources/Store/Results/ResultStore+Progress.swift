import GRDB
import Model

extension ResultStore {
  /// The progress of a run: points present for its usable images, variants and qualities, no matter which run measured
  /// them. Points outside the grid do not count, so they cannot hide missing ones.
  package func progress(of run: RunID) throws(StoreError) -> RunProgress? {
    try read { db in
      guard let view = try RunView(run, db) else { return nil }
      let (manifest, list) = (view.manifest, view.list)
      let images = try Self.usableImages(of: view, db)
      let done = try Self.points(of: view, db)
      let (perImage, overflow) = manifest.variants.count.multipliedReportingOverflow(
        by: manifest.qualities.count)
      let (planned, tooMany) = perImage.multipliedReportingOverflow(by: images)
      let finished = "SELECT finished IS NOT NULL FROM run WHERE id = ?"
      let isFinished = try Bool.fetchOne(db, sql: finished, arguments: [run.rawValue]) ?? false
      return RunProgress(
        planned: manifest.target != nil || overflow || tooMany ? nil : planned, done: done,
        images: try Self.usableImages(of: view, withCopies: false, db),
        isFinished: isFinished, untouched: isFinished ? nil : try Self.untouched(by: view, list: list, db))
    }
  }

  private static let namedImages = 5

  private static func untouched(
    by view: RunView, list: Int64, _ db: Database
  ) throws -> RunProgress.Untouched? {
    let images = """
      FROM list_image l JOIN image i ON i.id = l.image LEFT JOIN prepared r ON r.image = l.image
        AND r.preparation = (SELECT id FROM preparation WHERE spelling = :preparation)
      WHERE l.list = :list AND r.problem IS NULL
        AND NOT EXISTS (SELECT 1 FROM result p WHERE p.image = l.image AND \(view.setupCondition))
      """
    let arguments: StatementArguments = ["preparation": view.preparation, "list": list]
    let count = try Int.fetchOne(db, sql: "SELECT count(*) \(images)", arguments: arguments) ?? 0
    guard count > 0 else { return nil }
    let names = try String.fetchAll(
      db, sql: "SELECT i.name \(images) ORDER BY l.position LIMIT \(namedImages)", arguments: arguments)
    return RunProgress.Untouched(names: names, count: count)
  }

  static func usableImages(of view: RunView, withCopies: Bool = true, _ db: Database) throws -> Int {
    let images = withCopies ? "count(*)" : "count(DISTINCT iif(i.hash = '', i.name, i.hash))"
    let sql = """
      SELECT \(images) FROM list_image l JOIN image i ON i.id = l.image LEFT JOIN prepared r ON r.image = l.image
        AND r.preparation = (SELECT id FROM preparation WHERE spelling = ?)
      WHERE l.list = ? AND \(isUsable(in: view))
      """
    return try Int.fetchOne(db, sql: sql, arguments: [view.preparation, view.list]) ?? 0
  }

  /// A condition on table `prepared`, with alias `r`, for a usable image of `list_image`, with alias `l`. As in rows, a
  /// problem does not count if anything was measured, because then it came from another limit.
  private static func isUsable(in view: RunView) -> String {
    let measured = "p.image = l.image AND p.status = 0 AND \(view.setupCondition)"
    return "(r.problem IS NULL OR EXISTS (SELECT 1 FROM result p WHERE \(measured)))"
  }

  private static func points(of view: RunView, _ db: Database) throws -> Int {
    let qualities = view.manifest.qualities.map { String($0.thousandths) }.joined(separator: ",")
    let sql = """
      SELECT count(*) FROM list_image l LEFT JOIN prepared r ON r.image = l.image
        AND r.preparation = (SELECT id FROM preparation WHERE spelling = ?)
      JOIN result p ON p.image = l.image
      WHERE l.list = ? AND \(isUsable(in: view))
        AND \(view.setupCondition)\(qualities.isEmpty ? "" : " AND p.quality IN (\(qualities))")
      """
    return try Int.fetchOne(db, sql: sql, arguments: [view.preparation, view.list]) ?? 0
  }
}

package struct RunProgress: Sendable, Hashable, Codable {
  /// Planned points: usable images × variants × qualities; nil for a search, which determines its qualities as it goes.
  package var planned: Int?
  /// The number of planned points that exist, measured or not.
  package var done: Int
  /// The number of images not known to be unusable; copies count once.
  package var images: Int
  package var isFinished: Bool
  /// Images without a point yet in an unfinished run; nil if there are none.
  package var untouched: Untouched?

  package struct Untouched: Sendable, Hashable, Codable {
    package var names: [String]
    package var count: Int
  }

  package var isComplete: Bool { planned.map { done >= $0 } ?? false }
}
