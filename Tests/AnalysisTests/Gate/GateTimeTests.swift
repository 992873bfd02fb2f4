import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

@Suite struct GateTimeTests {
  /// A gate on one machine where the second run takes `factor` times as long, with this deviation between repeats.
  static func gate(factor: Double, deviation: Double, repeats: Int = 5) -> SampleGate {
    var gate = SampleGate()
    gate.manifests = (SampleGate.manifest(), SampleGate.manifest())
    let times = { (factor: Double) in
      { (row: inout ResultRow) in
        guard let cpu = row[.encode, .cpu] else { return }
        let median = cpu.median * factor
        row[.encode, .cpu] = ResultRow.Timing(
          minimum: median * (1 - deviation), median: median, deviation: median * deviation / 2)
        row.repeats = repeats
      }
    }
    (gate.baseline.change, gate.run.change) = (times(1), times(factor))
    return gate
  }

  @Test func aClearSlowdownFails() throws {
    let report = try Self.gate(factor: 1.5, deviation: 0.02).report()
    #expect(report.regressions.map(\.quantity) == [.time(.encode), .time(.encode)])
    #expect(abs(report.regressions[0].worsening - 50) < 1e-6)
  }

  @Test func aNoisySlowdownIsInconclusive() throws {
    let report = try Self.gate(factor: 1.3, deviation: 0.2).report()
    #expect(!report.isRegression)
    #expect(report.inconclusive.map(\.quantity) == [.time(.encode), .time(.encode)])
    #expect(report.inconclusive[0].detail == .noise)
    #expect(!report.isPureImprovement)
  }

  @Test func aSignificantButSmallSlowdownPasses() throws {
    let report = try Self.gate(factor: 1.1, deviation: 0.01).report()
    #expect(!report.isRegression)
    #expect(report.inconclusive.isEmpty)
  }

  @Test func fewRepeatsNeverFail() throws {
    let report = try Self.gate(factor: 3, deviation: 0, repeats: 2).report()
    #expect(!report.isRegression)
    #expect(report.inconclusive.count == 2)
  }

  @Test func aClearSpeedUpIsAnImprovement() throws {
    let report = try Self.gate(factor: 0.5, deviation: 0.02).report()
    #expect(report.improvements.map(\.quantity) == [.time(.encode), .time(.encode)])
    #expect(report.isPureImprovement)
  }

  @Test func otherMachinesAreNotCompared() throws {
    var gate = Self.gate(factor: 3, deviation: 0.01)
    gate.manifests.after = SampleGate.manifest(host: "laptop")
    let report = try gate.report()
    #expect(!report.isRegression)
    #expect(report.variants.allSatisfy { $0.times[.encode] == nil })
    #expect(report.circumstances.timeObstacle == .differentMachines)
    gate.manifests.after = SampleGate.manifest(jobs: 1)
    #expect(try gate.report().circumstances.timeObstacle == .jobs(2, 1))
    gate.manifests.before = nil
    #expect(try gate.report().circumstances.timeObstacle == .unknownMachine)
  }

  @Test func wallTimesOfTheExclusivePassAreNotHeldAgainstCPUTimes() throws {
    var gate = Self.gate(factor: 1, deviation: 0.01)
    gate.run.change = { row in
      row.conditions = .exclusive
      row[.encode, .wall] = ResultRow.Timing(minimum: 900, median: 1000, deviation: 1)
    }
    let report = try gate.report()
    #expect(report.variants.allSatisfy { $0.times[.encode] == nil })
  }
}
