import GRDB
import Model
import Pixels

extension RunView {
  enum Selection {
    case rows
    case failures
  }

  func images(from position: Int, count: Int, _ selection: Selection, _ db: Database) throws -> [StoredImage]
  {
    var images = try images(from: position, count: count, db)
    guard let last = images.last?.image.position else { return [] }
    let indices = Dictionary(
      images.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    try addImports(to: &images, indices, from: position, to: last, db)
    let reader = PointReader(try metrics(db))
    let sql = """
      SELECT \(reader.columns), t.conditions, t.samples, t.run
      FROM list_image l JOIN result p ON p.image = l.image
      LEFT JOIN timing t ON t.image = p.image AND t.setup = p.setup AND t.quality = p.quality
      WHERE l.list = ? AND l.position BETWEEN ? AND ? AND \(condition)
      """
    // Not cached if the condition differs each time, which would only fill the statement cache.
    let statement =
      try selection == .rows
      ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql + failed(among: images))
    try db.forEach(statement, [list, position, last]) { current in
      guard let index = indices[try current.number(of: PointReader.image)] else { return }
      try add(current, reader, selection, to: &images[index].image)
    }
    return images.map(\.image)
  }

  private func addImports(
    to images: inout [(id: Int64, image: StoredImage)], _ indices: [Int64: Int], from first: Int,
    to last: Int,
    _ db: Database
  ) throws {
    let series = manifest.shownImports
    guard !series.isEmpty else { return }
    let orders = Dictionary(
      series.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let sql = """
      SELECT r.image, s.codec, r.way, \(StoredResult.written.map { "r.\($0)" }.joined(separator: ", "))
      FROM list_image l JOIN result r ON r.image = l.image AND \(StoredResult.isOf(.imported))
      JOIN setup s ON s.id = r.setup
      WHERE l.list = ? AND l.position BETWEEN ? AND ?
        AND s.preparation = (SELECT id FROM preparation WHERE spelling = ?)
      """
    try db.forEach(sql, [list, first, last, preparation]) { row in
      let name = try row.string(1)
      guard let order = orders[name], let index = indices[try row.number(of: 0)] else { return }
      guard let way = Way(try row.string(2)) else { throw StoredValueError(column: 2) }
      let key = Case(
        image: images[index].image.identity, preparation: preparation, variant: CodecVariant(codec: name),
        encodedAt: nil, way: way, libraries: "")
      let record = try StoredResult.record(row, key, from: 3).scored(by: manifest.metricPrograms)
      images[index].image.imports.append((order, record))
    }
  }

  private func failed(among images: [(id: Int64, image: StoredImage)]) -> String {
    let troubled = images.filter { $0.image.recordedProblem != nil }.map { String($0.id) }
    return
      " AND \(plannedCondition) AND (p.status = \(ResultRow.Status.failed.number) OR p.failed_scores IS NOT NULL "
      + "OR p.image IN (\(troubled.joined(separator: ","))))"
  }

  private func add(
    _ current: CurrentRow, _ reader: PointReader, _ selection: Selection, to image: inout StoredImage
  ) throws {
    let id = try current.number(of: PointReader.setup)
    guard let setup = setups[id], let order = setupOrders[id] else {
      throw StoredValueError(column: PointReader.setup)
    }
    let quality = try PointReader.quality(current)
    image.isMeasured = try image.isMeasured || PointReader.status(current) == .measured
    guard selection == .rows else {
      let key = Case(
        image: image.identity, preparation: preparation, variant: setup.variant, quality: quality,
        libraries: setup.libraries)
      image.failures += try reader.failures(current).map {
        (order, StoredFailure(image: image.identity, key: key, failure: $0))
      }
      return
    }
    var row = image.start
    (row.variant, row.libraries, row.quality) = (setup.variant, setup.libraries, quality)
    row.origin = origin(quality, try PointReader.origins(current))
    try reader.read(current, into: &row)
    if row.status == .measured { try addTimes(current, after: reader.count, to: &row) }
    image.rows.append((order, row))
  }

  /// Replaces the sweep's times with those of the exclusive pass, and drops times of a machine outside the run.
  private func addTimes(_ current: CurrentRow, after column: Int, to row: inout ResultRow) throws {
    var run = try current.integer(PointReader.run).map(Int64.init)
    if let series = try? StoredTiming.series(current, column, column + 1) {
      let exclusiveRun = try current.integer(column + 2).map(Int64.init) ?? run
      if !isForeign(exclusiveRun) {
        row.take(series)
        run = exclusiveRun
      }
    }
    let origin = run.flatMap { origins[$0] }
    guard isForeign(run) else { return row.timesOrigin = origin }
    row.foreignHost = origin?.host
    (row.conditions, row.repeats, row.times) = (nil, nil, OrdinalTable())
  }

  private func isForeign(_ run: Int64?) -> Bool {
    run.map { origins[$0] != nil && !localRuns.contains($0) } ?? false
  }

  private func images(
    from position: Int, count: Int, _ db: Database
  ) throws -> [(id: Int64, image: StoredImage)] {
    let sql = """
      SELECT l.position, i.id, i.name, i.hash, \(PreparedFields.columns.map { "r.\($0)" }.joined(separator: ", "))
      FROM list_image l JOIN image i ON i.id = l.image
      LEFT JOIN prepared r ON r.image = i.id
        AND r.preparation = (SELECT id FROM preparation WHERE spelling = ?)
      WHERE l.list = ? AND l.position >= ? ORDER BY l.position LIMIT ?
      """
    var images: [(id: Int64, image: StoredImage)] = []
    try db.forEach(sql, [preparation, list, position, count]) { row in
      // A damaged index may return unrequested rows, which would loop forever.
      let place = try row.count(0)
      guard place >= position, place > images.last?.image.position ?? -1 else {
        throw StoredValueError(column: 0)
      }
      let identity = ImageIdentity(name: try row.string(2), contentHash: try row.hash(3))
      let record = try PreparedFields.record(row, from: 4, identity, preparation)
      let image = StoredImage(position: place, identity, record)
      images.append((try row.number(of: 1), image))
    }
    return images
  }
}
