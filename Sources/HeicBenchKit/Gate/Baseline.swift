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
    // As in measurements.csv, the columns of HDR tell a run of it.
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
  /// Subjects besides the sweep: measured in the folder, or told by the columns of the file.
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
        case .tiles: try store.tileQuestion() != nil
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

struct BaselineTally {
  let noun: String
  private var images: Set<String> = []
  private var measured = 0
  private var failed = 0
  /// Images that cannot be used or whose points or reads fail, each with its first reason, in input order.
  private var troubles: [(image: String, reason: String)] = []

  init(noun: String) { self.noun = noun }

  mutating func add(_ row: ResultRow) {
    if row.status == .failed || row.variant == nil, troubles.last?.image != row.image,
      !troubles.contains(where: { $0.image == row.image })
    {
      troubles.append((row.image, row.error ?? "no reason given"))
    }
    if row.variant == nil { return }
    if row.status == .measured {
      images.insert(row.image)
      measured += 1
    }
    if row.status == .failed { failed += 1 }
  }

  func sentences(_ file: String) -> [String] {
    let held =
      "“\(file)” has \(Numerals.counted(images.count, "image")), \(Numerals.counted(measured, noun))"
    guard !troubles.isEmpty else { return [held] }
    let shown = 5
    let names = troubles.prefix(shown).map { "\($0.image) (\($0.reason))" }.joined(separator: "; ")
    let more = troubles.count > shown ? " and \(troubles.count - shown) more" : ""
    let what = failed > 0 ? "\(Numerals.counted(failed, noun)) failed, " : ""
    return [
      held,
      "what fails guards nothing: \(what)\(Numerals.counted(troubles.count, "image")): \(names)\(more)",
    ]
  }
}

/// The rows of a baseline file, to compare with a new one: digests by the digests of their names.
struct BaselineRows {
  private var rows: [Int: Int] = [:]

  init(_ file: String, _ subject: GateSubject) throws {
    let input = try ResultsInput(file)
    if subject == .points {
      try input.rows().forEachRow { add($0) }
    } else {
      try input.rows(of: subject).forEach { add($0) }
    }
  }

  private mutating func add(_ row: ResultRow) {
    var row = row
    // Times differ from run to run.
    row.times = .init()
    let name = [
      row.image, row.variant?.name ?? "", row.quality?.description ?? "", row.importedFile ?? "",
    ]
    rows[name.hashValue] = row.hashValue
  }

  func difference(from before: BaselineRows) -> String {
    let new = rows.keys.count { before.rows[$0] == nil }
    let gone = before.rows.keys.count { rows[$0] == nil }
    let changed = rows.count { name, row in before.rows[name].map { $0 != row } ?? false }
    guard new + gone + changed > 0 else { return "its rows are those it had" }
    return "of its rows \(new) are new, \(changed) changed, and \(gone) of before are gone"
  }
}

/// Contents of a committed baseline: the deterministic columns of a run, in an order that does not depend on the run,
/// so that its diffs show changed figures alone.
enum BaselineSelection {
  /// Returns the columns of `measurements.csv` kept by a baseline, with the metrics' columns after `encoded_bytes`.
  static func columns(metricColumns: [String]) -> [String] {
    [
      CSVColumnNames.image, CSVColumnNames.width, CSVColumnNames.height, CSVColumnNames.codec,
      CSVColumnNames.settings, CSVColumnNames.quality, CSVColumnNames.status, CSVColumnNames.encodedBytes,
    ] + metricColumns + [
      CSVColumnNames.libraries, CSVColumnNames.imageHash, CSVColumnNames.origin, CSVColumnNames.build,
      CSVColumnNames.importedFile,
    ]
  }

  /// Returns the rows by image, codec, settings and quality. Names are compared by bytes, alike on every machine.
  static func sorted(_ rows: [ResultRow]) -> [ResultRow] {
    rows.map { row in
      let variant = row.variant
      return (
        image: Array(row.image.utf8),
        names: [variant?.codec ?? "", variant?.build ?? "", variant?.canonicalSettings ?? ""],
        quality: row.quality?.thousandths ?? -1, file: row.importedFile ?? "", row: row
      )
    }.sorted { a, b in
      if a.image != b.image { return a.image.lexicographicallyPrecedes(b.image) }
      if a.names != b.names { return a.names.lexicographicallyPrecedes(b.names) }
      return a.quality != b.quality ? a.quality < b.quality : a.file < b.file
    }.map(\.row)
  }
}
