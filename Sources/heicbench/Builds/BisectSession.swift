import Analysis
import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Model
import Reports
import Sweep
import Synchronization
import Workers

/// One call of `heicbench bisect`, from the options to the exit code.
struct BisectSession {
  private let command: BisectCommand
  private let interruption: Interruption

  init(_ command: BisectCommand) throws {
    self.command = command
    interruption = try Interruption()
  }

  private var images: ImageSource { command.corpus.source }

  func run() throws -> ExitStatus {
    let entries = try entries()
    let names = command.build.builds.map(\.name)
    let meter = try meter(entries)
    defer { meter.close() }
    interruption.cancellation.perform { meter.cancel() }
    let comparer = BuildComparer(meter: meter, command: command)
    var bisections: [Bisection] = []
    do {
      for quantity in command.quantities {
        bisections.append(
          try Bisection(quantity, count: names.count, threshold: command.threshold) {
            try comparer.compare(quantity, $0, $1)
          })
      }
    } catch let problem as BuildMeter.Problem {
      if problem.wasCancelled { return .interrupted }
      StandardError.notice(problem.description)
      return .someFailed
    }
    let subject = "\(Numerals.counted(entries.count, command.asFound ? "file" : "image"))"
    switch command.format {
    case .text:
      for bisection in bisections {
        StandardOutput.write(BisectSummary(bisection, builds: names, subject: subject).text)
      }
    case .json: StandardOutput.write(try json(bisections, names))
    }
    return .success
  }

  /// The images that can be read. Those that cannot are named and left out.
  private func entries() throws -> [CorpusEntry] {
    var entries = try images.entries(to: "measure")
    for entry in entries {
      guard let problem = entry.problem else { continue }
      StandardError.notice("“\(entry.identity.name)” is left out: \(problem.message)")
    }
    entries.removeAll { $0.problem != nil }
    guard !entries.isEmpty else { throw ImageInput.nothing(to: "measure") }
    return entries
  }

  private func meter(_ entries: [CorpusEntry]) throws -> BuildMeter {
    var configuration = RunnerConfiguration(jobs: 1, limits: images.limits)
    configuration.scoresThroughBuild = command.build.decoder == .own
    let parts = command.codec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let settings = parts.count == 2 ? ":\(parts[1])" : ""
    let spellings =
      command.asFound ? [] : command.build.builds.map { "\(parts[0])@\($0.name)\(settings)" }
    let builds = try TriedBuilds(command.build.builds, spellings: spellings, system: .standard)
    configuration.builds = builds.builds
    guard !command.asFound, let quality = Quality(command.quality) else {
      return BuildMeter(
        .files(entries, builds: builds.builds.map(\.name), repeats: 3), configuration: configuration)
    }
    let builder = PlanBuilder(
      registry: .standard, builds: builds, scoresThroughBuild: configuration.scoresThroughBuild)
    let plan = builder.plan(
      entries: entries, variants: try builder.describe(spellings.compactMap { CodecVariant(unchecked: $0) }),
      qualities: QualityList([quality]),
      metrics: command.quantities.contains(.score) ? ["ssimulacra2"] : [])
    return BuildMeter(.encodes(plan), configuration: configuration)
  }

  private func json(_ bisections: [Bisection], _ names: [String]) throws -> String {
    struct Answer: Encodable {
      let builds: [String]
      let bisections: [Bisection]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(Answer(builds: names, bisections: bisections)), as: UTF8.self)
      + "\n"
  }
}

/// Measures two builds until their difference is known well enough.
private final class BuildComparer {
  private let meter: BuildMeter
  private let command: BisectCommand
  private var encoded: [Int: [BuildMeter.Encoded]] = [:]
  private var generator = SeededGenerator(seed: 1)

  init(meter: BuildMeter, command: BisectCommand) {
    (self.meter, self.command) = (meter, command)
  }

  func compare(_ quantity: BuildQuantity, _ before: Int, _ after: Int) throws -> BuildContrast {
    let names = command.build.builds.map(\.name)
    if !command.quiet {
      StandardError.notice("comparing \(quantity.rawValue) of \(names[before]) and \(names[after])")
    }
    let contrast =
      quantity.isExact ? try exact(quantity, before, after) : try timed(quantity, before, after)
    guard let contrast else {
      throw BuildMeter.Problem(
        "\(quantity.rawValue) of \(names[before]) and \(names[after]) cannot be compared: an image has none")
    }
    return contrast
  }

  private func exact(_ quantity: BuildQuantity, _ before: Int, _ after: Int) throws -> BuildContrast? {
    let values = try [before, after].map { build in
      let files = try encoded[build] ?? meter.encode(build)
      encoded[build] = files
      return files.compactMap { quantity == .bytes ? Double($0.bytes) : $0.score }
    }
    return BuildContrast(quantity, before: values[0], after: values[1])
  }

  /// Rounds are added until the interval decides.
  private func timed(_ quantity: BuildQuantity, _ before: Int, _ after: Int) throws -> BuildContrast? {
    var rounds: [(before: [Double], after: [Double])] = []
    while true {
      let round = try meter.round(before, after, using: &generator)
      let values = { (times: [BuildMeter.Times]) in
        times.compactMap { quantity == .encode ? $0.encode : $0.decode }
      }
      rounds.append((values(round.before), values(round.after)))
      guard rounds.count >= BuildContrast.fewestRounds else { continue }
      let contrast = BuildContrast(quantity, rounds: rounds)
      guard contrast?.verdict(threshold: command.threshold) == .undecided, rounds.count < command.rounds
      else {
        return contrast
      }
    }
  }
}
