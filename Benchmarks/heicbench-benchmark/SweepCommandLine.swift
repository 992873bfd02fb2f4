import ArgumentParser
import Foundation
import Model

/// A sweep by the program itself, in a separate process with its workers.
struct SweepCommandLine {
  let program: String
  let roots: [String]
  let codecs: [String]
  let qualities: QualityList
  let jobs: Int

  /// How much a sweep does besides encoding and decoding.
  enum Manner: String, CaseIterable {
    case bare = "without metrics and pictures"
    case scored = "with metrics and refinement"
    case usual = "with pictures too, as a user runs it"
    case light = "with metrics and refinement, in an HDR run"

    fileprivate var options: [String] {
      switch self {
      case .bare: ["--metrics", "none", "--images", "none"]
      case .scored: ["--images", "none"]
      case .usual: []
      case .light: ["--images", "none", "--light", "white"]
      }
    }
  }

  /// Runs the sweep into its own folder.
  func run(_ manner: Manner = .bare) throws -> SweepCost {
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw ValidationError("there is no program “\(program)”; scripts/benchmark builds it")
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "heicbench-sweep-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let work = ["sweep", "--qualities", qualities.description] + codecs.flatMap { ["--codec", $0] }
    let manner = manner.options + ["--jobs", "\(jobs)", "--quiet"]
    var cost = SweepCost()
    let time = try ContinuousClock().measure {
      let child = try ChildProcess(program, work + manner + ["--output", folder, "--"] + roots)
      guard child.succeeded else { throw ExitCode.failure }
      cost.cpuSeconds = child.cpuSeconds
    }
    cost.wallSeconds = time / .seconds(1)
    try cost.addPoints(of: folder)
    return cost
  }
}
