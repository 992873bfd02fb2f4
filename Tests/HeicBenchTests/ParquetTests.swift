import Foundation
import TestSupport
import Testing

/// `heicbench report --format parquet`, read by what people read it with.
struct ParquetTests {
  /// Compares each field of a CSV file with the Parquet file beside it, as a library reads that, and prints the rows.
  private static let comparison = """
    import csv, sys
    folder, module, name = sys.argv[1:]
    path = f"{folder}/{name}.parquet"
    if module == "duckdb":
        import duckdb
        relation = duckdb.sql(f"select * from '{path}'")
        rows = [dict(zip(relation.columns, row)) for row in relation.fetchall()]
    elif module == "polars":
        import polars
        rows = polars.read_parquet(path).to_dicts()
    else:
        import pyarrow.parquet
        rows = pyarrow.parquet.read_table(path).to_pylist()
    expected = list(csv.DictReader(open(f"{folder}/{name}.csv")))
    assert len(rows) == len(expected), (len(rows), len(expected))
    for row, fields in zip(rows, expected):
        assert list(row) == list(fields)
        for key, text in fields.items():
            value = row[key]
            if text == "": assert value is None, (key, value)
            elif isinstance(value, bool): assert text == str(value).lower(), (key, text, value)
            elif isinstance(value, (int, float)): assert abs(value - float(text)) <= 1e-3, (key, text, value)
            else: assert value == text, (key, text, value)
    types = {type(row[key]).__name__ for row in rows for key in row if row[key] is not None}
    print(len(rows), sorted(types))
    """

  @Test(
    "says to DuckDB what the CSV files say, with types",
    .enabled(if: Python.has("duckdb"), "SKIPPED: needs DuckDB; scripts/setup --tests brings it"))
  func isReadByDuckDB() throws { #expect(try differences(by: "duckdb") == []) }

  @Test("says the same to Polars", .enabled(if: Python.has("polars"), "SKIPPED: needs Python's polars"))
  func isReadByPolars() throws { #expect(try differences(by: "polars") == []) }

  @Test(
    "says the same to pyarrow, by which pandas reads",
    .enabled(if: Python.has("pyarrow"), "SKIPPED: needs Python's pyarrow"))
  func isReadByArrow() throws { #expect(try differences(by: "pyarrow") == []) }

  /// The tables that a library does not read as the CSV files have them, with what it says.
  private func differences(by module: String) throws -> [String] {
    let desk = try ProgramDesk()
    for seed in 1...3 {
      try desk.writeImage("images/a, \(seed) é.ppm", width: 64, height: 48, seed: UInt64(seed))
    }
    let sweep = try desk.run([
      "images", "--codec", "jpeg", "--codec", "heic:preset=ultrafast", "--qualities", "0.2...0.9:0.1",
      "--images", "none",
      "--metrics", "ssimulacra2,psnr-y",
    ])
    #expect(sweep.status == 0, "\(sweep.errors)")
    let reads = try desk.run(["decode", "images", "--output", "results", "--sizes", "32", "--images", "none"])
    #expect(reads.status == 0, "\(reads.errors)")
    let report = try desk.run(["report", "results", "--format", "parquet"])
    #expect(
      report.errors.contains("wrote measurements.parquet, savings.parquet, bd-rates.parquet, decodes.parquet")
    )
    return try ["measurements", "savings", "bd-rates", "decodes"].compactMap { name in
      let result = try Python.run(Self.comparison, desk.folder.path + "/results", module, name)
      return result.status == 0 && result.text.contains("'float', ") ? nil : "\(name): \(result.text)"
    }
  }
}
