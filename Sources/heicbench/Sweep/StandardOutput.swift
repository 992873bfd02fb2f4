import BenchModel
import Foundation
import Reports
import Results

/// Results on standard output.
struct StandardOutput: TextOutputStream {
  /// Writes text. A reader that has gone away is no error: that is how `| head` ends.
  static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  func write(_ text: String) { Self.write(text) }

  /// Writes a run's results in a format.
  static func write(_ files: ResultFiles, _ digest: ResultFiles.Digest, as format: OutputOptions.Format)
    throws
  {
    let columns = MeasurementColumns.all(metrics: files.manifest.metrics)
    switch format {
    case .csv: try stream(files, CSVWriter(columns))
    case .json:
      try stream(files, JSONRowsWriter(columns))
      write("\n")
    case .markdown: write(digest.markdown())
    }
  }

  private static func stream(_ files: ResultFiles, _ writer: some RowWriter<ResultRow>) throws {
    var writer = writer
    var buffer = TextBuffer()
    var output = StandardOutput()
    writer.begin(into: &buffer)
    try files.store.forEachRow(of: files.run) { row in
      writer.append(row, into: &buffer)
      if buffer.isLarge { buffer.flush(to: &output) }
    }
    writer.end(into: &buffer)
    buffer.flush(to: &output)
  }
}
