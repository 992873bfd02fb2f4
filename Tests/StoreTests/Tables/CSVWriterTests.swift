import SampleData
import Store
import TestSupport
import Testing

struct CSVWriterTests {
  @Test("The whole file is as committed")
  func golden() throws {
    let writer = RowWriter(csv: MeasurementColumns.all(metrics: SampleRows.metrics))
    #expect(try Golden.difference(writer.text(SampleRows.mixed), "measurements.csv") == nil)
  }

  @Test("Fields are quoted where RFC 4180 requires it, and nowhere else")
  func quoting() {
    let writer = RowWriter<String>(csv: [Column("a", title: "A") { .text($0) }])
    #expect(
      writer.text(["plain text", "a,b", "a\"b", "a\nb", "a\rb", "a\r\nb", "é"])
        == "a\nplain text\n\"a,b\"\n\"a\"\"b\"\n\"a\nb\"\n\"a\rb\"\n\"a\r\nb\"\né\n")
  }

  @Test("Formulas in text are disarmed, and numbers are left alone")
  func formulas() {
    let writer = RowWriter<String>(csv: [
      Column("name", title: "Name") { .code($0) },
      Column("n", title: "N") { _ in .number(-1.5, decimals: 0) },
      Column("i", title: "I") { _ in .integer(-7) },
    ])
    #expect(writer.text(["=1+1"]) == "name,n,i\n'=1+1,-1.500,-7\n")
  }

  @Test("Empty, truth values, numerals and infinity have one spelling each")
  func spellings() {
    let cells: [Cell] = [
      .empty, .flag(true), .flag(false), .numeral("0.85"), .number(.infinity, decimals: 1),
    ]
    let writer = RowWriter<[Cell]>(
      csv:
        cells.indices.map { index in Column("c\(index)", title: "") { $0[index] } })
    #expect(writer.text([cells]) == "c0,c1,c2,c3,c4\n,true,false,0.85,inf\n")
  }
}
