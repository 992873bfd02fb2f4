import Foundation
import GRDB

/// The pictures of earlier calls, so that deleted files do not stay in reports.
private struct ReadList: Codable {
  /// Names found by the last call over the same roots.
  var present: [String] = []
  /// Names found by earlier calls over these roots, but not by the last.
  var gone: [String] = []
}

extension ResultStore {
  private static let listSubject = "reads-of:"

  /// Stores the names of the pictures that a call found below its roots.
  /// - Parameter roots: The requested roots; each shard counts as different roots.
  /// - Returns: Names found by the previous call but not by this one, sorted.
  package func note(readsOf names: Set<String>, roots: String) throws(StoreError) -> [String] {
    let subject = Self.listSubject + roots
    let before = Self.readList(try question(subject))
    let gone = Set(before?.present ?? []).subtracting(names)
    let list = ReadList(
      present: names.sorted(), gone: gone.union(before?.gone ?? []).subtracting(names).sorted())
    try note(list, subject)
    return gone.sorted()
  }

  /// Names of gone pictures: missing from the latest of some calls, and found by no other.
  static func goneFromReads(_ db: Database) throws -> Set<String> {
    let sql = "SELECT text FROM question WHERE subject LIKE ?"
    let lists = try String.fetchAll(db, sql: sql, arguments: [listSubject + "%"]).compactMap(readList)
    return Set(lists.flatMap(\.gone)).subtracting(lists.flatMap(\.present))
  }

  /// Nil for a malformed list; a store may come from a stranger.
  private static func readList(_ text: String?) -> ReadList? {
    text.flatMap { try? JSONDecoder().decode(ReadList.self, from: Data($0.utf8)) }
  }

  /// Copies the questions of another store, attached as `shard`, that are missing here. A list of pictures gets its
  /// own text as subject, so that lists of several stores over the same roots are kept side by side.
  static func mergeQuestions(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.question
          SELECT CASE WHEN subject LIKE ? || '%' THEN ? || text ELSE subject END, text FROM shard.question
        """, arguments: [listSubject, listSubject])
  }
}
