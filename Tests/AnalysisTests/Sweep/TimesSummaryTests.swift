import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

struct TimesSummaryTests {
  private func times(_ change: @escaping (inout ResultRow, _ number: Int) -> Void) throws -> TimesSummary {
    let rows = SampleRows(images: 1, qualities: 2).rows()
    var builder = AnalysisBuilder(metrics: [])
    for (number, var row) in rows.enumerated() {
      change(&row, number)
      try builder.add(row)
    }
    return builder.finish().times
  }

  private func origin(jobs: Int, drift: Double? = nil) -> TimesOrigin {
    TimesOrigin(host: "host-a", processor: "P", jobs: jobs, driftPercent: drift)
  }

  @Test func pointsTimedElsewhereAreCountedByHost() throws {
    let times = try times { row, number in if number < 3 { row.foreignHost = "slowbox" } }
    #expect(times.foreign == ["slowbox": 3] && times.origins.isEmpty)
  }

  @Test func pointsAreCountedByTheirJobs() throws {
    let times = try times { row, number in
      (row.conditions, row.timesOrigin) = (.contended, origin(jobs: number == 0 ? 1 : 2))
    }
    #expect(times.origins == [origin(jobs: 1): 1, origin(jobs: 2): 3])
    #expect(times.exclusive == 0 && times.driftPercent == nil)
  }

  /// Of the points timed alone, one varies, and for another wall time far exceeds CPU time.
  @Test func doubtsAboutPointsTimedAloneAreCounted() throws {
    let times = try times { row, number in
      (row.conditions, row.timesOrigin) = (.exclusive, origin(jobs: 4, drift: number == 2 ? -41.4 : 1))
      let wall = number == 1 ? 12.0 : 10
      row[.encode, .wall] = ResultRow.Timing(minimum: 8, median: wall, deviation: number == 0 ? 1 : 0.1)
      row[.encode, .cpu] = ResultRow.Timing(minimum: 8, median: 10, deviation: 0.1)
    }
    #expect((times.exclusive, times.spread, times.disturbed) == (4, 1, 1))
    #expect(times.driftPercent == -41.4, "the largest")
    #expect(times.origins == [origin(jobs: 1): 4], "one job at a time, whatever drifted")
  }
}
