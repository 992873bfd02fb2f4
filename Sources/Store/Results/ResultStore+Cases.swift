import GRDB
package import Model
import Synchronization

// Results of ways other than points.
extension ResultStore {
  package func append(_ record: CaseRecord) throws(StoreError) { try append(.point(record)) }

  /// The cases of a kind that need not be repeated: measured or unsupported ones, and failed ones unless they are
  /// retried; with `alone`, not those timed while other jobs ran. Source files count for every preparation.
  /// - Parameter isEnough: Returns false for a result that lacks something; nil to read no results.
  package func finished(
    _ kind: Way.Kind, preparation: String, alone: Bool = false, isEnough: ((CaseRecord) -> Bool)? = nil
  ) throws(StoreError) -> Set<Case> {
    guard !options.fresh else { return [] }
    let failed = options.retryFailed
    return try read { db in
      var keys: Set<Case> = []
      try StoredResult.forEach(db, kind: kind) { row in
        switch ResultRow.Status(number: try row.count(StoredResult.status)) {
        case .failed where failed: return
        case .measured
        where try alone && row.integer(StoredResult.conditions) == StoredTiming.number(.contended):
          return
        default: break
        }
        let key = try StoredResult.key(row)
        guard key.preparation.isEmpty || key.preparation == preparation else { return }
        if let isEnough, try !isEnough(StoredResult.record(row, key)) { return }
        keys.insert(key)
      }
      return keys
    }
  }

  package func results(
    _ kind: Way.Kind, where isWanted: (Case) -> Bool
  ) throws(StoreError) -> [CaseRecord] {
    try read { db in
      var records: [CaseRecord] = []
      try StoredResult.forEach(db, kind: kind) { row in
        let key = try StoredResult.key(row)
        if isWanted(key) { records.append(try StoredResult.record(row, key)) }
      }
      return records
    }
  }

  package func imports(
    preparation: String, series: Set<String>
  ) throws(StoreError) -> [Case: CaseRecord] {
    let records = try results(.imported) { $0.preparation == preparation && series.contains($0.series) }
    return Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
  }

  package func importHashes(of manifest: RunManifest) throws(StoreError) -> [Case: String] {
    guard let series = manifest.imports, !series.isEmpty else { return [:] }
    return try imports(
      preparation: manifest.preparation.canonicalSpelling, series: Set(series.map(\.name))
    ).compactMapValues(\.fileHash)
  }

  package func remove(_ keys: some Collection<Case>) throws(StoreError) {
    guard !keys.isEmpty else { return }
    try write { db in
      try identifiers.withLock { identifiers in
        for key in keys {
          try db.cachedStatement(sql: "DELETE FROM result WHERE \(StoredResult.isCase)").execute(
            arguments: StatementArguments(values: try StoreWriter.columns(key, &identifiers, db)))
        }
      }
    }
  }
}
