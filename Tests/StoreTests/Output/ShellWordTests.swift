import Store
import Testing

@Suite struct ShellWordTests {
  @Test("words are quoted if a shell would read them differently")
  func quoting() {
    #expect(ShellWord.quoted("a/b-1.png") == "a/b-1.png")
    #expect(ShellWord.quoted("") == "''")
    #expect(ShellWord.quoted("it's $1") == #"'it'\''s $1'"#)
    #expect(
      ShellWord.quoted("it's\u{1B}[2J\\\n\u{9B}\u{202E}")
        == #"$'it\'s\U0000001b[2J\\\U0000000a\U0000009b\U0000202e'"#)
  }

  @Test("a path as it is printed is quoted for the bytes that it stands for")
  func printedPaths() {
    #expect(ShellWord.quotedPath("a b.png") == "'a b.png'")
    #expect(ShellWord.quotedPath(#"caf\xe9 it's.jpg"#) == #"$'caf\xe9 it\'s.jpg'"#)
    #expect(ShellWord.quotedPath(#"a\\b.png"#) == #"$'a\\b.png'"#)
    // A needless escape stands for itself.
    #expect(ShellWord.quotedPath(#"\x2e.png"#) == #"'\x2e.png'"#)
    #expect(ShellWord.sweep(of: [#"a\\b"#], [#"\d"#]) == #"heicbench $'a\\b' '\d'"#)
  }

  @Test("the name of a store's root never becomes an option")
  func roots() {
    #expect(
      ShellWord.arguments(ofRoots: ["photos", "--metric-command", "-o", "--files a list", "--files --o", "-"])
        == ["photos", "./--metric-command", "./-o", "--files", "a list", "--files", "./--o", "-"])
  }
}
