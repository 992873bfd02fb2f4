import Model
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Store

@Suite("Outcome of a gate")
struct GateOutcomeTests {
  private static func read(bytes: Int, score: Double) -> ResultRow {
    var read = ResultRow(image: "a.png", status: .measured)
    (read.variant, read.quality, read.scores) = (CodecVariant(codec: "heic"), 0.5, ["ssimulacra2": score])
    (read.way.route, read.way.wanted, read.way.touchedBytes) = ("full", "full", bytes)
    return read
  }

  @Test("gives its findings as values")
  func values() throws {
    let report = try GateBuilder.compare(
      .reads, [Self.read(bytes: 1000, score: 80)], [Self.read(bytes: 1100, score: 82)])
    let outcome = GateOutcome([report])
    #expect(outcome.hasFailed && outcome.compared == 1 && outcome.findings.count == 2)
    let worse = try #require(outcome.findings.first { $0.verdict == .worse })
    #expect(worse.part == "reads" && worse.quantity == "point-bytes" && worse.unit == "%")
    #expect(worse.image == "a.png" && worse.variant?.codec == "heic" && worse.way == "q 0.5, full, full")
    #expect(worse.before == 1000 && worse.after == 1100 && worse.limit == 2)
    #expect(abs(worse.worsening - 10) < 1e-9)
    let better = try #require(outcome.findings.first { $0.verdict == .better })
    #expect(better.quantity == "ssimulacra2" && better.worsening == -2 && better.unit == "score")
  }
}
