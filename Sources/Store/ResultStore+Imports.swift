import GRDB
package import Model

extension ResultStore {
  package func imports(
    preparation: String, series: Set<String>
  ) throws(StoreError) -> [Case: CaseRecord] {
    let records = try results(.imported) { $0.preparation == preparation && series.contains($0.series) }
    return Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The images of a run in table order.
  package func images(of run: RunID) throws(StoreError) -> [ImageIdentity] {
    try read { db in
      let sql = """
        SELECT i.name, i.hash FROM run r JOIN list_image l ON l.list = r.list JOIN image i ON i.id = l.image
        WHERE r.id = ? ORDER BY l.position
        """
      return try Row.fetchAll(db, sql: sql, arguments: [run.rawValue]).map { row in
        ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1))
      }
    }
  }

  package func importHashes(of manifest: RunManifest) throws(StoreError) -> [Case: String] {
    guard let series = manifest.imports, !series.isEmpty else { return [:] }
    return try imports(
      preparation: manifest.preparation.canonicalSpelling, series: Set(series.map(\.name))
    ).compactMapValues(\.fileHash)
  }
}
