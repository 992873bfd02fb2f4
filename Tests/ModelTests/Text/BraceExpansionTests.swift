import Testing

@testable import Model

@Suite("Lists in braces")
struct BraceExpansionTests {
  @Test("a text without braces stands for itself")
  func plain() throws {
    #expect(try BraceExpansion.expand("heic:preset=slow") == ["heic:preset=slow"])
    #expect(try BraceExpansion.expand("") == [""])
  }

  @Test("several lists are all combinations, the last one changing fastest")
  func product() throws {
    #expect(
      try BraceExpansion.expand("heic:preset={fast,slow},chroma={420,444}") == [
        "heic:preset=fast,chroma=420", "heic:preset=fast,chroma=444", "heic:preset=slow,chroma=420",
        "heic:preset=slow,chroma=444",
      ])
    #expect(try BraceExpansion.expand("{jpeg,heic}") == ["jpeg", "heic"])
    #expect(try BraceExpansion.expand("a{b}c") == ["abc"])
  }

  @Test("what is not a list", arguments: ["{", "}", "a{b", "a}b{c", "{a,{b,c}}", "{a}}"])
  func unbalanced(text: String) {
    #expect(throws: BraceExpansion.Problem.unbalanced) { try BraceExpansion.expand(text) }
  }

  @Test("an empty value is refused", arguments: ["{}", "{a,}", "{,a}", "x={a,,b}"])
  func empty(text: String) {
    #expect(throws: BraceExpansion.Problem.empty) { try BraceExpansion.expand(text) }
  }

  @Test("a text of many lists is refused before memory runs out")
  func many() {
    let list = "{0,1,2,3,4,5,6,7,8,9}"
    #expect((try? BraceExpansion.expand(list + list + list))?.count == 1000)
    #expect(throws: BraceExpansion.Problem.tooMany) {
      try BraceExpansion.expand(String(repeating: list, count: 30))
    }
  }
}
