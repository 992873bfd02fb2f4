import ArgumentParser
import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Model
import Workers

/// How much of the machine a sweep uses for encoding, compared with a loop that does nothing else.
struct SweepBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract:
      "Measure the share of the cores that a sweep spends encoding, compared with a bare loop of encodes.",
    discussion: """
      The sweep is the program with its worker processes, one encoder thread each, without metrics and pictures. \
      Its wall time is that of the whole command: reading and decoding the corpus, every encode and decode, the \
      store, the reports. The bare loop prepares the same images in this process and makes the same encodes on \
      one thread; it decodes nothing.

      The share is CPU seconds over jobs × wall seconds. It is given for encodes alone, where decodes count as \
      overhead although they are part of every point, and for both. On a busy machine it is the share \
      of the sweep's own CPU time that holds. Workers side by side share caches and memory, which makes encodes \
      dearer than the loop's; --jobs 1 shows what the runner alone adds.

      At last the same sweep runs with metrics and refinement, and as a user runs it, with pictures. Each has a floor \
      of its own: the CPU seconds of its encodes, refined ones included, over the jobs.
      """)

  @Argument(help: "Image files and folders. (default: the committed corpus)")
  var images: [String] = []

  @Option(help: "Qualities, as for heicbench.", transform: { try QualityList(parsing: $0) })
  var qualities = QualityList((1...10).compactMap { Quality(thousandths: $0 * 100) })

  @Option(name: .customLong("codec"), help: "A codec with its settings; repeat it. (default: jpeg and heic)")
  var codecs: [String] = []

  @Option(name: .shortAndLong, help: "Workers of the sweep. (default: the cores)")
  var jobs = MachineCores.count

  @Option(help: "How often each side runs, in turn; figures are medians.")
  var rounds = 1

  @Flag(help: "Also measure an HDR run, for which all codecs need at least 10 bits.")
  var light = false

  @Option(help: "The program to measure. (default: heicbench beside this one)")
  var program: String?

  /// Three levels above this file, since the tool only runs where it was built.
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "corpus").path

  func validate() throws {
    guard (1...1024).contains(jobs), rounds >= 1 else {
      throw ValidationError("--jobs and --rounds must be at least 1")
    }
  }

  func run() throws {
    let roots = images.isEmpty ? [Self.corpus] : images
    let spellings = codecs.isEmpty ? ["jpeg", "heic"] : codecs
    let workers = RunnerConfiguration(workerExecutable: program ?? NeighbourProgram.path)
    let listing = try CorpusReader(WorkerDescriber(workers)).read(
      try CorpusReader.find(roots: roots.map { Array($0.utf8) }))
    let builder = PlanBuilder(registry: .standard)
    let plan = builder.plan(
      entries: listing.entries.filter { $0.problem == nil },
      variants: try builder.describe(spellings.map { try CodecRegistry.standard.variant($0) }),
      qualities: qualities, metrics: [])
    let command = SweepCommandLine(
      program: program ?? NeighbourProgram.path, roots: roots, codecs: spellings, qualities: qualities,
      jobs: jobs)
    print("\(plan.entries.count) images, \(plan.pointCount) points planned, \(rounds) rounds")
    var sweeps: [SweepCost] = []
    var loops: [SweepCost] = []
    for round in 1...rounds {
      sweeps.append(try command.run())
      loops.append(try BareLoop(plan: plan).run())
      try report(sweeps[round - 1], loops[round - 1], "round \(round), ")
    }
    if rounds > 1 { try report(.median(of: sweeps), .median(of: loops), "median, ") }
    for manner in SweepCommandLine.Manner.allCases where manner != .light || light {
      let costs =
        try manner == .bare ? sweeps : (0..<rounds).map { _ in try command.run(manner) }
      reportFloor(.median(of: costs), manner.rawValue)
    }
  }

  private func reportFloor(_ sweep: SweepCost, _ label: String) {
    let floor = sweep.encodeSeconds / Double(jobs)
    print(
      "wall over floor \(label): \(rounded(sweep.wallSeconds / floor, 3)) (\(rounded(sweep.wallSeconds, 2)) of "
        + "\(rounded(floor, 2)) s); CPU over that of encodes and decodes: "
        + "\(rounded(sweep.cpuSeconds / (sweep.encodeSeconds + sweep.decodeSeconds), 3))")
  }

  private func report(_ sweep: SweepCost, _ loop: SweepCost, _ label: String) throws {
    print(label + "sweep with \(jobs) jobs: " + line(sweep))
    for (whole, seconds) in [
      ("jobs × wall", Double(jobs) * sweep.wallSeconds), ("all its CPU time", sweep.cpuSeconds),
    ] {
      let encode = rounded(sweep.encodeSeconds / seconds, 3)
      let both = rounded((sweep.encodeSeconds + sweep.decodeSeconds) / seconds, 3)
      print("  share of \(whole): \(encode) encode, \(both) encode and decode")
    }
    print(label + "bare loop: " + line(loop))
    print("  share of wall: \(rounded(loop.encodeSeconds / loop.wallSeconds, 3)) encode")
    let surplus = sweep.encodeSeconds / loop.encodeSeconds
    print("  encode CPU of the sweep over the loop's: \(rounded(surplus, 3))")
    guard sweep.points == loop.points, sweep.encodedBytes == loop.encodedBytes else {
      print("  the two did not do the same: \(sweep.encodedBytes) and \(loop.encodedBytes) bytes")
      throw ExitCode.failure
    }
  }

  private func line(_ cost: SweepCost) -> String {
    "\(cost.points) points in \(rounded(cost.wallSeconds, 2)) s; CPU s: \(rounded(cost.encodeSeconds, 2)) "
      + "encode, \(rounded(cost.decodeSeconds, 2)) decode, \(rounded(cost.cpuSeconds, 2)) in all"
  }

  private func rounded(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
