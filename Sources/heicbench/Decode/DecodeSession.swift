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

/// One call of `heicbench decode`, from the options to the exit code.
struct DecodeSession {
  private static let csvName = "decodes.csv"
  private static let markdownName = "decode.md"
  private static let jsonName = "decode.json"

  private let command: DecodeCommand
  private let interruption: Interruption

  init(_ command: DecodeCommand) throws {
    self.command = command
    interruption = try Interruption()
  }

  private var images: ImageSource { command.corpus.source }

  func run() throws -> ExitStatus {
    let entries = try entries()
    let files = try openFolder()
    let plan = try plan(entries)
    var configuration = RunnerConfiguration(limits: images.limits)
    if let jobs = command.jobs { configuration.jobs = jobs }
    if command.time { configuration.jobs = 1 }
    let runner = ReadRunner(plan, configuration)
    let records = RecordList()
    let isShown = !command.quiet && StandardError.isTerminal
    let total = plan.count
    interruption.cancellation.perform { runner.cancel() }
    try runner.run { record in
      let done = records.add(record)
      if isShown { StandardError.write("\r\(done)/\(total) reads") }
    }
    if isShown { StandardError.write("\r") }
    let rows = sorted(records.all, plan).map(ReadRow.init)
    try write(rows, to: files)
    return try status(rows, plan)
  }

  private func entries() throws -> [CorpusEntry] {
    let sources = try images.sources()
    let files = try CorpusReader.find(sources)
    let reader = CorpusReader(registry: .standard, limits: images.limits, cache: nil)
    var entries = reader.read(files, limit: images.limit).entries
    if let shard = images.shard { entries = shard.part(of: entries) }
    guard !entries.isEmpty else {
      throw HeicBenchError(
        .noInput, "there is no image to read; heicbench reads \(ImageInput.readableFormats)")
    }
    return entries
  }

  /// The folder of the results, before anything is measured: what is not ours under our names is in the way.
  private func openFolder() throws -> OwnedFolder {
    do {
      try FileManager.default.createDirectory(atPath: command.output, withIntermediateDirectories: true)
    } catch {
      throw HeicBenchError(
        .resultsUnusable, "“\(command.output)” cannot be made: \(error.localizedDescription)")
    }
    let files = try ResultsFolder.open(command.output)
    try files.refuseObstacles(among: [Self.csvName, Self.markdownName, Self.jsonName])
    return files
  }

  private func plan(_ entries: [CorpusEntry]) throws -> ReadPlan {
    let builder = PlanBuilder(registry: .standard)
    let qualities = command.qualities ?? QualityList([Quality(thousandths: 800)].compactMap { $0 })
    let codecs = command.codecs.isEmpty ? [CodecVariant(codec: "jpeg")] : command.codecs
    let sweep = builder.plan(
      entries: entries, variants: try builder.describe(codecs), qualities: qualities, metrics: [],
      repeats: command.repeats,
      background: [255, 255, 255], downscale: 1, shard: nil)
    let encodings = command.codecs.flatMap { variant in
      qualities.qualities.map { ReadEncoding(variant: variant, quality: $0) }
    }
    return ReadPlan(
      entries: entries, encodings: encodings, preparation: sweep.preparation, sizes: command.sizes.sizes,
      region: command.region.part, repeats: command.repeats)
  }

  /// In the order of the plan, whatever the order in which workers finished.
  private func sorted(_ records: [ReadRecord], _ plan: ReadPlan) -> [ReadRecord] {
    let keys = plan.keys
    let places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return records.sorted { places[$0.key] ?? 0 < places[$1.key] ?? 0 }
  }

  private func write(_ rows: [ReadRow], to files: OwnedFolder) throws {
    let summary = DecodeSummary(rows, at: command.score, bandwidth: command.bandwidth)
    try files.write(CSVWriter(DecodeColumns.all).text(rows), to: Self.csvName)
    try files.write(summary.markdown, to: Self.markdownName)
    try files.write(JSONRowsWriter(DecodeColumns.all).text(rows) + "\n", to: Self.jsonName)
    guard !command.quiet else { return }
    StandardOutput.write(summary.sentences.map { $0 + "\n" }.joined())
  }

  private func status(_ rows: [ReadRow], _ plan: ReadPlan) throws -> ExitStatus {
    if rows.count < plan.count { return .interrupted }
    let failed = rows.count { if case .failed = $0.record.outcome { true } else { false } }
    if failed > 0 {
      StandardError.notice("\(failed) of \(rows.count) reads failed; decodes.csv says why")
      return .someFailed
    }
    return .success
  }
}

/// Records as they come, from any thread.
private final class RecordList: Sendable {
  private let records = Mutex<[ReadRecord]>([])

  var all: [ReadRecord] { records.withLock { $0 } }

  /// Adds one; returns how many there are.
  func add(_ record: ReadRecord) -> Int {
    records.withLock { records in
      records.append(record)
      return records.count
    }
  }
}
