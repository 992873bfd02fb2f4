import Model
import Testing

@Suite struct QualityListTests {
  @Test(arguments: [
    ("0.1...1.0", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"),
    ("0.5...0.95:0.05", "0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95"),
    ("0.3,0.5,0.9", "0.3,0.5,0.9"),
    ("0.9,0.1...0.3,0.2", "0.1,0.2,0.3,0.9"),
    ("0.1...0.35", "0.1,0.2,0.3"),
    ("0.5...0.5", "0.5"),
    ("0...1:0.25,.33", "0.0,0.25,0.33,0.5,0.75,1.0"),
  ])
  func parses(text: String, list: String) throws {
    #expect(try QualityList(parsing: text).description == list)
  }

  @Test func spellingParsesBack() throws {
    let list = try QualityList(parsing: "0.05...1.0:0.05")
    #expect(list.qualities.count == 20)
    #expect(try QualityList(parsing: list.description) == list)
  }

  @Test(arguments: [
    "", "0.1..1.0", "0.9...0.1", "0.1...0.9:0", "0.1...0.9:x", "0.5,", "0.1...2.0", "a", "0.1...0.5...0.9",
  ])
  func refusalsSayWhatIsAllowed(text: String) {
    let error = #expect(throws: QualityList.ParseError.self) { try QualityList(parsing: text) }
    #expect(error?.description.contains("0.1...1.0") == true)
  }

  @Test func percentagesGetAHint() {
    let error = #expect(throws: QualityList.ParseError.self) { try QualityList(parsing: "85") }
    #expect(error?.description.contains("for 85 write 0.85") == true)
  }
}
