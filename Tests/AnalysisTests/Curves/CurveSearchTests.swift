import Foundation
import Testing

@testable import Analysis

/// Searches on a curve like x265's: the score flattens towards 100, and bytes grow with every point.
struct CurveSearchTests {
  private func score(_ native: Double) -> Double { 100 - 60 * exp(-native / 40) - 3 * native / 100 }

  private func bytes(_ native: Double) -> Double { 1e5 * exp(native / 22) }

  /// The native quality that has a score, by halving.
  private func native(_ wanted: Double) -> Double {
    var (low, high) = (0.0, 100.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if score(middle) < wanted { low = middle } else { high = middle }
    }
    return high
  }

  private func search(
    _ wanted: Double, start: Int? = nil, likely: CurveTries.Slope? = nil, after known: [Int] = []
  ) -> (place: CurveTries.Place?, tries: Int) {
    let search = CurveSearch(
      range: 0...100, score: wanted, start: start, likely: likely, earlier: known.count)
    var tries = CurveTries()
    for native in known {
      tries[native] = .init(bytes: Int(bytes(Double(native))), score: score(Double(native)), seconds: 1)
    }
    while true {
      switch search.next(tries) {
      case .try(let native):
        #expect(tries[native] == nil, "\(native) is tried again")
        tries[native] = .init(bytes: Int(bytes(Double(native))), score: score(Double(native)), seconds: 1)
      case .found(let place): return (place, tries.known.count)
      case .outOfReach: return (nil, tries.known.count)
      }
    }
  }

  @Test(arguments: [45, 60, 70, 80, 85, 90, 91.5])
  func theBytesAtAScoreAreFoundInFewTries(wanted: Double) throws {
    let (place, tries) = search(wanted)
    let found = try #require(place)
    let truth = bytes(native(wanted))
    #expect(abs(found.bytes / truth - 1) < 0.03, "\(found.bytes) of \(truth)")
    #expect(abs(found.native - native(wanted)) < 1 && tries <= 6, "\(found.native) in \(tries) tries")
  }

  @Test("a bracketing search ends with the score between two tries", arguments: [45, 60, 70, 80, 90, 95.0])
  func bracketing(wanted: Double) throws {
    var tries = CurveTries()
    var found: CurveTries.Place?
    search: while true {
      switch tries.bracketing(wanted, in: 0...100, from: 50, leastStep: 3) {
      case .try(let native):
        try #require(tries[native] == nil && (0...100).contains(native), "\(native) is tried again")
        tries[native] = .init(bytes: Int(bytes(Double(native))), score: score(Double(native)), seconds: 1)
      case .found(let place):
        found = place
        break search
      case .outOfReach: break search
      }
    }
    guard wanted < score(100) else { return #expect(found == nil && tries[100] != nil) }
    let place = try #require(found)
    #expect(abs(place.bytes / bytes(native(wanted)) - 1) < 0.02)
    let scores = tries.known.values.map(\.score)
    #expect(scores.contains { $0 < wanted } && scores.contains { $0 >= wanted } && tries.known.count <= 12)
  }

  @Test(
    "a search that should begin beyond the scale begins at its end",
    arguments: [(105, 100), (-3, 1), (40, 40)])
  func beyondTheScale(start: Int, first: Int) {
    let step = CurveTries().bracketing(90, in: 1...100, from: start, leastStep: 3)
    guard case .try(let native) = step else {
      Issue.record("\(step)")
      return
    }
    #expect(native == first)
  }

  @Test func bytesBetweenAndBeyondTriesFollowTheCurve() throws {
    var tries = CurveTries()
    #expect(tries.bytes(at: 50, near: 80, likely: nil) == nil)
    for native in [40, 50] {
      tries[native] = .init(bytes: Int(bytes(Double(native))), score: score(Double(native)), seconds: 1)
    }
    for native in [35.0, 40, 43, 50, 60] {
      let found = try #require(tries.bytes(at: native, near: score(45), likely: nil))
      #expect(abs(found / bytes(native) - 1) < 1e-3, "\(native)")
    }
  }

  /// An icon whose bytes double from one quality to the next, estimated at what photographs need.
  @Test func bytesFarBeyondSteepTriesAreLimited() throws {
    var tries = CurveTries()
    tries[3] = .init(bytes: 200, score: 40, seconds: 1)
    tries[4] = .init(bytes: 400, score: 95, seconds: 1)
    #expect(try #require(tries.bytes(at: 90, near: 80, likely: nil)) <= 400_001)
  }

  /// x265 makes the same file at 49 and 50, and convert-check enters both.
  @Test func qualitiesWithTheSameFileHaveTheSlopeOfTheirCurve() throws {
    var tries = CurveTries()
    for native in [49, 50, 40] {
      let made = Double(native == 50 ? 49 : native)
      tries[native] = .init(bytes: Int(bytes(made)), score: score(made), seconds: 1)
    }
    let slope = try #require(tries.slope(at: score(55)))
    #expect(abs(slope.native - 9 / (score(49) - score(40))) < 1e-9)
    #expect(tries.place(of: score(55), likely: nil) != nil)
  }

  @Test(arguments: [70, 80, 90]) func aGoodStartTakesOneOrTwo(wanted: Double) throws {
    let truth = native(wanted)
    let rise = score(truth + 0.5) - score(truth - 0.5)
    let likely = CurveTries.Slope(native: 1 / rise, bytes: 1 / 22 / rise)
    for (off, most) in [(0.0, 1), (2, 2), (-6, 3)] {
      let (place, tries) = search(wanted, start: Int((truth + off).rounded()), likely: likely)
      #expect(
        abs(try #require(place).bytes / bytes(truth) - 1) < 0.03 && tries <= most, "\(off): \(tries) tries")
    }
  }

  @Test func triesForAnotherScoreDoNotLeadAstray() throws {
    // Three tries near 80, and a search for 90 that begins five below the right quality.
    let near80 = [-2.0, 0, 3].map { Int((native(80) + $0).rounded()) }
    let (place, tries) = search(90, start: Int(native(90)) - 5, after: near80)
    #expect(
      abs(try #require(place).bytes / bytes(native(90)) - 1) < 0.03 && tries - near80.count <= 3, "\(tries)")
  }

  @Test func whatNoQualityReachesIsOutOfReach() {
    let (place, tries) = search(97)
    #expect(place == nil && tries <= 8)
    // The lowest quality may be more than enough.
    #expect(search(20).place?.native == 0)
  }

  @Test(
    "of qualities with the same score, the nearest ones bound the place, in any order of tries")
  func equalScores() throws {
    for native in 10...60 {
      var tries = CurveTries()
      for (offset, score) in [(0, 60.0), (9, 80), (1, 60), (10, 80)] {
        tries[native + offset] = CurveTries.Try(bytes: 1_000 + offset, score: score, seconds: 0)
      }
      let place = try #require(tries.place(of: 70, likely: nil))
      #expect(place.native == Double(native + 1 + 4), "\(native): \(place)")
    }
  }
}
