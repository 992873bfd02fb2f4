import Testing

@testable import Analysis
@testable import Store

@Suite struct GateThresholdsTests {
  @Test func keysSetTheirThresholdsAndNothingElse() throws {
    let thresholds = try GateThresholds(["total-bytes": 1.5, "ssimulacra2": 2, "failures": 3])
    #expect(thresholds[.totalBytes] == 1.5)
    #expect(thresholds[.score("ssimulacra2")] == 2)
    #expect(thresholds[.failure] == 3)
    var expected = GateThresholds()
    (expected[.totalBytes], expected[.failure]) = (1.5, 3)
    expected[.score("ssimulacra2")] = 2
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
    #expect(throws: GateThresholdError.self) { try GateThresholds(["vmaf": 1]) }
    #expect(try GateThresholds(["vmaf": 1], metrics: ["vmaf"])[.score("vmaf")] == 1)
  }

  @Test(arguments: [-1, Double.nan, .infinity])
  func valuesThatMeanNothingAreRefused(value: Double) {
    #expect(throws: GateThresholdError.self) { try GateThresholds(["saving": value]) }
  }

  @Test func versionsApartAreToleratedMore() throws {
    let (same, other) = (GateThresholds(), GateThresholds.acrossVersions)
    for quantity in [.totalBytes, .pointBytes] + other.metrics.map(GateQuantity.score) {
      #expect(try #require(other[quantity]) > #require(same[quantity]))
    }
    #expect(other[.failure] == same[.failure])
  }
}
