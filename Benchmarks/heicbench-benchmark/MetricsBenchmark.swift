import ArgumentParser
import Foundation
import Metrics
import Model
import Pixels

/// The speed and memory of the metrics.
struct MetricsBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Measure megapixels per CPU-second of every metric, with a prepared reference.",
    discussion: """
      Times are this process's CPU clock over one thread, the median of at least five runs and one second. \
      Memory is the peak of a fresh process that reads both files and scores once, per pixel. With \
      SSIMULACRA2_TOOL=PATH in the environment that program is run over the same files and compared.
      """)

  @Argument(help: "A reference and a distorted image, instead of synthetic ones.")
  var files: [String] = []

  @Option(help: "Sizes of the synthetic images, WIDTHxHEIGHT, separated by commas.")
  var sizes = "768x512,2256x1504,6000x4000"

  func validate() throws {
    guard files.isEmpty || files.count == 2 else { throw ValidationError("give two files, or none") }
  }

  func run() throws {
    print("instruction set: \(InstructionSet.best.rawValue)")
    for pair in try files.isEmpty ? synthetic() : [ImagePair.files(files[0], files[1])] { try measure(pair) }
  }

  private func synthetic() throws -> [ImagePair] {
    try sizes.split(separator: ",").map { size in
      let sides = size.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy({ (1...100_000).contains($0) }) else {
        throw ValidationError("“\(size)” is not WIDTHxHEIGHT")
      }
      return try ImagePair.synthetic(width: sides[0], height: sides[1])
    }
  }

  private func measure(_ pair: ImagePair) throws {
    print("\n\(pair.name), \(rounded(pair.megapixels, 2)) MP")
    let all = MetricTraits.standard.map(\.id)
    let slow = "ssimulacra2"
    // The slow metric is measured with each instruction set. heicbench uses the last one.
    for id in all where id != slow { print("  \(id): \(try rate([id], pair)) MP per CPU-s") }
    for set in InstructionSet.allCases where set.isAvailable {
      print("  \(slow) with \(set.rawValue): \(try rate([slow], pair, set)) MP per CPU-s")
    }
    print("  all but \(slow): \(try rate(all.filter { $0 != slow }, pair)) MP per CPU-s")
    let folder = FileManager.default.temporaryDirectory.appending(path: "heicbench-metrics-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = try pair.write(into: folder)
    for ids in [[slow], all] {
      let peak = try peakMiB(of: ids, paths)
      print("  \(ids.count == 1 ? slow : "all"): \(bytesPerPixel(peak, pair)) bytes per pixel at the peak")
    }
    if let tool = ProcessInfo.processInfo.environment["SSIMULACRA2_TOOL"] {
      try compare(with: tool, pair, paths)
    }
  }

  /// Megapixels per CPU-second of scoring, as text.
  private func rate(_ ids: [String], _ pair: ImagePair, _ set: InstructionSet? = nil) throws -> String {
    rounded(pair.megapixels / (try seconds(ids, pair, set)), 1)
  }

  /// The median CPU time of one scoring.
  private func seconds(_ ids: [String], _ pair: ImagePair, _ set: InstructionSet? = nil) throws -> Double {
    let metrics = try MetricSuite(ids)
    let suite =
      try set.map { try metrics.prepare(pair.reference, instructions: $0) } ?? metrics.prepare(pair.reference)
    _ = try suite.score(pair.candidate)
    var times: [Double] = []
    var sum = 0.0
    while times.count < 5 || sum < 1 {
      let start = CPUClock.seconds()
      _ = try suite.score(pair.candidate)
      times.append(CPUClock.seconds() - start)
      sum += times[times.count - 1]
    }
    return times.sorted()[times.count / 2]
  }

  private func peakMiB(of ids: [String], _ paths: [String]) throws -> Double {
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let child = try ChildProcess(program, ["score-once"] + paths + ["--metrics", ids.joined(separator: ",")])
    guard child.succeeded, let peak = Double(child.output.trimmingCharacters(in: .whitespacesAndNewlines))
    else {
      throw ExitCode.failure
    }
    return peak
  }

  private func compare(with tool: String, _ pair: ImagePair, _ paths: [String]) throws {
    let runs = try (0..<3).map { _ in try ChildProcess(tool, paths) }
    guard let best = runs.filter(\.succeeded).map(\.cpuSeconds).min() else { throw ExitCode.failure }
    let ours = try seconds(["ssimulacra2"], pair)
    let score = try MetricSuite(["ssimulacra2"]).prepare(pair.reference).score(pair.candidate)
    let theirs = runs[0].output.trimmingCharacters(in: .whitespacesAndNewlines)
    print(
      "  \(tool): \(rounded(pair.megapixels / best, 1)) MP per CPU-s, reading included; "
        + "heicbench is \(rounded(best / ours, 1)) times as fast")
    print("  scores: \(score["ssimulacra2"].map { rounded($0, 8) } ?? "none") here, \(theirs) there")
  }

  private func bytesPerPixel(_ mebibytes: Double, _ pair: ImagePair) -> String {
    rounded(mebibytes * 1_048_576 / Double(pair.reference.pixelCount), 1)
  }

  private func rounded(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
