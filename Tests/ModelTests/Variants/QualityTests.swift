import Model
import Testing

@Suite struct QualityTests {
  @Test(arguments: [("0.3", 300), (".5", 500), ("1", 1000), ("1.0", 1000), ("0.850", 850), ("0", 0)])
  func readsDecimals(text: String, thousandths: Int) {
    #expect(Quality(text)?.thousandths == thousandths)
  }

  @Test(arguments: [
    "", ".", "1.1", "-0.1", "0.1234", "1e0", "0,5", "٠.٥", " 0.5", "nan", "99999999999999999999",
  ])
  func refusesWhatIsNoQuality(text: String) {
    #expect(Quality(text) == nil)
  }

  @Test func spellsItselfShortest() throws {
    for (text, spelling) in [
      ("0.30", "0.3"), ("1", "1.0"), ("0", "0.0"), ("0.85", "0.85"), ("0.005", "0.005"),
    ] {
      #expect(try #require(Quality(text)).description == spelling)
    }
  }

  @Test func nativeValueRoundsAndClamps() throws {
    let half = try #require(Quality("0.855"))
    #expect(half.nativeValue(in: 0...100) == 86)
    #expect(try #require(Quality("0")).nativeValue(in: 1...100) == 1)
    #expect(try #require(Quality("1")).nativeValue(in: 0...63) == 63)
  }

  @Test("Native values off the scale have no quality", arguments: [-1, 101, Int.min, Int.max])
  func noNativeValue(native: Int) { #expect(Quality(native: native) == nil) }

  @Test func nativeValuesRoundTrip() throws {
    for native in 0...100 {
      #expect(try #require(Quality(native: native)).nativeValue(in: 0...100) == native)
    }
  }
}
