import Model
import Store
import Testing

@testable import Analysis
@testable import HeicBenchKit

struct RouteAnswerTests {
  private func answers(
    _ rows: [CaseRecord], honestScore: Double, bandwidth: Double? = nil
  ) -> [RouteAnswer] {
    var table = ReadTable(ReadScope(score: honestScore, bandwidth: bandwidth))
    for row in rows { table.add(row) }
    return RouteAnswer.all(table)
  }

  private func row(
    _ image: String, _ route: ReadRoute, _ wanted: WantedPixels, cpu: [Double], score: Double,
    aligned: Double? = nil, delivered: Int = 320
  ) -> CaseRecord {
    var figures = Figures(
      format: "heic", fileBytes: 1000, width: 4000, height: 3000, touchedBytes: 100)
    (figures[.decodedWidth], figures[.decodedHeight]) = (delivered, delivered * 3 / 4)
    (figures[.deliveredWidth], figures[.deliveredHeight]) = (delivered, delivered * 3 / 4)
    figures.timing.decode = cpu.map {
      TimingSample(wallNanoseconds: Int64($0 * 2e6), cpuNanoseconds: Int64($0 * 1e6))
    }
    figures[.plain] = score
    figures[.aligned] = aligned
    figures.figures[.decodePeak] = 2 << 20
    let key = Case(
      image: ImageIdentity(name: image, contentHash: image), encoding: nil, route: route, wanted: wanted)
    return CaseRecord(key: key, outcome: .measured(figures))
  }

  @Test func timesAreTheMiddleAndTheSpread() throws {
    let row = row("a", .full, .all, cpu: [9, 1, 3, 5], score: 100)
    #expect(row.cpu?.median == 4)
    #expect(row.cpu?.minimum == 1)
    #expect(row.cpu?.deviation == 2)
    #expect(row.wall == 8)
  }

  @Test func theCheapestHonestRouteIsFound() throws {
    let rows = [
      row("a", .full, .side(320), cpu: [500], score: 100),
      row("a", .scaled, .side(320), cpu: [50], score: 80),
      row("a", .thumbnail, .side(320), cpu: [5], score: 37, aligned: 72),
    ]
    let answer = try #require(answers(rows, honestScore: 70).first)
    #expect(answer.cheapest?.route == .thumbnail)
    #expect(answer.cheapest?.score == 72)
    #expect(answers(rows, honestScore: 75).first?.cheapest?.route == .scaled)
    #expect(answer.kind == "HEIC files")
    #expect(answer.files == 1)
  }

  @Test func whatWouldBeEnlargedIsNotHonest() throws {
    let rows = [
      row("a", .full, .side(1024), cpu: [500], score: 100, delivered: 1024),
      row("a", .thumbnail, .side(1024), cpu: [5], score: 95, delivered: 320),
    ]
    #expect(answers(rows, honestScore: 70).first?.cheapest?.route == .full)
  }

  @Test func aPartThatCostsMoreThanAllOfItIsNotTheCheapest() throws {
    let part = WantedPixels.part(width: 64, height: 64)
    let rows = [
      row("a", .full, .all, cpu: [18], score: 100), row("a", .region, part, cpu: [20], score: 100),
      row("b", .full, .all, cpu: [18], score: 100), row("b", .region, part, cpu: [20], score: 100),
    ]
    let answer = try #require(answers(rows, honestScore: 70).first { $0.wanted == part })
    #expect(answer.cheapest?.route == .full && answer.cheapest?.isExact == true)
    #expect(answer.files == 2 && answer.comparison == nil)
  }

  @Test func timeOverTheLineIsThatOfTheFilesAndNoMixture() throws {
    // At 8 Mbit/s, a kilobyte takes a millisecond, so the reads take 1 + 5, 2 + 1 and 90 + 3 ms.
    var rows = [5, 1, 3].enumerated().map { row("\($0)", .full, .all, cpu: [Double($1)], score: 100) }
    for (index, bytes) in [1000, 2000, 90_000].enumerated() {
      guard case .measured(var figures) = rows[index].outcome else { continue }
      (figures.encodedBytes, figures[.touchedBytes]) = (bytes, bytes)
      rows[index].outcome = .measured(figures)
    }
    let cheapest = try #require(answers(rows, honestScore: 70, bandwidth: 8).first?.cheapest)
    // The median CPU time plus the mean of the bytes would be 34 ms, which no file takes.
    #expect(cheapest.time == 6)
  }

  @Test func smallSizesAreNotRanked() throws {
    let rows = [row("a", .full, .side(160), cpu: [500], score: 100, delivered: 160)]
    let answer = try #require(answers(rows, honestScore: 70).first)
    #expect(!answer.isRanked && answer.cheapest == nil)
  }
}
