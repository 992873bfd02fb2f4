import Testing

@testable import Store

struct SpreadsheetTextTests {
  @Test(
    "Text that would start a formula gets an apostrophe",
    arguments: ["=1+1", "+1", "-dash.png", "@sum", "\t=1", "\r=1", " =1", "'=1", "''+x", "' =x"])
  func guardsFormulas(text: String) {
    #expect(SpreadsheetText.guarded(text) == "'" + text)
    #expect(SpreadsheetText.unguarded("'" + text) == text)
  }

  @Test(
    "Other text stays as it is, in both directions",
    arguments: ["", "photo.png", "'quoted'", "'", " a", "a=b", "''", "été-1.png"])
  func leavesTheRest(text: String) {
    #expect(SpreadsheetText.guarded(text) == text)
    #expect(SpreadsheetText.unguarded(text) == text)
  }

  @Test("A field that another program left unguarded is read as it is")
  func foreignFields() {
    #expect(SpreadsheetText.unguarded("-dash.png") == "-dash.png")
  }
}
