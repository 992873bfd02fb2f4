import Analysis
import Foundation
import Model
import Store
import Yams

/// The committed file `.heicbench.yml` with the changes that the gate tolerates, and options for every command.
///
///     options:               # used where the command line and the environment leave them out
///       jobs: 4
///     thresholds:            # percent, points or score units; see “heicbench check --help”
///       total-bytes: 0.5
///     other-versions:        # between different library versions
///       total-bytes: 3
///     fail-on: improvement   # or regression, the default
package struct GateConfiguration: Equatable {
  package enum FailOn: String, CaseIterable {
    case regression, improvement
  }

  package static let fileName = ".heicbench.yml"
  private static let keys = ["options", "thresholds", "other-versions", "fail-on"]

  var thresholds: [String: Double] = [:]
  var otherVersions: [String: Double] = [:]
  var failOn = FailOn.regression
  /// Options by name, without dashes, each with one or more values.
  private(set) var options: [String: [String]] = [:]
  private var source: String?

  init() {}

  static func read(_ path: String?) throws -> GateConfiguration {
    let file = path ?? fileName
    guard path != nil || FileManager.default.fileExists(atPath: file) else { return GateConfiguration() }
    let data: Data
    do { data = try RegularFile.contents(file, atMost: 1 << 20) } catch {
      throw HeicBenchError(
        .usage, "the configuration “\(file)” cannot be read: \(error.reason); name another with --config")
    }
    do {
      var configuration = try GateConfiguration(yaml: String(decoding: data, as: UTF8.self))
      configuration.source = file
      return configuration
    } catch let error as HeicBenchError {
      throw HeicBenchError(error.kind, "“\(file)”: \(error.description)")
    }
  }

  /// The options of the file in the working folder; none if there is no file.
  package static func options() throws -> [String: [String]] { try read(nil).options }

  /// Parses YAML. Unknown keys are errors, since a misspelt threshold would have no effect.
  init(yaml: String) throws {
    let node: Node?
    do {
      node = try Yams.compose(yaml: yaml)
    } catch {
      throw HeicBenchError(.usage, "is not YAML: \(error)")
    }
    guard let node, node.null == nil else { return }
    guard let mapping = node.mapping else {
      throw HeicBenchError(.usage, "must contain keys with values: \(Self.keys.joined(separator: ", "))")
    }
    for (key, value) in mapping {
      switch key.string {
      case "options": options = try Self.options(value)
      case "thresholds": thresholds = try Self.numbers(value, under: "thresholds")
      case "other-versions": otherVersions = try Self.numbers(value, under: "other-versions")
      case "fail-on":
        guard let word = value.string, let failOn = FailOn(rawValue: word) else {
          throw HeicBenchError(.usage, "fail-on must be regression or improvement")
        }
        self.failOn = failOn
      default:
        let name = PlainText.line(key.string ?? "?")
        throw HeicBenchError(
          .usage,
          "unknown key “\(name)”\(suggestion(for: name, among: Self.keys)); available: "
            + Self.keys.joined(separator: ", "))
      }
    }
  }

  /// Returns the tolerances; `flags` override the file, which overrides `defaults`, by default those for `metrics`.
  func tolerances(
    flags: [String: Double], metrics: [String], over defaults: GateTolerances? = nil
  ) throws -> GateTolerances {
    do {
      // Checks the file's thresholds on their own first, so that a message names the file.
      _ = try GateThresholds(thresholds, metrics: metrics)
      _ = try GateThresholds(otherVersions, metrics: metrics)
    } catch {
      throw HeicBenchError(.usage, "“\(source ?? Self.fileName)”: \(error)")
    }
    let same = thresholds.merging(flags) { _, flag in flag }
    let other = otherVersions.merging(flags) { _, flag in flag }
    var tolerances = defaults ?? GateTolerances(metrics: metrics)
    tolerances.sameVersions = try GateThresholds(same, over: tolerances.sameVersions, metrics: metrics)
    tolerances.otherVersions = try GateThresholds(other, over: tolerances.otherVersions, metrics: metrics)
    return tolerances
  }

  /// Keys that must be comparable, since otherwise the gate has not checked what was requested: those in `flags`, and
  /// the file's keys for scores and equal score.
  func required(flags: [String: Double]) -> Set<String> {
    fileKeys.union(flags.keys).subtracting(tolerated(flags: flags))
  }

  /// Keys that only the file has and that may be for other gates: times, which a CSV lacks, and keys for reads.
  func tolerated(flags: [String: Double]) -> Set<String> {
    fileKeys.intersection(GateThresholds.keys).subtracting(GateThresholds.equalScoreKeys).subtracting(
      flags.keys)
  }

  private var fileKeys: Set<String> { Set(thresholds.keys).union(otherVersions.keys) }

  /// Parses `20%` for thresholds that are percentages; nil for others.
  package static func percentage(_ text: String, of key: String) -> Double? {
    guard text.hasSuffix("%"), GateThresholds.percentKeys.contains(key) else { return nil }
    return Double(text.dropLast())
  }

  private static func options(_ node: Node) throws -> [String: [String]] {
    if node.null != nil { return [:] }
    let problem = HeicBenchError(.usage, "options must contain option names with values, such as jobs: 4")
    guard let mapping = node.mapping else { throw problem }
    var options: [String: [String]] = [:]
    for (name, value) in mapping {
      let values = value.sequence.map { $0.compactMap(\.string) } ?? [value.string].compactMap(\.self)
      guard let name = name.string, !values.isEmpty, value.mapping == nil else { throw problem }
      options[PlainText.line(name)] = values
    }
    return options
  }

  private static func numbers(_ node: Node, under key: String) throws -> [String: Double] {
    if node.null != nil { return [:] }
    guard let mapping = node.mapping else {
      throw HeicBenchError(.usage, "\(key) must contain thresholds with numbers, such as total-bytes: 0.5")
    }
    var numbers: [String: Double] = [:]
    for (name, value) in mapping {
      guard let name = name.string.map({ PlainText.line($0) }),
        let number = value.float ?? value.string.flatMap({ percentage($0, of: name) })
      else {
        throw HeicBenchError(.usage, "\(key): “\(PlainText.line(name.string ?? "?"))” must be a number")
      }
      numbers[name] = number
    }
    return numbers
  }
}
