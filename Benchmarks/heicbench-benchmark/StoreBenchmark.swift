import ArgumentParser
import Foundation
import Model
import Store

/// What the results store costs at sizes that nobody measures by hand.
struct StoreBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Append, resume, read, sum up and merge synthetic points.")

  @Option(help: "How many points, with commas between.")
  var points = "10000,100000,1000000"

  @Option(help: "The folder to work in; it is emptied afterwards.")
  var folder = NSTemporaryDirectory()

  @Option(help: "Threads that append at the same time.")
  var threads = 2

  func run() throws {
    print("points\tphase\tseconds\tCPU s\tpoints/s\tpeak MiB")
    for count in points.split(separator: ",").compactMap({ Int($0) }) {
      let work = folder + "/heicbench-store-\(ProcessInfo.processInfo.processIdentifier)-\(count)"
      defer { try? FileManager.default.removeItem(atPath: work) }
      try run(SyntheticSweep(points: count), in: work)
    }
  }

  private func run(_ sweep: SyntheticSweep, in work: String) throws {
    let whole = work + "/whole"
    report(sweep, try Phase.measure("append, \(threads) threads") { try fill(whole, sweep, sweep.images) })
    let size =
      try FileManager.default.attributesOfItem(atPath: whole + "/" + ResultStore.fileName)[.size] as? Int
    print("\(sweep.pointCount)\tsize\t\t\t\t\((size ?? 0) / sweep.pointCount) bytes a point")
    report(sweep, try Phase.measure("resume, nothing to do") { try resume(whole, sweep) })
    let reader = try ResultStore(reading: whole)
    guard let run = try reader.latestRun() else { throw ExitCode.failure }
    var rows = 0
    report(sweep, try Phase.measure("all rows") { try reader.forEachRow(of: run.id) { _ in rows += 1 } })
    var groups = 0
    report(
      sweep,
      try Phase.measure("sums in SQL") {
        groups = try reader.qualitySummaries(of: run.id).reduce(0) { $0 + $1.images }
      })
    guard rows == sweep.pointCount, groups == sweep.pointCount else { throw ExitCode.failure }
    try merge(sweep, in: work)
  }

  private func merge(_ sweep: SyntheticSweep, in work: String) throws {
    let half = sweep.images.count / 2
    let shards = [("a", sweep.images[..<half]), ("b", sweep.images[half...])]
    for (name, images) in shards { try fill(work + "/" + name, sweep, Array(images)) }
    let merged = try ResultStore(folder: work + "/merged")
    for phase in ["merge two halves", "merge them again"] {
      report(sweep, try Phase.measure(phase) { _ = try merged.merge(shards.map { work + "/" + $0.0 }) })
    }
  }

  private func fill(_ folder: String, _ sweep: SyntheticSweep, _ images: [ImageIdentity]) throws {
    let store = try ResultStore(folder: folder)
    let run = try store.begin(sweep.manifest, images: images)
    let threads = threads
    let failures = Failures()
    DispatchQueue.concurrentPerform(iterations: threads) { slot in
      do {
        for index in stride(from: slot, to: images.count, by: threads) {
          try store.append(.image(sweep.record(of: images[index])))
          for key in sweep.points(of: images[index]) { try store.append(sweep.measured(key)) }
        }
      } catch { failures.add(error) }
    }
    if let error = failures.first { throw error }
    try store.finish(run, at: "2026-01-01T00:00:00Z")
  }

  private func resume(_ folder: String, _ sweep: SyntheticSweep) throws {
    let store = try ResultStore(folder: folder)
    try store.begin(sweep.manifest, images: sweep.images)
    let variants = sweep.manifest.variants.map { ($0.variant, $0.libraries.canonicalSpelling) }
    for image in sweep.images {
      let finished = try store.finished(image, preparation: sweep.preparation, metric: "ssimulacra2")
      // As a sweep asks: by variant, and then by quality.
      for (variant, libraries) in variants {
        let points = finished.points(variant, libraries: libraries)
        guard sweep.manifest.qualities.allSatisfy({ points[$0] != nil }) else { throw ExitCode.failure }
      }
    }
  }

  private func report(_ sweep: SyntheticSweep, _ phase: Phase) {
    let rate = Int(Double(sweep.pointCount) / phase.seconds)
    let (seconds, cpu) = (Self.rounded(phase.seconds), Self.rounded(phase.cpuSeconds))
    print("\(sweep.pointCount)\t\(phase.name)\t\(seconds)\t\(cpu)\t\(rate)\t\(Int(phase.peakMiB.rounded()))")
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}
