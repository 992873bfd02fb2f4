import Testing

@testable import Analysis
@testable import Store

@Suite struct GateThresholdsTests {
  @Test func keysSetTheirThresholdsAndNothingElse() throws {
    let thresholds = try GateThresholds(["total-bytes": 1.5, "ssimulacra2": 2, "failures": 3])
    #expect(thresholds.totalBytesPercent == 1.5)
    #expect(thresholds.scores["ssimulacra2"] == 2)
    #expect(thresholds.newFailures == 3)
    var expected = GateThresholds()
    (expected.totalBytesPercent, expected.newFailures) = (1.5, 3)
    expected.scores["ssimulacra2"] = 2
    #expect(thresholds == expected)
  }

  @Test func everyKeyIsTaken() throws {
    for (index, key) in GateThresholds.keys.enumerated() {
      #expect(try GateThresholds([key: Double(index) + 100]) != GateThresholds())
    }
  }

  @Test func unknownKeysAreRefusedWithTheNearest() {
    let error = #expect(throws: GateThresholdError.self) { try GateThresholds(["totl-bytes": 1]) }
    #expect(error?.description.contains("did you mean “total-bytes”?") == true)
    #expect(error?.description.contains("decode-time") == true)
  }

  @Test func furtherMetricsHaveToBeKnown() throws {
    #expect(throws: GateThresholdError.self) { try GateThresholds(["butteraugli": 1]) }
    #expect(try GateThresholds(["butteraugli": 1], metrics: ["butteraugli"]).scores["butteraugli"] == 1)
  }

  @Test(arguments: [-1, Double.nan, .infinity])
  func valuesThatMeanNothingAreRefused(value: Double) {
    #expect(throws: GateThresholdError.self) { try GateThresholds(["saving": value]) }
  }

  @Test func versionsApartAreToleratedMore() {
    let (same, other) = (GateThresholds(), GateThresholds.acrossVersions)
    #expect(other.totalBytesPercent > same.totalBytesPercent)
    #expect(other.pointBytesPercent > same.pointBytesPercent)
    #expect(other.scores.allSatisfy { $0.value > same.scores[$0.key] ?? .infinity })
    #expect(other.newFailures == same.newFailures)
  }
}
