import Foundation
import HeicBenchKit

enum GateConsole {
  /// Writes annotations for a GitHub job, and further notices.
  static func tellGitHub(_ gate: GateOutcome) {
    if ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true" {
      // Standard error reaches the runner as well, and leaves standard output to the formats.
      StandardError.write(gate.annotations)
    }
    for notice in gate.notices { StandardError.notice(notice) }
  }

  /// Runs `body`. Until its gate has looked, the JUnit file says that nothing was compared, not an earlier result.
  static func guarding<T>(_ gate: GateRequest?, _ body: () throws -> T) throws -> T {
    try gate?.noteUnlooked("heicbench ended before it could; its log says why")
    do { return try body() } catch let error as HeicBenchError {
      try? gate?.noteUnlooked(error.description)
      throw error
    }
  }

  static func tellUnlooked(_ gate: GateRequest?, _ reason: String) throws {
    guard let gate else { return }
    StandardError.notice("the gate has not looked: \(reason)")
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
