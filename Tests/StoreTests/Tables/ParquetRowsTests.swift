import Foundation
import TestSupport
import Testing

@testable import Store

struct ParquetRowsTests {
  private let columns: [Column<Int>] = [
    Column("name", title: "Name", type: .text) { Cell(code: $0 % 3 == 0 ? nil : "n\($0 % 3)") },
    Column("even", title: "Even", type: .flag) { Cell(flag: $0.isMultiple(of: 2)) },
    Column("place", title: "Place", type: .integer) { Cell(integer: $0) },
    Column("half", title: "Half", unit: "px") { Cell(number: $0 == 1 ? nil : Double($0) / 2, decimals: 0) },
  ]

  private func file(rows: Int) -> [UInt8] {
    var writer = RowWriter(parquet: columns)
    var buffer = TextBuffer()
    writer.begin(into: &buffer)
    for row in 0..<rows { writer.append(row, into: &buffer) }
    writer.end(into: &buffer)
    return buffer.bytes
  }

  @Test("Marks, the length of the footer and the number of rows are where the format has them")
  func frame() throws {
    let bytes = file(rows: 4)
    #expect(bytes.starts(with: "PAR1".utf8) && bytes.suffix(4).elementsEqual("PAR1".utf8))
    let length = bytes.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    let footer = bytes.dropLast(8).suffix(length)
    // Version 2, then a list of five elements: the root and four columns.
    #expect(footer.starts(with: [0x15, 4, 0x19, 0x5C]))
    #expect(footer.count == length && String(decoding: footer, as: UTF8.self).contains("heicbench"))
  }

  @Test(
    "More rows than fit into a group come back",
    .enabled(if: Python.has("duckdb"), "SKIPPED: needs DuckDB; scripts/setup --tests brings it"))
  func groups() throws {
    let folder = try TemporaryFolder()
    let count = ParquetRows.groupSize + 7
    try Data(file(rows: count)).write(to: folder.url.appending(path: "rows.parquet"))
    let query = """
      import duckdb, sys
      print(duckdb.sql(f"select count(*), count(name), count(distinct name), sum(place), sum(half), count(half), \\
      count(*) filter (even) from '{sys.argv[1]}'").fetchall())
      print(duckdb.sql(f"select count(distinct row_group_id) from parquet_metadata('{sys.argv[1]}')").fetchall())
      print(duckdb.sql(f"select key::text, value::text from parquet_kv_metadata('{sys.argv[1]}')").fetchall())
      """
    let result = try Python.run(query, folder.path + "/rows.parquet")
    let sum = count * (count - 1) / 2
    let names = count - (count + 2) / 3
    #expect(
      result.text
        == "[(\(count), \(names), 2, \(sum), \(Double(sum - 1) / 2), \(count - 1), \((count + 1) / 2))]\n[(2,)]\n"
        + "[('unit.half', 'px')]\n"
    )
  }
}
