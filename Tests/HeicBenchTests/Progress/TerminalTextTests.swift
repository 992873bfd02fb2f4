import Reports
import Testing

@testable import Commands

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

  private let table = """
    Codec              SSIMULACRA2  Bytes (%)  95 % interval   Encode CPU  Images  Left out
    heic:preset=fast            50      −29.0  −42.5 to −12.4       × 200       6
    avif:speed=9                50      −18.1  −30.6 to −3.2         × 28  5 of 6  1 out of range
    heic:preset=fast            70      −25.7  −36.6 to −13.0       × 190       6
    """

  @Test(
    "tables are folded into parts that fit, each with the columns that tell rows apart",
    arguments: [50, 60, 80])
  func tables(columns: Int) {
    let lines = TerminalText.wrapped("Before.\n\n\(table)\n\nAfter.", columns: columns)
      .split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    let heads = lines.filter { $0.hasPrefix("Codec             SSIMULACRA2") }
    #expect(heads.count > 1 && lines.count == 2 + 4 * heads.count, "\(lines)")
    for cell in ["−42.5 to −12.4", "× 190", "5 of 6", "1 out of range", "−18.1"] {
      #expect(lines.contains { $0.contains(cell) }, "\(cell)")
    }
    #expect(TerminalText.wrapped(table, columns: 120) == table)
  }

  @Test("columns of wide characters are found by their places on the screen") func wideTables() {
    let table = "Image  Bytes  Score\n画像   1,000     70\nb      2,000     80"
    let lines = TerminalTable(table.split(separator: "\n")).folded(to: 14)
    #expect(
      lines == [
        "Image  Bytes", "画像   1,000", "b      2,000", "", "Image  Score", "画像      70", "b         80",
      ])
  }

  @Test("a line of progress stays on one line", arguments: [20, 40, 80]) func lines(columns: Int) {
    let line = "pictures for report.html: 14/59; Ctrl-C leaves them out, and 画像.png"
    let cut = TerminalText.cut(line, columns: columns)
    #expect(cut.displayWidth < columns && line.hasPrefix(cut))
  }

  @Test("single rows and words without an end stay as they are")
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
