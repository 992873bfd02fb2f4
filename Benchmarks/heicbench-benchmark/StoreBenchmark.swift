import ArgumentParser
import Foundation
import HeicBenchKit
import Model
import Store
import Synchronization
import Workers

/// The cost of the results store at sizes that nobody measures by hand.
struct StoreBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract:
      "Append, resume, read, sum up and merge synthetic points (refined, and by a build) and reads.")

  @Option(help: "Numbers of points, separated by commas.")
  var points = "10000,100000,1000000"

  @Option(help: "The folder to work in; it is emptied afterwards.")
  var folder = NSTemporaryDirectory()

  @Option(help: "Threads that append at the same time.")
  var threads = 2

  @Flag(help: "Keep images and results in the folder, to try the program on them.")
  var keep = false

  func run() throws {
    print("points\tphase\tseconds\tCPU s\tpoints/s\tpeak MiB")
    for count in points.split(separator: ",").compactMap({ Int($0) }) {
      let work = folder + "/heicbench-store-\(count)"
      defer { if !keep { try? FileManager.default.removeItem(atPath: work) } }
      try run(SyntheticSweep(points: count), in: work)
    }
  }

  private func run(_ sweep: SyntheticSweep, in work: String) throws {
    let whole = work + "/whole"
    var count = 0
    let append = try Phase.measure("append, \(threads) threads") {
      count = try fill(whole, sweep, sweep.plan.entries)
    }
    report(count, append)
    let size =
      try FileManager.default.attributesOfItem(atPath: whole + "/" + ResultStore.fileName)[.size] as? Int
    print("\(count)\tsize\t\t\t\t\((size ?? 0) / count) bytes a point")
    report(count, try Phase.measure("resume, nothing to do") { try resume(whole, sweep) })
    report(count, try Phase.measure("reads") { try readsAgain(whole, sweep) })
    let reader = try ResultStore(reading: whole)
    guard let run = try reader.latestRun() else { throw ExitCode.failure }
    var rows = 0
    report(count, try Phase.measure("all rows") { try reader.forEachRow(of: run.id) { _ in rows += 1 } })
    var groups = 0
    report(
      count,
      try Phase.measure("sums in SQL") {
        groups = try reader.qualitySummaries(of: run.id).reduce(0) { $0 + $1.images }
      })
    // Sums cover the grid.
    guard rows == count, groups == sweep.plan.pointCount else { throw ExitCode.failure }
    try merge(sweep, count, in: work)
    if keep { try sweep.writeImages(into: work + "/images") }
  }

  private func merge(_ sweep: SyntheticSweep, _ count: Int, in work: String) throws {
    let half = sweep.plan.entries.count / 2
    let shards = [("a", sweep.plan.entries[..<half]), ("b", sweep.plan.entries[half...])]
    for (name, images) in shards { _ = try fill(work + "/" + name, sweep, Array(images)) }
    let merged = try ResultStore(folder: work + "/merged")
    for phase in ["merge two halves", "merge them again"] {
      report(count, try Phase.measure(phase) { _ = try merged.merge(shards.map { work + "/" + $0.0 }) })
    }
  }

  /// Makes a store of these images, and returns how many points it has.
  private func fill(_ folder: String, _ sweep: SyntheticSweep, _ entries: [CorpusEntry]) throws -> Int {
    let store = try ResultStore(folder: folder)
    let run = try store.begin(sweep.manifest, images: entries.map(\.identity))
    let threads = threads
    let failures = Failures()
    let count = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: threads) { slot in
      do {
        for index in stride(from: slot, to: entries.count, by: threads) {
          let records = sweep.records(of: entries[index])
          for record in records { try store.append(record) }
          for read in sweep.reads(of: entries[index]) { try store.append(read) }
          count.withLock { $0 += records.count - 1 }
        }
      } catch { failures.add(error) }
    }
    if let error = failures.first { throw error }
    try store.finish(run, at: "2026-01-01T00:00:00Z")
    return count.withLock { $0 }
  }

  /// Runs the same sweep again, as the program does. It finds nothing to do and therefore starts no worker.
  private func resume(_ folder: String, _ sweep: SyntheticSweep) throws {
    let store = try ResultStore(folder: folder)
    let run = try store.begin(sweep.manifest, images: sweep.images)
    let runner = SweepRunner(
      plan: sweep.plan, configuration: RunnerConfiguration(jobs: 2, workerExecutable: "/nonexistent"),
      sink: store, finished: store)
    let summary = try runner.run()
    guard summary.changedNothing else { throw ExitCode.failure }
    try store.finish(run, at: "2026-01-02T00:00:00Z")
  }

  private func readsAgain(_ folder: String, _ sweep: SyntheticSweep) throws {
    let store = try ResultStore(reading: folder)
    let preparation = sweep.plan.preparation.canonicalSpelling
    let finished = try store.finished(.read, preparation: preparation)
    let missing = sweep.plan.entries.contains {
      !sweep.reads(of: $0).map(\.key).allSatisfy(finished.contains)
    }
    guard !missing else { throw ExitCode.failure }
  }

  private func report(_ count: Int, _ phase: Phase) {
    let rate = Int(Double(count) / phase.seconds)
    let (seconds, cpu) = (Self.rounded(phase.seconds), Self.rounded(phase.cpuSeconds))
    print("\(count)\t\(phase.name)\t\(seconds)\t\(cpu)\t\(rate)\t\(Int(phase.peakMiB.rounded()))")
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
