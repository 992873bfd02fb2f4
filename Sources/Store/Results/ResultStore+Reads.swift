import Foundation
import GRDB
package import Model

/// The calls whose pictures are listed, by the beginning of their lists' subjects.
package enum ListedCall: String, Sendable, CaseIterable {
  case reads = "reads-of:"
  case tiles = "tiles-of:"
}

/// The pictures that earlier calls found, so that deleted files do not stay in reports.
private struct PictureList: Codable {
  /// Names found by the last call over the same roots.
  var present: [String]
  /// The same in all lists of this store over these roots, so that a merge replaces an earlier one by a later one; nil in
  /// stores of earlier versions.
  var id: String?
}

/// A question that reports answer, stored as JSON by subject. The JSON may come from a stranger.
package protocol StoredScope: Codable {
  static var subject: String { get }
  /// The question of two merged stores; `self` is the first store's.
  func joined(with other: Self) -> Self
}

extension ReadScope: StoredScope {
  package static let subject = "reads"

  package func joined(with other: ReadScope) -> ReadScope {
    let (own, further) = (metrics ?? [], other.metrics ?? [])
    return ReadScope(
      score: score, bandwidth: bandwidth ?? other.bandwidth,
      roots: roots + other.roots.filter { !roots.contains($0) },
      metrics: own + further.filter { metric in !own.contains { $0.id == metric.id } })
  }
}

extension TileScope: StoredScope {
  package static let subject = "tiles"

  package func joined(with other: TileScope) -> TileScope { self }
}

/// The chains that the latest call requested, so that a gate compares only those.
package struct ChainScope: Sendable, Hashable, StoredScope {
  package static let subject = "chains"
  private var images: Set<ImageIdentity>
  /// Each chain without its image.
  private var chains: Set<Case>
  /// Questions of merged stores, each with its own images and chains.
  private var others: Set<ChainScope>?

  package init(_ keys: Set<Case>) {
    images = Set(keys.map(\.image))
    chains = Set(keys.map(Self.chain))
  }

  package func joined(with other: ChainScope) -> ChainScope {
    // The same chains for more images form one question, so that the questions of many shards stay small.
    var images: [Set<Case>: Set<ImageIdentity>] = [:]
    for part in [self, other].flatMap({ [$0] + ($0.others ?? []) }) {
      images[part.chains, default: []].formUnion(part.images)
    }
    var (own, all) = (self, Set<ChainScope>())
    for (chains, images) in images {
      var part = self
      (part.chains, part.images, part.others) = (chains, images, nil)
      if chains == self.chains { own = part } else { all.insert(part) }
    }
    own.others = all.isEmpty ? nil : all
    return own
  }

  func covers(_ key: Case) -> Bool {
    images.contains(key.image) && chains.contains(Self.chain(key))
      || others?.contains { $0.covers(key) } == true
  }

  private static func chain(_ key: Case) -> Case {
    var chain = key
    chain.image = ImageIdentity(name: "", contentHash: "")
    return chain
  }
}

extension ResultStore {
  /// The last call's question about reads; the defaults if there was none or it is unreadable.
  package func readScope() throws(StoreError) -> ReadScope {
    guard let asked = try question(ReadScope.self, ReadScope.subject) else { return ReadScope() }
    // Validated again by this initialiser.
    return ReadScope(
      score: asked.score, bandwidth: asked.bandwidth, roots: asked.roots, metrics: asked.metrics ?? [])
  }

  package func tileScope() throws(StoreError) -> TileScope? {
    try question(TileScope.self, TileScope.subject)
  }

  /// The chains of the last call, in order of arrival; nil if there was none.
  package func chains() throws(StoreError) -> [CaseRecord]? {
    guard let asked = try question(ChainScope.self, ChainScope.subject) else { return nil }
    return try results(.generations, where: asked.covers)
  }

  package func note<Question: StoredScope>(_ question: Question) throws(StoreError) {
    try note(question, Question.subject)
  }

  /// Stores the names of the pictures that a call found below its roots.
  /// - Parameters:
  ///   - roots: The requested roots; each shard counts as different roots.
  ///   - isPart: True if the call looked for some of the pictures only, so that others may still exist.
  /// - Returns: Names found by the previous call but not by this one, sorted.
  package func note(
    pictures names: Set<String>, of call: ListedCall, roots: String, isPart: Bool = false
  ) throws(StoreError) -> [String] {
    let subject = call.rawValue + roots
    let before = try question(PictureList.self, subject)
    let earlier = Set(before?.present ?? [])
    let present = isPart ? names.union(earlier) : names
    try note(PictureList(present: present.sorted(), id: before?.id ?? UUID().uuidString), subject)
    return earlier.subtracting(present).sorted()
  }

  /// Stores what the last call for a feature's report, such as `tiles`, skipped.
  package func note(_ skipped: SkippedFiles, for report: String) throws(StoreError) {
    try note(skipped, Self.skippedSubject + report)
  }

  /// What the last call for a feature's report skipped; nil if there was none.
  package func skipped(for report: String) throws(StoreError) -> SkippedFiles? {
    try question(SkippedFiles.self, Self.skippedSubject + report)
  }

  private static let skippedSubject = "skipped:"

  /// The names of pictures that the latest call over any roots found; nil if no call listed them.
  private func pictures(of call: ListedCall) throws(StoreError) -> Set<String>? {
    try read { db in
      let sql = "SELECT text FROM question WHERE subject LIKE ?"
      let lists = try String.fetchAll(db, sql: sql, arguments: [call.rawValue + "%"]).compactMap {
        try? StoredJSON.value(PictureList.self, $0)
      }
      return lists.isEmpty ? nil : Set(lists.flatMap(\.present))
    }
  }

  /// Adds the questions of another store, attached as `shard`. A list of pictures gets its identifier as subject, or
  /// without one its text, so that lists of several stores over the same roots are kept side by side.
  static func mergeQuestions(_ db: Database) throws {
    try join(ReadScope.self, db)
    try join(TileScope.self, db)
    try join(ChainScope.self, db)
    let isList = ListedCall.allCases.map { "subject LIKE '\($0.rawValue)%'" }.joined(separator: " OR ")
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.question SELECT subject, text FROM shard.question WHERE NOT (\(isList));
        INSERT OR REPLACE INTO main.question
          SELECT substr(subject, 1, instr(subject, ':'))
            || coalesce(iif(json_valid(text), json_extract(text, '$.id'), NULL), text), text
          FROM shard.question WHERE \(isList);
        """)
  }

  private static func join<Question: StoredScope>(_ type: Question.Type, _ db: Database) throws {
    func question(_ schema: String) throws -> Question? {
      try String.fetchOne(
        db, sql: "SELECT text FROM \(schema).question WHERE subject = ?", arguments: [Question.subject]
      ).flatMap { try? StoredJSON.value(type, $0) }
    }
    guard let here = try question("main"), let there = try question("shard") else { return }
    try db.execute(
      sql: "UPDATE main.question SET text = ? WHERE subject = ?",
      arguments: [try StoredJSON.text(here.joined(with: there)), Question.subject])
  }

  private func question<Question: Decodable>(
    _ type: Question.Type, _ subject: String
  ) throws(StoreError) -> Question? {
    let sql = "SELECT text FROM question WHERE subject = ?"
    let text = try read { db in try String.fetchOne(db, sql: sql, arguments: [subject]) }
    return text.flatMap { try? StoredJSON.value(type, $0) }
  }

  private func note(_ question: some Encodable, _ subject: String) throws(StoreError) {
    try write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO question(subject, text) VALUES (?, ?)",
        arguments: [subject, try StoredJSON.text(question)])
    }
  }
}

extension ResultStore {
  /// Merges stores that hold no runs into this one. Entries here are kept unless they failed here and were measured
  /// there; scores of the same file that only one side has are joined.
  package func mergeCosts(_ folders: [String]) throws(StoreError) {
    for folder in folders {
      let source = try mergeable(folder)
      let ways = [try source.hasReads(), try source.tileScope() != nil, try source.chains() != nil]
      guard ways.contains(true) else {
        throw .unmergeable(
          path: source.path, reason: "it has no runs, reads, tiles or generations")
      }
      var report = MergeReport(run: RunID(rawValue: 0))
      _ = try StoreMerger.merge(source, into: self, &report)
    }
  }

  /// Passes on the latest result for each case, whatever its libraries and the image's content, ordered by image name.
  /// Images are read a few at a time, so memory use stays constant and `body` may use the store.
  /// - Parameter precedes: The order within an image; by default the order of arrival.
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
      // The sort is stable, so equal results stay in order of arrival.
      return results.sorted { a, b in
        let (x, y) = (a.record.key.image.name, b.record.key.image.name)
        guard x == y else { return x.utf8.lexicographicallyPrecedes(y.utf8) }
        return precedes?(a, b) ?? false
      }.map(\.record)
    }
  }

  /// The latest read per image name, file or encode, route and size, except for deleted pictures.
  package func reads() throws -> [CaseRecord] {
    var records: [CaseRecord] = []
    try forEachRead { records.append($0) }
    return records
  }

  /// Passes on the same reads one at a time; memory use stays constant, and `body` may use the store.
  package func forEachRead(_ body: (CaseRecord) throws -> Void) throws {
    let listed = try pictures(of: .reads)
    try forEachLatest(
      [.read], where: { listed?.contains($0.image.name) ?? true }, by: StoredResult.precedes, body)
  }

  /// The processors that timed these reads, the one with the most first.
  package func readProcessors() throws -> [String] {
    // Most stores have times of one processor only, whichever reads are shown; decoding all of them takes much longer.
    let stored: [String] = try read { db in
      let sql = """
        SELECT DISTINCT CAST(
          iif(json_valid(r.detail), json_extract(r.detail, '$.timesOrigin.processor'), NULL) AS TEXT) AS processor
        FROM image i CROSS JOIN result r ON r.image = i.id AND \(StoredResult.isOf(.read))
        WHERE r.status = 0 AND processor IS NOT NULL LIMIT 2
        """
      return try String.fetchAll(db, sql: sql)
    }
    guard stored.count > 1 else { return stored }
    var counts: [String: Int] = [:]
    try forEachRead { read in
      guard read.figures != nil, let origin = read.timesOrigin else { return }
      counts[origin.processor, default: 0] += 1
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  package func hasReads() throws(StoreError) -> Bool {
    let listed = try pictures(of: .reads)
    var last: String?
    while case let names = try read({ db in try StoredResult.names(db, [.read], after: last) }),
      !names.isEmpty
    {
      if names.contains(where: { listed?.contains($0) ?? true }) { return true }
      last = names.last
    }
    return false
  }

  /// The cuts that a question covers, except those of deleted pictures, ordered by image name, then by arrival, with the
  /// points without tiles of the same pictures, codecs and libraries.
  package func tilings(_ question: TileScope) throws -> [CaseRecord] {
    var records: [CaseRecord] = []
    let listed = try pictures(of: .tiles)
    try forEachLatest(
      [.tiles, .whole],
      where: {
        $0.preparation == question.preparation && ($0.way == .whole || $0.cut.view == question.view)
          && listed?.contains($0.image.name) ?? true
      }
    ) { records.append($0) }
    let cut = Set(records.map { $0.key.untiled(at: nil) })
    var images: Set<ImageIdentity> = []
    for image in records.map(\.key.image) where images.insert(image).inserted {
      let points = try points(of: image, preparation: question.preparation)
      records += points.values.filter { cut.contains($0.key.untiled(at: nil)) }
        .sorted { $0.key.quality < $1.key.quality }
    }
    return records
  }
}

extension StoredResult {
  /// Orders the reads of an image: source files first, by the system's libraries and then by builds, then encodes in
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
  fileprivate var amount: Int {
    switch self {
    case .side(let side): side
    case .part(let width, let height): width * height
    case .all: .max
    }
  }
}
