import Foundation
import GRDB
package import Model

extension ResultStore: CorpusCache {
  package func cachedFile(for stamp: FileStamp) throws(StoreError) -> CachedFile? {
    try read { db in
      let sql = """
        SELECT hash, header, problem FROM file WHERE path = ? AND size = ? AND modified = ? AND inode = ?
        """
      return try db.map(sql, Self.columns(stamp)) { row in
        CachedFile(
          contentHash: try row.hash(0),
          header: try row.text(1).map { try StoredJSON.value(ImageHeader.self, $0) },
          problem: try row.text(2).map { try StoredJSON.value(Failure.self, $0) })
      }.first
    }
  }

  package func remember(_ file: CachedFile, for stamp: FileStamp) throws(StoreError) {
    try write { db in
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO file VALUES (?,?,?,?,?,?,?)").execute(
        arguments: Self.columns(stamp) + [
          StoredHash.value(file.contentHash), try file.header.map { try StoredJSON.text($0) },
          try file.problem.map { try StoredJSON.text($0) },
        ])
    }
  }

  private static func columns(_ stamp: FileStamp) -> StatementArguments {
    [Data(stamp.path), stamp.size, stamp.modifiedNanoseconds, Int64(bitPattern: stamp.inode)]
  }
}
