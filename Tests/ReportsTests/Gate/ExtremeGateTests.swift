import Foundation
import Model
import SampleData
import Store
import Testing

@testable import Analysis
@testable import Reports

/// Extreme figures never trap, the JSON is valid, and no gate passes because of them.
@Suite(.timeLimit(.minutes(30))) struct ExtremeGateTests {
  private static func gate(_ before: [ResultRow], _ after: [ResultRow]) throws -> GateReport {
    var builder = GateBuilder(
      tolerances: GateTolerances(), metrics: SyntheticSweep.metrics, baselineManifest: nil, manifest: nil,
      required: [],
      progress: nil, pairsCodecs: false)
    for row in before { builder.addBaseline(row) }
    for row in after { try builder.add(row) }
    return builder.finish()
  }

  @Test("the gate, in both directions", arguments: 0..<16) func gate(_ seed: Int) throws {
    let sound = (0..<4).flatMap(SyntheticSweep.rows)
    let disturbed = SyntheticSweep.disturbedRows(seed: seed)
    for (before, after) in [
      (sound, disturbed), (disturbed, sound), (disturbed, SyntheticSweep.disturbedRows(seed: seed + 100)),
    ] {
      let report = try Self.gate(before, after)
      #expect(!GateSummary(report).markdown.isEmpty && !JUnitReport.xml([report]).isEmpty)
      _ = GitHubAnnotations.text(report)
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(GateJSON.text([report]).utf8))
      }
    }
  }

  @Test("a score that is not a number counts as missing") func noNumber() throws {
    let sound = (0..<4).flatMap(SyntheticSweep.rows)
    let broken = sound.map { row in
      var row = row
      row.scores["ssimulacra2"] = .nan
      return row
    }
    let report = try Self.gate(sound, broken)
    #expect(!report.regressions.isEmpty)
    #expect(GateSummary(report).markdown.contains("missing"))
    #expect(try Self.gate(sound, sound).regressions.isEmpty)
  }
}
