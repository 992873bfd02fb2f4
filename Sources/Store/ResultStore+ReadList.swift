import Foundation
import GRDB

/// Which pictures reads were asked of, so that files that are gone do not stay in reports as if they were there.
private struct ReadList: Codable {
  /// The names of the pictures that the last call over the same roots found.
  var present: [String] = []
  /// The names that earlier calls over them found, and it did not.
  var gone: [String] = []
}

extension ResultStore {
  private static let listSubject = "reads-of:"

  /// Keeps the names of the pictures that a call found below its roots.
  /// - Parameter roots: what was asked for; another shard of it is something else.
  /// - Returns: those that the call before found there, and this one did not, sorted.
  package func note(readsOf names: Set<String>, roots: String) throws(StoreError) -> [String] {
    let subject = Self.listSubject + roots
    let before = Self.readList(try question(subject))
    let gone = Set(before?.present ?? []).subtracting(names)
    let list = ReadList(
      present: names.sorted(), gone: gone.union(before?.gone ?? []).subtracting(names).sorted())
    try note(list, subject)
    return gone.sorted()
  }

  /// The names of pictures that are gone: some call does not find them any more, and none does.
  static func goneFromReads(_ db: Database) throws -> Set<String> {
    guard try StoreMerger.isTable("question", in: "main", db) else { return [] }
    let sql = "SELECT text FROM question WHERE subject LIKE ?"
    let lists = try String.fetchAll(db, sql: sql, arguments: [listSubject + "%"]).compactMap(readList)
    return Set(lists.flatMap(\.gone)).subtracting(lists.flatMap(\.present))
  }

  /// What a store says, which may come from a stranger; nil for no list.
  private static func readList(_ text: String?) -> ReadList? {
    text.flatMap { try? JSONDecoder().decode(ReadList.self, from: Data($0.utf8)) }
  }

  /// Copies the questions of another store, attached as `shard`, that this one has not. A list of pictures goes by
  /// what it says, so that those of several stores over the same roots stand side by side.
  static func mergeQuestions(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.question
          SELECT CASE WHEN subject LIKE ? || '%' THEN ? || text ELSE subject END, text FROM shard.question
        """, arguments: [listSubject, listSubject])
  }
}
