import Store
import Testing

@Suite struct ShellWordTests {
  @Test("words are quoted where a shell would read them otherwise")
  func quoting() {
    #expect(ShellWord.quoted("a/b-1.png") == "a/b-1.png")
    #expect(ShellWord.quoted("") == "''")
    #expect(ShellWord.quoted("it's $1") == #"'it'\''s $1'"#)
  }
}
