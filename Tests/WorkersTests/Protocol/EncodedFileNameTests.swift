import Model
import Testing

@testable import Workers

@Suite struct EncodedFileNameTests {
  private func path(_ image: String, settings: [String: String] = [:]) throws -> String {
    EncodedFileName.path(
      image: image, variant: CodecVariant(codec: "heic", settings: settings),
      quality: try #require(Quality(thousandths: 850)), fileExtension: "heic")
  }

  @Test func namesAreReadable() throws {
    #expect(try path("photos/beach.png") == "photos/beach.png/heic-q0.85.heic")
    #expect(
      try path("a", settings: ["chroma": "444", "x265:pools": "1"])
        == "a/heic-chroma=444,x265%3Apools=1-q0.85.heic")
  }

  @Test(arguments: ["../../etc/passwd", "/etc/passwd", "./..", "a/../../b", "...//"])
  func noNameLeavesItsFolder(_ image: String) throws {
    let parts = try path(image).split(separator: "/", omittingEmptySubsequences: false)
    #expect(!parts.contains("") && !parts.contains(".") && !parts.contains(".."))
  }

  @Test func differentNamesStayDifferent() throws {
    let names = ["a b", "a_b", "a%20b", "a\\b", "ä", "a\u{308}", "A b"]
    #expect(try Set(names.map { try path($0) }).count == names.count)
  }

  @Test func longNamesAreCutButStayDifferent() {
    let long = String(repeating: "é", count: 300)
    #expect(EncodedFileName.component(long).utf8.count <= 200)
    #expect(EncodedFileName.component(long) != EncodedFileName.component(long + "e"))
  }
}
