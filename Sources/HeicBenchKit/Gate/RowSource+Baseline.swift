import Analysis
import Metrics
import Model
import Reports
import Store

/// The first characters of every baseline and every measurements.csv.
let baselineBeginning = "image,"

extension RowSource {
  /// The metrics with scores, including those that only the file names, so that no column is lost from one file to the
  /// next.
  func metrics(with scores: Set<String>) -> [MetricTraits] {
    let known = metrics.filter { scores.contains($0.id) }
    let others = scores.subtracting(known.map(\.id)).sorted()
    return known + others.map { MetricTraits(id: $0, column: $0, title: $0, decimals: 4) }
  }

  /// Writes the deterministic columns of all rows, sorted. Rows are read twice, since the first line names the metrics
  /// with scores. If rows come in the order of image names, as in a run, only one image's rows are in memory at a time.
  func writeBaseline(
    to output: inout some TextOutputStream, seeing: (ResultRow) -> Void = { _ in }
  ) throws {
    var (scores, isSorted, last) = (Set<String>(), true, "")
    try forEachRow { row in
      seeing(row)
      for metric in row.scores.keys where !scores.contains(metric) { scores.insert(metric) }
      guard row.image != last else { return }
      isSorted = isSorted && last.utf8.lexicographicallyPrecedes(row.image.utf8)
      last = row.image
    }
    // As in measurements.csv, the columns of HDR identify an HDR run.
    let light = isHDR ? MetricTraits.hdr : []
    let metrics = light + metrics(with: scores).filter { metric in !light.contains { $0.id == metric.id } }
    let columns = BaselineColumns.all(.point, scores: metrics)
    var (stream, rows) = (TableStream(RowWriter(csv: columns), to: output), [ResultRow]())
    func writeRows() {
      for row in BaselineSelection.sorted(rows) { stream.append(row) }
      rows.removeAll(keepingCapacity: true)
    }
    try forEachRow { row in
      if isSorted, let image = rows.last?.image, image != row.image { writeRows() }
      // An unsorted file is in memory as a whole, and a baseline does not show these.
      var row = row
      (row.times, row.figures, row.error) = (.init(), .init(), nil)
      rows.append(row)
    }
    writeRows()
    output = stream.finish()
  }
}

extension ResultsInput {
  /// Subjects besides the sweep: measured in the folder, or identified by the columns of the file.
  var costSubjects: [GateSubject] {
    get throws {
      let ways = GateSubject.allCases.filter { $0 != .points }
      guard let store else {
        let columns = TableCSV.columns(ofFile: path) ?? []
        return ways.filter { BaselineColumns.required($0.kind).allSatisfy(columns.contains) }
      }
      return try ways.filter { subject in
        switch subject {
        case .points: false
        case .reads: try store.hasReads()
        case .tiles: try store.tileScope() != nil
        case .generations: try store.chains() != nil
        }
      }
    }
  }

  func rows(of subject: GateSubject) throws -> [ResultRow] {
    guard let store else { return try MeasurementsCSV.rows(ofFile: path, of: subject.kind) }
    return try Self.rows(of: subject, store).rows
  }

  /// The rows in a baseline's order, and the metrics that have columns in it even without scores.
  private static func rows(
    of subject: GateSubject, _ store: ResultStore
  ) throws -> (rows: [ResultRow], metrics: [String]) {
    var (rows, metrics): ([ResultRow], [String]) = ([], [])
    switch subject {
    case .points: break
    case .reads:
      rows = try store.reads().map(ResultRow.init(read:))
      metrics = Figures.readMetrics + [ReadScore.aligned.name]
    case .tiles:
      rows = try TileReport(of: store)?.rows.map(ResultRow.init(cut:)) ?? []
      metrics = [MetricTraits.headline.id, BaselineColumns.wholeScore]
    case .generations:
      let chains = try store.chains() ?? []
      rows = GenerationColumns.Row.all(chains).map(ResultRow.init(generation:))
      metrics = chains.flatMap { $0.figures?.asked ?? [] }
    }
    func name(_ row: ResultRow) -> String {
      "\(row.variant?.name ?? "") \(subject.place(of: row)?.way ?? "")"
    }
    let named = rows.map { (row: $0, name: name($0)) }
    return (named.sorted { ($0.row.image, $0.name) < ($1.row.image, $1.name) }.map(\.row), metrics)
  }

  func writeBaseline(
    of subject: GateSubject, to output: inout some TextOutputStream, seeing: (ResultRow) -> Void = { _ in }
  ) throws {
    if subject == .points { return try rows().writeBaseline(to: &output, seeing: seeing) }
    let (rows, metrics) = try Self.rows(of: subject, try store ?? ResultStore(reading: path))
    guard !rows.isEmpty else {
      let lack =
        switch subject {
        case .points, .reads: "“\(path)” has no reads yet; “heicbench decode” measures them"
        case .tiles: "“\(path)” has no tiles yet; “heicbench tiles” measures them"
        case .generations: "“\(path)” has no chains yet; “heicbench generations” makes them"
        }
      throw HeicBenchError(.resultsUnusable, lack)
    }
    let scored = rows.reduce(into: Set(metrics)) { $0.formUnion($1.scores.keys) }
    let scores = BaselineColumns.scores(of: subject.kind).filter { scored.contains($0.id) }
    output.write(RowWriter(csv: BaselineColumns.all(subject.kind, scores: scores)).text(rows))
    rows.forEach(seeing)
  }
}
