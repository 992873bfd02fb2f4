import GRDB
import Model

/// The rows that belong to a run: all points of its images with its variants, preparation and libraries. Qualities that
/// other runs in the folder measured count as well: they improve figures at equal score, and a narrower run removes
/// nothing.
struct RunView {
  let list: Int64
  let preparation: String
  /// Setup numbers with the order of their variants.
  let setupOrders: [Int64: Int]
  /// The origin of each run's times.
  let origins: [Int64: TimesOrigin]
  /// The runs on this run's machines.
  let localRuns: Set<Int64>
  let setups: [Int64: StoreSetup]
  /// The qualities of the run itself; empty for a search.
  private let grid: Set<Quality>
  private let isSearch: Bool
  private let isRefined: Bool
  private let outdated: String?
  let manifest: RunManifest

  init?(_ run: RunID, _ db: Database) throws {
    let sql = "SELECT list, manifest FROM run WHERE id = ?"
    let found = try db.map(sql, [run.rawValue]) { row in
      (list: try row.number(of: 0), manifest: try StoredManifest.value(row.string(1)))
    }.first
    guard let found else { return nil }
    let manifest = found.manifest
    (list, self.manifest) = found
    preparation = manifest.preparation.canonicalSpelling
    grid = Set(manifest.qualities)
    isSearch = manifest.target != nil
    isRefined = manifest.refinement != nil
    outdated = try Self.outdatedCondition(db)
    var orders: [StoreSetup: Int] = [:]
    for (order, description) in manifest.variants.enumerated() {
      let setup = StoreSetup(
        preparation: preparation, variant: description.variant,
        libraries: description.librariesInKey)
      orders[setup] = orders[setup] ?? order
    }
    origins = try Self.origins(db)
    let machine = manifest.machine
    localRuns = Set(origins.filter { machine.includes($0.value) }.keys)
    setups = try StoreDictionary(db).setups.filter { orders[$0.value] != nil }
    setupOrders = setups.compactMapValues { orders[$0] }
  }

  func variant(_ setup: Int64) -> CodecVariant? { setups[setup]?.variant }

  /// A condition on table `result`, with alias `p`, for the run's points of an image.
  var condition: String {
    var conditions: [String] = []
    if let outdated { conditions.append("NOT \(outdated)") }
    // Without refinement only grid points count.
    if !isSearch, !isRefined { conditions.append("p.origin & \(PointOrigins.refined.rawValue) = 0") }
    guard !conditions.isEmpty else { return setupCondition }
    return "\(setupCondition) AND (\(isPlanned) OR \(conditions.joined(separator: " AND ")))"
  }

  /// A condition on table `result`, with alias `p`, for points that a later fresh run replaces: it has begun to measure
  /// their image and setup again, perhaps at other qualities. Nil if the store has no fresh run.
  static func outdatedCondition(_ db: Database) throws -> String? {
    let runs = try Int64.fetchAll(db, sql: "SELECT id FROM run WHERE json_extract(manifest, '$.isFresh')")
    guard !runs.isEmpty else { return nil }
    return """
      (coalesce(p.run, 0) < \(runs.max() ?? 0) AND EXISTS (
        SELECT 1 FROM result f WHERE f.image = p.image AND f.way = '' AND f.setup = p.setup
          AND f.run > coalesce(p.run, 0) AND f.run IN (\(runs.map(String.init).joined(separator: ", ")))))
      """
  }

  var setupCondition: String {
    "p.way = '' AND p.setup IN (\(setupOrders.keys.sorted().map(String.init).joined(separator: ",")))"
  }

  /// The condition for grid points only; for all points in a search.
  var gridCondition: String {
    isSearch ? condition : "\(condition) AND (\(isPlanned) OR p.origin = 0)"
  }

  /// A condition on table `result`, with alias `p`, for points that the run itself measures.
  var plannedCondition: String {
    guard !isSearch else { return "1" }
    return isRefined ? "(\(isPlanned) OR p.origin & \(PointOrigins.refined.rawValue) <> 0)" : isPlanned
  }

  private var isPlanned: String {
    "p.quality IN (\(grid.sorted().map { String($0.thousandths) }.joined(separator: ",")))"
  }

  func isPlanned(_ quality: Quality) -> Bool { grid.contains(quality) }

  func origin(_ quality: Quality, _ origins: PointOrigins) -> PointOrigin {
    if grid.contains(quality) { return .grid }
    if isSearch, origins.contains(.searched) { return .searched }
    if origins.contains(.refined) { return .refined }
    return origins.contains(.searched) ? .searched : .grid
  }

  /// A condition on table `result`, with alias `p`, for points timed on a machine of the run.
  var timedHereCondition: String {
    guard localRuns.count < origins.count else { return "1" }
    return "(p.run IS NULL OR p.run IN (\(localRuns.sorted().map(String.init).joined(separator: ","))))"
  }

  /// The same for the exclusive pass, on table `timing` with alias `t`.
  var exclusivelyTimedHereCondition: String {
    timedHereCondition.replacing("p.run", with: "coalesce(t.run, p.run)")
  }

  /// The processors that timed points, of the run's machines only.
  func processors(_ db: Database) throws -> Set<String> {
    func names(_ runs: some Sequence<Int64>) -> Set<String> {
      Set(runs.compactMap { origins[$0]?.processor })
    }
    let known = names(localRuns)
    guard known.count > 1 else { return known }
    let timed = "SELECT run FROM result WHERE way = '' AND status = 0 UNION SELECT run FROM timing"
    return names(try Int64?.fetchAll(db, sql: timed).compactMap { $0 }.filter(localRuns.contains))
  }

  private static func origins(_ db: Database) throws -> [Int64: TimesOrigin] {
    var origins: [Int64: TimesOrigin] = [:]
    try db.forEach("SELECT id, \(originColumns) FROM run") { row in
      origins[try row.number(of: 0)] = try origin(row, from: 1)
    }
    return origins
  }

  /// Columns of table `run` from which `origin` builds the origin of its times.
  static let originColumns =
    "host, json_extract(manifest, '$.machine.processor'), json_extract(manifest, '$.jobs'), drift"

  static func origin(_ row: CurrentRow, from first: Int) throws -> TimesOrigin {
    TimesOrigin(
      host: try row.text(first) ?? "", processor: try row.text(first + 1) ?? "",
      jobs: try row.integer(first + 2) ?? 1, driftPercent: try row.number(first + 3))
  }

  func metrics(_ db: Database) throws -> [StoredMetric] {
    StoredMetric.of(manifest, among: try StoreDictionary.metrics(db))
  }
}
