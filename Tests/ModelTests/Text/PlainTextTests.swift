import Model
import Testing

@Suite struct PlainTextTests {
  @Test(arguments: [
    ("plain – ä 漢字 🏔️", "plain – ä 漢字 🏔️"),
    ("a\u{1b}[31mred\r\nfake", "a [31mred  fake"),
    ("a\u{9b}31mb\u{7f}c\u{2028}d", "a 31mb c d"),
    ("jpg.\u{202e}exe\u{2066}\u{feff}", "jpg.exe"),
    ("می\u{200c}خواهم 👩\u{200d}🚀", "می\u{200c}خواهم 👩\u{200d}🚀"),
  ]) func nothingSteers(_ text: String, _ expected: String) { #expect(PlainText.line(text) == expected) }

  @Test func longTextIsCut() {
    #expect(PlainText.line("abcdef", limit: 3) == "abc…")
    #expect(PlainText.line("abc", limit: 3) == "abc")
  }

  @Test func blocksKeepTheirLines() {
    #expect(PlainText.block("a\tb\n\u{1b}]0;title\u{7}c\r\n\u{202e}d") == "a\tb\n]0;titlec\r\nd")
    #expect(PlainText.block("a~ b\r\n\0\u{7f}c") == "a~ b\r\nc")
  }
}
