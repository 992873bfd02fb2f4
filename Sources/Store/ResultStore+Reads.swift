import GRDB
package import Model

extension ResultStore {
  /// Merges stores that hold no runs into this one. Entries here are kept unless they failed here and were measured
  /// there.
  package func mergeCosts(_ folders: [String]) throws(StoreError) {
    for folder in folders {
      let source = try ResultStore(reading: folder)
      let (hasReads, tiles) = (try source.hasReads(), try source.tileQuestion())
      guard hasReads || tiles != nil else {
        throw .unmergeable(path: source.path, reason: "it has neither runs nor reads nor tiles")
      }
      var report = MergeReport(run: RunID(rawValue: 0))
      _ = try StoreMerger.merge(source, into: self, &report)
    }
  }

  /// The latest read per image name, file or encode, route and size, without pictures that are gone.
  package func reads() throws -> [CaseRecord] {
    var records: [CaseRecord] = []
    try forEachRead { records.append($0) }
    return records
  }

  /// Passes on the same reads one at a time; memory stays flat, and `body` may use the store.
  /// - Throws: `StoreError`, or errors of `body`.
  package func forEachRead(_ body: (CaseRecord) throws -> Void) throws {
    let gone = try read(Self.goneFromReads)
    try forEachLatest([.read], where: { !gone.contains($0.image.name) }, by: StoredResult.precedes, body)
  }

  package func hasReads() throws(StoreError) -> Bool {
    let gone = try read(Self.goneFromReads)
    var last: String?
    while case let names = try read({ db in try StoredResult.names(db, [.read], after: last) }),
      !names.isEmpty
    {
      if names.contains(where: { !gone.contains($0) }) { return true }
      last = names.last
    }
    return false
  }
}

extension StoredResult {
  /// Orders the reads of an image: files as found first, by the system's libraries and then by builds, then encodes in
  /// order of arrival; routes and sizes ascending.
  static func precedes(_ a: StoredResult, _ b: StoredResult) -> Bool {
    let (x, y) = (a.record.key, b.record.key)
    if (x.encodedAt == nil) != (y.encodedAt == nil) { return x.encodedAt == nil }
    if x.encodedAt != nil, a.setup != b.setup { return a.setup < b.setup }
    if x.quality != y.quality { return x.quality < y.quality }
    if x.build != y.build { return (x.build ?? "") < (y.build ?? "") }
    let routes = ReadRoute.allCases
    let (i, j) = (routes.firstIndex(of: x.route) ?? 0, routes.firstIndex(of: y.route) ?? 0)
    return i == j ? x.wanted.amount < y.wanted.amount : i < j
  }
}

extension WantedPixels {
  /// A sort key.
  fileprivate var amount: Int {
    switch self {
    case .side(let side): side
    case .part(let width, let height): width * height
    case .all: .max
    }
  }
}
