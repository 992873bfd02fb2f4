import Analysis
import Model
import Reports
import Store

/// The reads of a folder, as a report.
struct DecodeReport: Sendable {
  static let files = FeatureFiles(
    table: "decodes.csv", named: "decode", pictures: "decode-images",
    charts: [DecodeTimeChart.name, DecodeMemoryChart.name])
  private static let title = "What it costs to get pixels out"

  let question: ReadQuestion
  let summary: DecodeSummary
  private let charts: [ReportChart]
  /// Streams the reads in order, without keeping them.
  private let forEachRow: @Sendable (_ body: (ReadRow) throws -> Void) throws -> Void

  /// Reports reads in this order; reads of one name must be adjacent.
  init(_ records: [CaseRecord], _ question: ReadQuestion = ReadQuestion()) {
    var table = ReadTable(honestScore: question.score)
    for record in records { table.add(ReadRow(record)) }
    self.init(table, question) { body in for record in records { try body(ReadRow(record)) } }
  }

  /// Reports the reads of a store; nil if there are none.
  init?(of store: ResultStore) throws {
    let question = try store.readQuestion()
    var table = ReadTable(honestScore: question.score)
    try store.forEachRead { table.add(ReadRow($0)) }
    guard table.count > 0 else { return nil }
    self.init(table, question) { body in try store.forEachRead { try body(ReadRow($0)) } }
  }

  private init(
    _ table: ReadTable, _ question: ReadQuestion,
    _ forEachRow: @escaping @Sendable (_ body: (ReadRow) throws -> Void) throws -> Void
  ) {
    (self.question, self.forEachRow) = (question, forEachRow)
    summary = DecodeSummary(table, bandwidth: question.bandwidth)
    charts = [
      DecodeTimeChart(table: table, answers: summary.answers).chart,
      DecodeMemoryChart(table: table, answers: summary.answers).chart,
    ].compactMap { $0 }
  }

  /// The report, whose page has these pictures; nil for none.
  func feature(with pictures: ReadPictureSet? = nil) -> FeatureReport {
    var report = FeatureReport(
      Self.files, title: Self.title, anchor: "reads", sentences: summary.sentences,
      blocks: summary.blocks(charts), table: StreamedTable(DecodeColumns.all, forEachRow: forEachRow))
    report.inRun = ("Getting pixels out", "Reading", "Every read stands in `\(Self.files.csv)`.")
    report.json = [
      ("honest_score", .number(question.score)), ("bandwidth_mbits", .number(question.bandwidth)),
      ("answers", .array(summary.answers.map(summary.json))),
      ("time_to_pixels", .array(summary.breakEvens.map(summary.json))),
    ]
    if let pictures { report.makePictures = { try pictures.make(for: self, in: $0, name: $1) } }
    return report
  }

  /// The size of shown pictures in pixels; if it was not asked for, the nearest one is shown.
  private static let shownSide = 320
  /// Larger pictures do not fit a list.
  private static let largestSide = 1024

  /// A file of a kind whose pictures a page shows, at one size by each route that gives pixels.
  struct Choice: Sendable {
    var kind: String
    var rows: [ReadRow]
  }

  /// Chooses the reads whose pictures a page shows.
  /// - Parameters:
  ///   - count: the number of files of each kind, those with the most routes first; nil for all.
  ///   - builds: the builds at hand; reads of others are measured only.
  func choices(count: Int?, builds: Set<String> = []) throws -> [Choice] {
    var kinds: [String] = []
    var routes: [String: [Int: [Int32: Int]]] = [:]
    try forEachShown(builds) { row, side, file in
      if routes[row.kind] == nil { kinds.append(row.kind) }
      routes[row.kind, default: [:]][side, default: [:]][file, default: 0] += 1
    }
    var places: [String: (side: Int, first: Int, files: [Int32])] = [:]
    var choices: [Choice] = []
    for kind in kinds {
      func distance(_ side: Int) -> (Int, Int) { (abs(side - Self.shownSide), side) }
      guard let (side, counts) = routes[kind]?.min(by: { distance($0.key) < distance($1.key) }) else {
        continue
      }
      let files = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key).prefix(count ?? .max)
      places[kind] = (side, choices.count, Array(files))
      choices += files.map { _ in Choice(kind: kind, rows: []) }
    }
    guard !choices.isEmpty else { return [] }
    try forEachShown(builds) { row, side, file in
      guard let place = places[row.kind], place.side == side, let index = place.files.firstIndex(of: file)
      else { return }
      choices[place.first + index].rows.append(row)
    }
    return choices
  }

  private func forEachShown(
    _ builds: Set<String>, _ body: (_ row: ReadRow, _ side: Int, _ file: Int32) -> Void
  ) throws {
    var numbers = ReadFileNumbers()
    try forEachRow { row in
      let (key, file) = (row.record.key, numbers.number(of: row.record.key.image).name)
      guard row.record.measurement != nil, case .side(let side) = key.wanted, side <= Self.largestSide,
        [.full, .scaled, .thumbnail].contains(key.route), key.build.map(builds.contains) ?? true
      else { return }
      body(row, side, file)
    }
  }
}

extension RowSource {
  /// The rows of a run, with the reports of what else was measured in its folder.
  init(_ store: ResultStore, run: StoredRun, pictures: ReadPictureSet? = nil) {
    self.init(store, run: run) { try DecodeReport(of: store).map { [$0.feature(with: pictures)] } ?? [] }
  }
}
