import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Synchronization
import Workers

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
  private let forEachRow: @Sendable (_ body: (CaseRecord) throws -> Void) throws -> Void

  /// Reports reads in this order; reads of one name must be adjacent.
  init(_ records: [CaseRecord], _ question: ReadQuestion = ReadQuestion()) {
    var table = ReadTable(question)
    for record in records { table.add(record) }
    self.init(table) { body in try records.forEach(body) }
  }

  /// Reports the reads of a store; nil if there are none.
  init?(of store: ResultStore) throws {
    var table = ReadTable(try store.readQuestion())
    try store.forEachRead { table.add($0) }
    guard table.count > 0 else { return nil }
    self.init(table) { body in try store.forEachRead(body) }
  }

  private init(
    _ table: ReadTable,
    _ forEachRow: @escaping @Sendable (_ body: (CaseRecord) throws -> Void) throws -> Void
  ) {
    (question, self.forEachRow) = (table.question, forEachRow)
    summary = DecodeSummary(table)
    charts = [
      DecodeTimeChart(table: table, answers: summary.answers).chart,
      DecodeMemoryChart(table: table, answers: summary.answers).chart,
    ].compactMap { $0 }
  }

  /// The report, whose page has these pictures; nil for none.
  func feature(with pictures: ReadPictureSet? = nil) -> FeatureReport {
    var report = FeatureReport(
      Self.files, title: Self.title, anchor: "reads", sentences: summary.sentences,
      blocks: summary.blocks(charts),
      table: StreamedTable(
        DecodeColumns.all(furtherMetrics: question.metrics ?? []), forEachRow: forEachRow))
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
    var reads: [CaseRecord]
  }

  /// Chooses the reads whose pictures a page shows.
  /// - Parameters:
  ///   - count: the number of files of each kind, those with the most routes first; nil for all.
  ///   - builds: the builds at hand; reads of others are measured only.
  func choices(count: Int?, builds: Set<String> = []) throws -> [Choice] {
    var kinds: [String] = []
    var routes: [String: [Int: [Int: Int]]] = [:]
    try forEachShown(builds) { read, side, file in
      if routes[read.kind] == nil { kinds.append(read.kind) }
      routes[read.kind, default: [:]][side, default: [:]][file, default: 0] += 1
    }
    var places: [String: (side: Int, first: Int, files: [Int])] = [:]
    var choices: [Choice] = []
    for kind in kinds {
      func distance(_ side: Int) -> (Int, Int) { (abs(side - Self.shownSide), side) }
      guard let (side, counts) = routes[kind]?.min(by: { distance($0.key) < distance($1.key) }) else {
        continue
      }
      let files = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key).prefix(count ?? .max)
      places[kind] = (side, choices.count, Array(files))
      choices += files.map { _ in Choice(kind: kind, reads: []) }
    }
    guard !choices.isEmpty else { return [] }
    try forEachShown(builds) { read, side, file in
      guard let place = places[read.kind], place.side == side, let index = place.files.firstIndex(of: file)
      else { return }
      choices[place.first + index].reads.append(read)
    }
    return choices
  }

  /// Passes on the reads with pictures, and the number of each one's file in order of names, which are contiguous.
  private func forEachShown(
    _ builds: Set<String>, _ body: (_ read: CaseRecord, _ side: Int, _ file: Int) -> Void
  ) throws {
    var (name, file) = (String?.none, -1)
    try forEachRow { read in
      let key = read.key
      if key.image.name != name { (name, file) = (key.image.name, file + 1) }
      guard read.figures != nil, case .side(let side) = key.wanted, side <= Self.largestSide,
        [.full, .scaled, .thumbnail].contains(key.route), key.build.map(builds.contains) ?? true
      else { return }
      body(read, side, file)
    }
  }
}

extension RowSource {
  /// The rows of a run, with the reports of what else was measured in its folder.
  init(_ store: ResultStore, run: StoredRun, pictures: ReadPictureSet? = nil) {
    self.init(store, run: run) { try DecodeReport(of: store).map { [$0.feature(with: pictures)] } ?? [] }
  }
}

/// The pictures of a page of reads, made by workers: the result of each route for some of the files.
final class ReadPictureSet: Sendable {
  /// Finds the image of a name with the content that was read; nil if it is gone.
  private let entry: @Sendable (String) -> CorpusEntry?
  private let configuration: RunnerConfiguration
  private let page: PageSettings
  private let notice: @Sendable (String) -> Void
  private let state = Mutex((isCancelled: false, pool: WorkerPool?.none))

  init(
    entry: @escaping @Sendable (String) -> CorpusEntry?, configuration: RunnerConfiguration,
    page: PageSettings, notice: @escaping @Sendable (String) -> Void
  ) {
    (self.entry, self.configuration, self.page, self.notice) = (entry, configuration, page, notice)
  }

  /// Stops making pictures; callable from any thread.
  func cancel() {
    let pool = state.withLock { state in
      state.isCancelled = true
      return state.pool
    }
    pool?.cancel()
  }

  private struct Item: Sendable {
    var group: Int
    var read: CaseRecord
    var entry: CorpusEntry
  }

  /// Makes the pictures that a report chooses; reports and skips those that cannot be shown.
  /// - Parameter name: the folder beside the page.
  func make(for report: DecodeReport, in files: OwnedFolder, name: String) throws -> [PictureGroup] {
    let choices = try report.choices(count: page.images, builds: Set(configuration.builds.map(\.name)))
    var found: [String: CorpusEntry?] = [:]
    var items: [Item] = []
    for (group, choice) in choices.enumerated() {
      guard let name = choice.reads.first?.key.image.name else { continue }
      let known = found[name] ?? entry(name)
      found[name] = known
      if let known { items += choice.reads.map { Item(group: group, read: $0, entry: known) } }
    }
    guard !items.isEmpty else { return [] }
    let folder = URL(filePath: try files.makeScratch())
    let pool = try pool(for: items)
    let isLate = state.withLock { state in
      state.pool = pool
      return state.isCancelled
    }
    if isLate { pool.cancel() }
    let made = try pool.map(items, pixels: { $0.entry.file.pixels }) { [configuration] worker, item in
      let request = ReadRequest(path: item.entry.file.path, key: item.read.key, repeats: 1)
      let seconds = configuration.timeout(pixels: item.entry.file.pixels, repeats: 1)
      return try worker.show(request, of: item.entry.file, within: seconds)
    }
    return try addresses(items, made, choices, folder, files, name)
  }

  /// A pool that prepares pictures for codecs as the run of reads did.
  private func pool(for items: [Item]) throws -> WorkerPool {
    let encoded = items.compactMap { $0.read.key.encoding?.variant }
    let variants = encoded.isEmpty ? [CodecVariant(codec: "jpeg")] : encoded
    let preparation = Preparation(
      for: variants, registry: .standard, background: [255, 255, 255], downscale: 1)
    var configuration = configuration
    (configuration.keepFolder, configuration.externalMetrics) = (nil, [])
    return WorkerPool(configuration, preparation: preparation)
  }

  private func addresses(
    _ items: [Item], _ made: [Response<[UInt8]>], _ choices: [DecodeReport.Choice], _ folder: URL,
    _ files: OwnedFolder, _ name: String
  ) throws -> [PictureGroup] {
    var names: [(item: Item, file: String)] = []
    for (number, (item, result)) in zip(items, made).enumerated() {
      if let bytes = result.value {
        let file = "read-\(item.group + 1)-\(number + 1).png"
        try ScratchFile.write(bytes, to: folder.appending(path: file).path)
        names.append((item, file))
      } else if let failure = result.failure {
        let key = item.read.key
        notice("no picture of “\(key.image.name)” by \(key.route.rawValue): \(failure.message)")
      }
    }
    let pictures = try PictureFolder(folder, name: name, embeds: page.embedsImages)
    let groups = choices.enumerated().map { group, choice in
      let own = names.filter { $0.item.group == group }
      let name = own.first?.item.read.key.image.name ?? ""
      return PictureGroup(
        name: name, title: "\(name), \(choice.kind)",
        pictures: own.map {
          PictureGroup.Picture(address: pictures.address($0.file), caption: $0.item.read.caption)
        })
    }
    try pictures.settle(files)
    return groups.filter { !$0.pictures.isEmpty }
  }
}
