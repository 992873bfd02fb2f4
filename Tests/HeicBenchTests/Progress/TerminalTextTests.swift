import Testing

@testable import heicbench

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test("sentences are broken between words, and go on further in")
  func sentences() {
    let text = "heicbench: passed over one not an image and two that cannot be read\nshort\n"
    #expect(
      TerminalText.wrapped(text, columns: 40)
        == "heicbench: passed over one not an image\n  and two that cannot be read\nshort\n")
    let detail = "  Averaged over SSIMULACRA2 50 to 90, it takes 34 % fewer bytes."
    let lines = TerminalText.wrapped(detail, columns: 40).split(separator: "\n")
    #expect(lines == ["  Averaged over SSIMULACRA2 50 to 90, it", "    takes 34 % fewer bytes."])
  }

  @Test("tables and words without an end stay as they are")
  func others() {
    let row = "heic            50      −54.6  −63.9 to −43.0       × 300  10 of 14"
    #expect(TerminalText.wrapped(row, columns: 40) == row)
    let word = String(repeating: "x", count: 90)
    #expect(TerminalText.wrapped(word, columns: 40) == word)
    #expect(TerminalText.wrapped("a \(word) b", columns: 40) == "a\n  \(word)\n  b")
    #expect(
      TerminalText.wrapped("one two three four", columns: 10) == "one two three four", "too narrow to help")
  }
}
