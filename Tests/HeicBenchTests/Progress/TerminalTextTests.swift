import Reports
import Testing

@testable import Commands

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test("sentences are wrapped between words, with further lines indented")
  func sentences() {
    let text = "heicbench: passed over one not an image and two that cannot be read\nshort\n"
    #expect(
      TerminalText.wrapped(text, columns: 40)
        == "heicbench: passed over one not an image\n  and two that cannot be read\nshort\n")
    let detail = "  Averaged over SSIMULACRA2 50 to 90, it takes 34 % fewer bytes."
    let lines = TerminalText.wrapped(detail, columns: 40).split(separator: "\n")
    #expect(lines == ["  Averaged over SSIMULACRA2 50 to 90, it", "    takes 34 % fewer bytes."])
  }

  @Test("a line of progress stays on one line", arguments: [20, 40, 80]) func lines(columns: Int) {
    let line = "pictures for report.html: 14/59; Ctrl-C leaves them out, and 画像.png"
    let cut = TerminalText.cut(line, columns: columns)
    #expect(cut.displayWidth < columns && line.hasPrefix(cut))
  }

  @Test("endless words stay as they are")
  func others() {
    let word = String(repeating: "x", count: 90)
    #expect(TerminalText.wrapped(word, columns: 40) == word)
    #expect(TerminalText.wrapped("a \(word) b", columns: 40) == "a\n  \(word)\n  b")
    #expect(
      TerminalText.wrapped("one two three four", columns: 10) == "one two three four", "too narrow to help")
  }
}
