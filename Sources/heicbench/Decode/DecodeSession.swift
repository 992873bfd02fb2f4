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
  private let command: DecodeCommand
  private let interruption: Interruption

  init(_ command: DecodeCommand) throws {
    self.command = command
    interruption = try Interruption()
  }

  private var images: ImageSource { command.corpus.source }

  func run() throws -> ExitStatus {
    let entries = try images.entries(to: "read")
    let files = try openFolder()
    let options = ResultStore.Options(retryFailed: command.retryFailed, fresh: command.fresh)
    let store = try ResultStore(folder: command.output, options: options)
    let plan = try plan(entries)
    try read(plan, into: store)
    // What an earlier call has read counts as much.
    let records = try store.reads()
    let report = DecodeReport(records, at: command.score, bandwidth: command.bandwidth)
    try report.write(to: files)
    if !command.quiet { StandardOutput.write(report.sentences.map { $0 + "\n" }.joined()) }
    return status(records, plan)
  }

  /// Reads what the store has not got.
  private func read(_ plan: ReadPlan, into store: ResultStore) throws {
    let preparation = plan.preparation.canonicalSpelling
    let finished = try store.finishedReads(preparation: preparation, alone: command.time)
    let runner = ReadRunner(plan, configuration)
    let done = Atomic(0)
    let isShown = !command.quiet && StandardError.isTerminal
    let total = plan.keys.count { !finished.contains($0) }
    interruption.cancellation.perform { runner.cancel() }
    try runner.run(isFinished: finished.contains) { record in
      try store.append(record, preparation: preparation)
      let count = done.add(1, ordering: .relaxed).newValue
      if isShown { StandardError.write("\r\(count)/\(total) reads") }
    }
    interruption.cancellation.release()
    if isShown { StandardError.write("\r") }
    let known = plan.count - total
    if known > 0, !command.quiet {
      StandardError.notice("\(known) of \(plan.count) reads were there already; --fresh reads them again")
    }
  }

  private var configuration: RunnerConfiguration {
    var configuration = RunnerConfiguration(limits: images.limits)
    if let jobs = command.jobs { configuration.jobs = jobs }
    if let memory = command.memory { configuration.memoryBudget = memory.bytes }
    if command.time { configuration.jobs = 1 }
    return configuration
  }

  /// The folder of the results, before anything is measured: what is not ours under our names is in the way.
  private func openFolder() throws -> OwnedFolder {
    try OutputFolder.make(command.output)
    let files = try ResultsFolder.open(command.output)
    try DecodeReport.refuseObstacles(in: files)
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
    var libraries: [String: String] = [:]
    for format in Set(entries.compactMap(\.header?.format) + command.codecs.map(\.codec)) {
      libraries[format] = CodecRegistry.standard.codec(format)?.traits.libraries.canonicalSpelling
    }
    return ReadPlan(
      entries: entries, encodings: encodings, preparation: sweep.preparation, sizes: command.sizes.sizes,
      region: command.region.part, repeats: command.repeats, libraries: libraries)
  }

  private func status(_ records: [ReadRecord], _ plan: ReadPlan) -> ExitStatus {
    let outcomes = Dictionary(records.map { ($0.key, $0.outcome) }, uniquingKeysWith: { _, last in last })
    var (missing, failed) = (0, 0)
    for key in plan.keys {
      switch outcomes[key] {
      case nil: missing += 1
      case .failed: failed += 1
      case .measured, .unsupported: break
      }
    }
    if missing > 0 { return .interrupted }
    guard failed > 0 else { return .success }
    StandardError.notice("\(failed) of \(plan.count) reads failed; decodes.csv says why")
    return .someFailed
  }
}
