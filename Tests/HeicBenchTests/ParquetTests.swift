import Foundation
import TestSupport
import Testing

/// `heicbench report --format parquet`, read with the libraries that people use.
struct ParquetTests {
  /// Compares each field of a CSV file with the Parquet file beside it, as a library reads it, and prints the rows.
  private static let comparison = """
    import csv, sys
    folder, module, *names = sys.argv[1:]

    def rows_of(path):
        if module == "duckdb":
            import duckdb
            relation = duckdb.sql(f"select * from '{path}'")
            return [dict(zip(relation.columns, row)) for row in relation.fetchall()]
        if module == "polars":
            import polars
            return polars.read_parquet(path).to_dicts()
        import pyarrow.parquet
        return pyarrow.parquet.read_table(path).to_pylist()

    def compare(name):
        rows, expected = rows_of(f"{folder}/{name}.parquet"), list(csv.DictReader(open(f"{folder}/{name}.csv")))
        assert len(rows) == len(expected), (len(rows), len(expected))
        for row, fields in zip(rows, expected):
            assert list(row) == list(fields)
            for key, text in fields.items():
                value = row[key]
                if text == "": assert value is None, (key, value)
                elif isinstance(value, bool): assert text == str(value).lower(), (key, text, value)
                elif isinstance(value, (int, float)): assert abs(value - float(text)) <= 1e-3, (key, text, value)
                else: assert value == text, (key, text, value)
        assert "float" in {type(row[key]).__name__ for row in rows for key in row}, "no numbers"
        print(name, len(rows))

    failed = 0
    for name in names:
        try:
            compare(name)
        except Exception as error:
            failed = 1
            print(f"{name}: {type(error).__name__} {error}")
    sys.exit(failed)
    """

  @Test(
    "gives DuckDB what the CSV files have, with types",
    .enabled(if: Python.has("duckdb"), "SKIPPED: needs DuckDB; scripts/setup --tests brings it"))
  func isReadByDuckDB() throws { #expect(try differences(by: "duckdb") == []) }

  @Test("gives Polars the same", .enabled(if: Python.has("polars"), "SKIPPED: needs Python's polars"))
  func isReadByPolars() throws { #expect(try differences(by: "polars") == []) }

  @Test(
    "gives the same to pyarrow, which pandas uses",
    .enabled(if: Python.has("pyarrow"), "SKIPPED: needs Python's pyarrow"))
  func isReadByArrow() throws { #expect(try differences(by: "pyarrow") == []) }

  /// The tables that a library reads differently from the CSV files, with its message.
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
    let names = ["measurements", "savings", "bd-rates", "decodes"]
    let result = try Python.run(
      Self.comparison, [desk.folder.path + "/results", module] + names)
    let differences = result.text.split(separator: "\n").map(String.init).filter { $0.contains(": ") }
    #expect((result.status == 0) == differences.isEmpty, "\(result.text)")
    for name in names { #expect(result.text.contains("\(name) ") || !differences.isEmpty, "\(result.text)") }
    return differences
  }
}
