import Store
import Testing

@testable import Reports

struct TextTableWriterTests {
  private static let columns: [Column<(String, Int?)>] = [
    Column("name", title: "Name", alignment: .leading) { .code($0.0) },
    Column("size", title: "Size", unit: "bytes") { Cell(integer: $0.1) },
    Column("none", title: "None") { _ in .empty },
  ]

  @Test("Columns line up, empty ones are left out, lines end without spaces")
  func aligned() {
    let table = TextTableWriter(Self.columns).table([("a.png", 1234), ("longer.png", nil)])
    #expect(table == "Name        Size (bytes)\na.png              1,234\nlonger.png\n")
  }

  @Test("Names cannot drive the terminal")
  func controlCharacters() {
    let table = TextTableWriter(Self.columns).table([("a\u{1B}[31m\u{202E}b\nc", 1)])
    #expect(table.contains("a?[31m?b c"))
  }
}
