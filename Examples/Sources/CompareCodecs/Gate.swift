import Foundation
import HeicBenchKit

/// Compares results with a baseline, which the first call writes. Returns false if they got worse.
func gate(_ results: String) async throws -> Bool {
  let baseline = results + "/baseline.csv"
  guard FileManager.default.fileExists(atPath: baseline) else {
    try BaselineRequest(results: results).write(to: baseline)
    return true
  }
  let gate = try await GateRequest(baseline: baseline).run(on: results)
  print(gate.compared, "points compared")
  for finding in gate.findings { print(finding.verdict, finding.quantity, finding.worsening, finding.unit) }
  return !gate.hasFailed
}
