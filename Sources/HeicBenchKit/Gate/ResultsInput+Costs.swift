import Analysis
import Reports
import Store

extension ResultsInput {
  /// Subjects besides the sweep: measured in the folder, or told by the columns of the file.
  var costSubjects: [GateSubject] {
    get throws {
      let ways = GateSubject.allCases.filter { $0 != .points }
      guard let store else {
        let columns = TableCSV.columns(ofFile: path) ?? []
        return ways.filter { $0.requiredColumns.allSatisfy(columns.contains) }
      }
      return try ways.filter { try Self.has($0, store) }
    }
  }

  private static func has(_ subject: GateSubject, _ store: ResultStore) throws -> Bool {
    switch subject {
    case .points: false
    case .reads: try store.hasReads()
    case .tiles: try store.tileQuestion() != nil
    case .generations: try store.chains() != nil
    }
  }

  func costs(of subject: GateSubject) throws -> [ResultRow] {
    guard let store else {
      return try TableCSV.rows(
        ofFile: path, required: subject.requiredColumns, amounts: GateSubject.amountColumns
      ).map(subject.row)
    }
    return try Self.table(of: subject, store)?.rows ?? []
  }

  /// The baseline of a way other than points as CSV; throws `HeicBenchError` if nothing was measured.
  func baseline(of subject: GateSubject) throws -> String {
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
    return table.baseline()
  }

  private static func table(of subject: GateSubject, _ store: ResultStore) throws -> GatedTable? {
    switch subject {
    case .points: nil
    case .reads: GatedTable(reads: try store.reads())
    case .tiles: try TileReport(of: store)?.gated
    case .generations: try store.chains().map(GatedTable.init(chains:))
    }
  }
}

extension ResultStore {
  /// The reports on reads and on tiles, of those that the store has.
  /// - Parameter pictures: Makes the pictures of a report on reads; nil for none.
  func costReports(
    pictures: (DecodeReport) throws -> ReadPictureSet? = { _ in nil }
  ) throws -> [FeatureReport] {
    let reads = try DecodeReport(of: self)
    return try [reads?.feature(with: reads.flatMap(pictures)), TileReport(of: self)?.feature].compactMap {
      $0
    }
  }
}
