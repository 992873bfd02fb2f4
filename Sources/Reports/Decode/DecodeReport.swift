import Analysis
package import Model
package import Store

/// The files that say what reading costs: decodes.csv, decode.md and decode.json.
package struct DecodeReport {
  /// The table of all reads.
  package static let csvName = "decodes.csv"
  /// The SSIMULACRA 2 from which a route counts as honest unless another is asked for.
  package static let honestScore = 70.0
  private static let markdownName = "decode.md"
  private static let jsonName = "decode.json"

  private let rows: [ReadRow]
  private let summary: DecodeSummary

  /// Reports reads in this order.
  /// - Parameters:
  ///   - score: the least SSIMULACRA 2 that counts as honest.
  ///   - bandwidth: of the connection that files come over, Mbit/s; nil to leave it out.
  package init(_ records: [ReadRecord], at score: Double, bandwidth: Double? = nil) {
    rows = records.map(ReadRow.init)
    summary = DecodeSummary(rows, at: score, bandwidth: bandwidth)
  }

  /// The answers, one sentence each.
  package var sentences: [String] { summary.sentences }

  /// Throws where a file could not be written because something that is not ours has its name.
  package static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    try files.refuseObstacles(among: [csvName, markdownName, jsonName])
  }

  /// Writes the files, in the place of those of before.
  package func write(to files: OwnedFolder) throws(OutputError) {
    try files.write(CSVWriter(DecodeColumns.all).text(rows), to: Self.csvName)
    try files.write(summary.markdown, to: Self.markdownName)
    try files.write(JSONRowsWriter(DecodeColumns.all).text(rows) + "\n", to: Self.jsonName)
  }
}
