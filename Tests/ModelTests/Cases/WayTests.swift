import Testing

@testable import Model

struct WayTests {
  @Test(
    "a way is read from its spelling",
    arguments: [
      "", "whole", "read scaled 320", "read region 5x6", "read full full", "tiles 256+0 files 1920x1080",
      "import a folder/b c.heic", "generations 5", "generations 5 reaching 80.5",
    ])
  func restoresItsSpelling(text: String) throws {
    #expect(try #require(Way(text)).description == text)
  }

  @Test(
    "anything else is refused",
    arguments: [
      " ", "walk", "read", "read scaled", "read scaled 0", "tiles 256 files", "whole x", "generations 0",
      "generations 5 reaching", "generations 05", "read region 4294967296x4294967296",
    ])
  func refusesOtherSpellings(text: String) { #expect(Way(text) == nil) }
}
