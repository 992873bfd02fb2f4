import Analysis
import Metrics
import Model
import Reports
import Store

/// The first characters of every baseline and every measurements.csv.
let baselineBeginning = "image,"

extension RowSource {
  /// The metrics with scores, including those under a file's own names, so that no column is lost from file to file.
  func metrics(with scores: Set<String>) -> [MetricTraits] {
    let known = metrics.filter { scores.contains($0.id) }
    let others = scores.subtracting(known.map(\.id)).sorted()
    return known + others.map { MetricTraits(id: $0, column: $0, title: $0, decimals: 4) }
  }

  /// Writes the deterministic columns of all rows, sorted. Rows are read twice, since the first line names the metrics
  /// with scores. If rows come in the order of image names, as those of a run do, only one image's are held at a time.
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
    let all = MeasurementColumns.all(metrics: metrics)
    let names = BaselineSelection.columns(metricColumns: metrics.map(\.column))
    let columns = names.compactMap { name in all.first { $0.name == name } }
    var (stream, rows) = (TableStream(RowWriter(csv: columns), to: output), [ResultRow]())
    func writeRows() {
      for row in BaselineSelection.sorted(rows) { stream.append(row) }
      rows.removeAll(keepingCapacity: true)
    }
    try forEachRow { row in
      if isSorted, let image = rows.last?.image, image != row.image { writeRows() }
      // An unsorted file is held as a whole, and no baseline shows these.
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
        return ways.filter { $0.requiredColumns.allSatisfy(columns.contains) }
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
    guard let store else {
      return try TableCSV.rows(
        ofFile: path, required: subject.requiredColumns, amounts: GateSubject.amountColumns
      ).map(subject.row)
    }
    return try Self.table(of: subject, store)?.rows ?? []
  }

  private static func table(of subject: GateSubject, _ store: ResultStore) throws -> GatedTable? {
    switch subject {
    case .points: nil
    case .reads: GatedTable(reads: try store.reads())
    case .tiles: try TileReport(of: store)?.gated
    case .generations: try store.chains().map(GatedTable.init(chains:))
    }
  }

  func writeBaseline(
    of subject: GateSubject, to output: inout some TextOutputStream, seeing: (ResultRow) -> Void = { _ in }
  ) throws {
    if subject == .points { return try rows().writeBaseline(to: &output, seeing: seeing) }
    guard let table = try Self.table(of: subject, try store ?? ResultStore(reading: path)),
      !table.rows.isEmpty
    else {
      let lack =
        switch subject {
        case .points, .reads: "no files were read into “\(path)” yet; “heicbench decode” reads them"
        case .tiles: "nothing was cut into tiles in “\(path)” yet; “heicbench tiles” does"
        case .generations: "no chains were made into “\(path)” yet; “heicbench generations” makes them"
        }
      throw HeicBenchError(.resultsUnusable, lack)
    }
    output.write(table.baseline())
    table.rows.forEach(seeing)
  }
}
