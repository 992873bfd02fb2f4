import Store
import Testing

@testable import Reports

struct TextTableWriterTests {
  private static let columns: [Column<(String, Int?)>] = [
    Column("name", title: "Name", alignment: .leading) { .code($0.0) },
    Column("size", title: "Size", unit: "bytes") { Cell(integer: $0.1) },
    Column("none", title: "None") { _ in .empty },
  ]

  @Test("Columns are aligned, empty ones are left out, and lines do not end with spaces")
  func aligned() {
    let table = TextTableWriter(Self.columns).table([("a.png", 1234), ("longer.png", nil)])
    #expect(table == "Name        Size (bytes)\na.png              1,234\nlonger.png\n")
  }

  @Test("Names cannot control the terminal")
  func controlCharacters() {
    let table = TextTableWriter(Self.columns).table([("a\u{1B}[31m\u{202E}b\nc", 1)])
    #expect(table.contains("a?[31m?b c"))
  }

  private static let figures: [Column<[String]>] = [
    Column("codec", title: "Codec", alignment: .leading) { .code($0[0]) },
    Column("score", title: "SSIMULACRA2") { .text($0[1]) },
    Column("bytes", title: "Bytes", unit: "%") { .text($0[2]) },
    Column("interval", title: "95 % interval") { .text($0[3]) },
    Column("cpu", title: "Encode CPU") { .text($0[4]) },
  ]
  private static let rows = [
    ["heic:preset=fast", "50", "−29.0", "−42.5 to −12.4", "× 200"],
    ["avif:speed=9", "50", "−18.1", "−30.6 to −3.2", "× 28"],
    ["heic:preset=fast", "70", "−25.7", "−36.6 to −13.0", "× 190"],
  ]

  @Test(
    "A table is split into parts that fit, each with the columns that identify rows",
    arguments: [45, 50, 60])
  func folded(width: Int) {
    let writer = TextTableWriter(Self.figures)
    let lines = writer.table(Self.rows, width: width).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(lines)")
    let heads = lines.filter { $0.hasPrefix("Codec             SSIMULACRA2") }
    #expect(heads.count > 1 && lines.count == 4 * heads.count, "\(lines)")
    for cell in Self.rows.joined() { #expect(lines.contains { $0.contains(cell) }, "\(cell)") }
    #expect(writer.table(Self.rows, width: 120) == writer.table(Self.rows))
  }

  @Test("Wide characters take two columns of a terminal")
  func wideNames() {
    let columns: [Column<(String, Int)>] = [
      Column("image", title: "Image", alignment: .leading) { .code($0.0) },
      Column("bytes", title: "Bytes") { .integer($0.1) }, Column("score", title: "Score") { .integer($0.1) },
    ]
    #expect(
      TextTableWriter(columns).table([("画像", 1000), ("b", 80)], width: 14)
        == "Image  Bytes\n画像   1,000\nb         80\n\nImage  Score\n画像   1,000\nb         80\n")
  }
}
