import Analysis
import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Model
import Reports
import Store
import Sweep
import Synchronization
import Workers

/// One call of `heicbench tiles`, from the options to the exit code.
struct TilesSession {
  private static let csvName = "tiles.csv"
  private static let markdownName = "tiles.md"
  private static let jsonName = "tiles.json"
  /// Results are written at most so often while more come, seconds.
  private static let writeEvery = 10.0

  private let command: TilesMeasureCommand
  private let interruption: Interruption
  private var images: ImageSource { command.corpus.source }

  init(_ command: TilesMeasureCommand) throws {
    self.command = command
    interruption = try Interruption()
  }

  func run() throws -> ExitStatus {
    let plan = try plan(images.entries(to: "cut"))
    let files = try openFolder()
    let measured = Measured(identity: identity(plan), known(in: files, plan), order: plan.keys)
    var configuration = RunnerConfiguration(limits: images.limits)
    if let jobs = command.jobs { configuration.jobs = jobs }
    if command.time { configuration.jobs = 1 }
    let runner = TileRunner(plan, configuration)
    let isShown = !command.quiet && StandardError.isTerminal
    let total = plan.keys.count
    interruption.cancellation.perform { runner.cancel() }
    let writer = Mutex((last: ContinuousClock.now, error: (any Error)?.none))
    try runner.run(isKnown: measured.isKnown) { result in
      let done = measured.add(result)
      if isShown { StandardError.write("\r\(done)/\(total) cuts") }
      writer.withLock { state in
        guard state.error == nil, ContinuousClock.now - state.last > .seconds(Self.writeEvery) else { return }
        do { try files.write(measured.json(), to: Self.jsonName) } catch {
          state.error = error
          runner.cancel()
        }
        state.last = .now
      }
    }
    if isShown { StandardError.write("\r") }
    if let error = writer.withLock({ $0.error }) { throw error }
    return try finish(measured, plan, files)
  }

  private func finish(_ measured: Measured, _ plan: TilePlan, _ files: OwnedFolder) throws -> ExitStatus {
    let results = measured.results
    let wanted = Set(plan.keys)
    let rows = TileRow.all(results.records.filter { wanted.contains($0.key) }, points: results.points)
    let summary = TileSummary(rows, viewport: plan.viewport)
    try files.write(try measured.json(), to: Self.jsonName)
    try files.write(CSVWriter(TileColumns.all(viewport: plan.viewport)).text(rows), to: Self.csvName)
    try files.write(summary.markdown, to: Self.markdownName)
    try files.tidy()
    if !command.quiet { StandardOutput.write(summary.sentences.map { $0 + "\n" }.joined()) }
    if rows.count < wanted.count { return .interrupted }
    let failed = rows.count { if case .failed = $0.record.outcome { true } else { false } }
    guard failed == 0 else {
      StandardError.notice("\(failed) of \(rows.count) cuts failed; \(Self.csvName) says why")
      return .someFailed
    }
    return .success
  }

  /// The folder of the results, before anything is measured: what is not ours under our names is in the way.
  private func openFolder() throws -> OwnedFolder {
    try OutputFolder.make(command.output)
    let files = try ResultsFolder.open(command.output)
    try files.refuseObstacles(among: [Self.csvName, Self.markdownName, Self.jsonName])
    return files
  }

  private func plan(_ entries: [CorpusEntry]) throws -> TilePlan {
    let codecs =
      command.codecs.isEmpty ? [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")] : command.codecs
    let variants = try PlanBuilder(registry: .standard).describe(codecs)
    for variant in variants where variant.variant.settings["grid"] ?? "0" != "0" {
      throw HeicBenchError(.usage, "HEIC is cut within one file anyway: leave out grid= from --codec")
    }
    let preparation = Preparation(
      for: variants.map(\.variant), registry: .standard, background: [255, 255, 255],
      downscale: command.downscale)
    return TilePlan(
      entries: entries, variants: variants, qualities: command.qualities.qualities,
      tileSizes: command.tileSizes.sizes, overlap: command.overlap, viewport: command.viewport.size,
      preparation: preparation, downscale: command.downscale)
  }

  /// What besides a cut's key decides on its figures.
  private func identity(_ plan: TilePlan) -> String {
    ([plan.preparation.canonicalSpelling, "\(plan.viewport.width)x\(plan.viewport.height)"]
      + plan.variants.map { "\($0.variant.name): \($0.libraries.canonicalSpelling)" }).joined(separator: "\n")
  }

  /// What an earlier call has measured and this one need not. Failures are tried again.
  private func known(in files: OwnedFolder, _ plan: TilePlan) -> TileResults? {
    guard files.standing(of: Self.jsonName) == .ours,
      let data = files.beginning(of: Self.jsonName, count: 1 << 30), let results = try? TileResults(data)
    else { return nil }
    return results
  }
}

/// What tiles.json keeps.
struct TileResults: Codable {
  /// Preparation, viewport and libraries that all figures were measured with.
  var identity: String
  /// Cuts, in the order of the plan.
  var records: [TilingRecord]
  /// Further points of the curves without tiles.
  var points: [WholePoint]

  init(identity: String, records: [TilingRecord], points: [WholePoint]) {
    (self.identity, self.records, self.points) = (identity, records, points)
  }

  init(_ data: Data) throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    self = try decoder.decode(TileResults.self, from: data)
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

/// Results as they come, from any thread.
private final class Measured: Sendable {
  private struct State {
    var records: [TilingKey: TilingRecord] = [:]
    var points: [WholePoint] = []
  }

  private let identity: String
  private let places: [TilingKey: Int]
  private let earlier: Set<TilingKey>
  private let state: Mutex<State>

  init(identity: String, _ known: TileResults?, order: [TilingKey]) {
    self.identity = identity
    places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var start = State()
    if let known, known.identity == identity {
      for record in known.records {
        if case .failed = record.outcome { continue }
        start.records[record.key] = record
      }
      start.points = known.points
    }
    earlier = Set(start.records.keys)
    state = Mutex(start)
  }

  @Sendable func isKnown(_ key: TilingKey) -> Bool { earlier.contains(key) }

  /// Adds a result; returns how many cuts there are.
  func add(_ result: TileResult) -> Int {
    state.withLock { state in
      switch result {
      case .tiling(let record): state.records[record.key] = record
      case .whole(let point) where !state.points.contains(point): state.points.append(point)
      case .whole: break
      }
      return state.records.keys.count { places[$0] != nil }
    }
  }

  /// In the order of the plan, what others have measured last.
  var results: TileResults {
    let (records, points) = state.withLock { (Array($0.records.values), $0.points) }
    let sorted = records.sorted { a, b in
      let (first, second) = (places[a.key] ?? .max, places[b.key] ?? .max)
      return first == second ? "\(a.key)" < "\(b.key)" : first < second
    }
    let inOrder = points.sorted {
      ($0.image.name, $0.variant.name, $0.quality) < ($1.image.name, $1.variant.name, $1.quality)
    }
    return TileResults(identity: identity, records: sorted, points: inOrder)
  }

  func json() throws -> String { try results.json() }
}
