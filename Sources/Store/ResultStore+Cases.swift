import Foundation
import GRDB
package import Model
import Synchronization

// Results of ways other than points.
extension ResultStore {
  package func append(_ record: CaseRecord) throws(StoreError) { try append(.point(record)) }

  /// The cases of a kind that need not be repeated: measured or unsupported ones, and failed ones unless they are
  /// retried; with `alone` no measured ones timed while other jobs ran. Files as found count for every preparation.
  /// - Parameter isEnough: false for a result that lacks something; nil to read none of them.
  package func finished(
    _ kind: Way.Kind, preparation: String, alone: Bool = false, isEnough: ((CaseRecord) -> Bool)? = nil
  ) throws(StoreError) -> Set<Case> {
    guard !options.fresh else { return [] }
    let failed = options.retryFailed
    return try read { db in
      var keys: Set<Case> = []
      try StoredResult.forEach(db, kind: kind) { row in
        switch try row.count(StoredResult.status) {
        case StoreWriter.Status.failed where failed: return
        case StoreWriter.Status.measured
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

  /// Passes on the latest result for each case, whatever its libraries and the image's content, ordered by image name.
  /// Images are read a few at a time; memory stays flat, and `body` may use the store.
  /// - Parameter precedes: The order within an image; that of arrival by default.
  /// - Throws: `StoreError`, or errors of `body`.
  func forEachLatest(
    _ kinds: [Way.Kind], where isWanted: (Case) -> Bool,
    by precedes: ((StoredResult, StoredResult) -> Bool)? = nil, _ body: (CaseRecord) throws -> Void
  ) throws {
    var last: String?
    while case let names = try read({ db in try StoredResult.names(db, kinds, after: last) }),
      let first = names.first, let end = names.last
    {
      last = end
      for record in try latest(kinds, from: first, to: end, where: isWanted, by: precedes) {
        try body(record)
      }
    }
  }

  private func latest(
    _ kinds: [Way.Kind], from first: String, to last: String, where isWanted: (Case) -> Bool,
    by precedes: ((StoredResult, StoredResult) -> Bool)?
  ) throws(StoreError) -> [CaseRecord] {
    try read { db in
      var places: [Case: Int] = [:]
      var results: [StoredResult] = []
      for kind in kinds {
        try StoredResult.forEach(db, kind: kind, from: first, to: last) { row in
          let key = try StoredResult.key(row)
          guard isWanted(key) else { return }
          let result = try StoredResult(
            record: StoredResult.record(row, key), setup: row.count(13))
          let place = places[result.place] ?? results.count
          places[result.place] = place
          if place == results.count { results.append(result) } else { results[place] = result }
        }
      }
      return results.enumerated().sorted { a, b in
        let (x, y) = (a.element.record.key.image.name, b.element.record.key.image.name)
        guard x == y else { return x.utf8.lexicographicallyPrecedes(y.utf8) }
        if let precedes {
          if precedes(a.element, b.element) { return true }
          if precedes(b.element, a.element) { return false }
        }
        return a.offset < b.offset
      }.map(\.element.record)
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
          try db.cachedStatement(sql: "DELETE FROM result WHERE \(StoreWriter.isCase)").execute(
            arguments: StatementArguments(try StoreWriter.columns(key, &identifiers, db)))
        }
      }
    }
  }
}
