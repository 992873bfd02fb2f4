import Model
import Testing

@testable import Workers

@Suite struct EqualScoreSearchTests {
  private func point(_ thousandths: Int, _ score: Double) throws -> ScoredPoint {
    ScoredPoint(
      quality: try #require(Quality(thousandths: thousandths)), bytes: thousandths, score: score)
  }

  @Test("the nearest hundredth is found from a few points", arguments: [42.3, 55, 61.7, 70, 88.9])
  func nearest(wanted: Double) throws {
    // Bent as scores over a codec's scale are.
    let score = { (thousandths: Int) in
      20 + 75 * (1 - (1 - Double(thousandths) / 1000) * (1 - Double(thousandths) / 1000))
    }
    var search = EqualScoreSearch(try [100, 300, 600, 900].map { try point($0, score($0)) }, wanted: wanted)
    var tries = 0
    while let quality = search.next {
      tries += 1
      search.enter(try point(quality.thousandths, score(quality.thousandths)))
    }
    let nearest = try #require((0...100).map { score($0 * 10) }.min { abs($0 - wanted) < abs($1 - wanted) })
    #expect(try #require(search.nearest.first).score == nearest)
    #expect(tries <= 4)
  }

  @Test func whatIsKnownNearlyNeedsNothing() throws {
    let search = EqualScoreSearch(try [point(400, 69.6), point(410, 70.3)], wanted: 70)
    #expect(search.next == nil)
    #expect(search.nearest.first?.score == 70.3)
  }

  @Test func nothingIsTriedBeyondWhatIsKnown() throws {
    #expect(EqualScoreSearch([], wanted: 70).next == nil)
    #expect(EqualScoreSearch([], wanted: 70).nearest.isEmpty)
    let below = EqualScoreSearch(try [point(400, 50), point(900, 60)], wanted: 70)
    #expect(below.next == nil && below.nearest.first?.score == 60)
    let odd = EqualScoreSearch(try [point(400, 50), point(500, .nan), point(900, .infinity)], wanted: 70)
    #expect(odd.next == nil && odd.nearest.first?.score == 50)
    let flat = EqualScoreSearch(try [point(400, 70), point(900, 70)], wanted: 70)
    #expect(flat.next == nil && flat.nearest.first?.score == 70)
  }

  @Test func aScoreThatIsNoNumberEndsIt() throws {
    var search = EqualScoreSearch(try [point(100, 10), point(900, 90)], wanted: 70)
    search.enter(try point(700, .nan))
    #expect(search.next == nil && search.nearest.first?.score == 90)
  }

  @Test func sidesAreChosenTogether() throws {
    // 69.9 and 70.6 are nearest to 70, 70.5 and 70.6 to each other.
    let jpeg = try [point(780, 69.9), point(790, 70.5), point(770, 69.3)]
    let heic = try [point(450, 70.6), point(440, 69.2)]
    let both = try #require(EqualScoreSearch.together([jpeg, heic], wanted: 70))
    #expect(both.map(\.score) == [69.3, 69.2] || both.map(\.score) == [70.5, 70.6])
    #expect(EqualScoreSearch.together([jpeg], wanted: 70)?.map(\.score) == [69.9])
    #expect(EqualScoreSearch.together([jpeg, []], wanted: 70) == nil)
    #expect(EqualScoreSearch.together([], wanted: 70) == nil)
  }
}
