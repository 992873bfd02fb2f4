import Foundation
import HeicBenchKit

enum GateConsole {
  /// Writes annotations for a GitHub job.
  static func tellGitHub(_ gate: GateOutcome) {
    if ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true" {
      // The runner reads standard error too, so standard output stays free for the formats.
      StandardError.write(gate.annotations)
    }
    for notice in gate.notices { StandardError.notice(notice) }
  }

  /// Runs `body`. Until its gate has compared, the JUnit file says so instead of showing an earlier result.
  static func guarding<T>(_ gate: GateRequest?, _ body: () throws -> T) throws -> T {
    try gate?.noteUnlooked("heicbench ended first; its log says why")
    do { return try body() } catch let error as HeicBenchError {
      try? gate?.noteUnlooked(error.description)
      throw error
    }
  }

  static func tellUnlooked(_ gate: GateRequest?, _ reason: String) throws {
    guard let gate else { return }
    StandardError.notice("the gate could not compare: \(reason)")
    try gate.noteUnlooked(reason)
  }

  /// Reports why a gate that passed does not end in 0.
  static func tellFailures(_ outcome: SweepOutcome) {
    let images = outcome.failures.count { $0.codec == nil }
    let points = outcome.failures.count - images
    let parts = [(images, "image", "cannot be used"), (points, "point", "failed")].filter { $0.0 > 0 }.map {
      "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s") \($0.2)"
    }
    guard !parts.isEmpty else { return }
    StandardError.notice(
      "the gate passed, but \(parts.joined(separator: " and ")): exit code \(ExitStatus.someFailed.rawValue)")
  }
}
