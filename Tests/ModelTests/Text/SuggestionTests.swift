import Model
import Testing

@Suite struct SuggestionTests {
  @Test func nearWordsAreSuggested() {
    #expect(suggestion(for: "hiec", among: ["jpeg", "heic"]) == ", did you mean “heic”?")
    #expect(suggestion(for: "JPEG", among: ["jpeg", "heic"]) == ", did you mean “jpeg”?")
  }

  @Test func farWordsAreNot() {
    #expect(suggestion(for: "webp", among: ["jpeg", "heic"]).isEmpty)
    #expect(suggestion(for: "anything", among: []).isEmpty)
  }
}
