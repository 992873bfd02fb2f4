import BenchModel
import Foundation
import Reports
import Results

/// The files that people read, made anew from the store after every run.
struct ResultFiles {
  /// What a pass over a run's rows tells.
  struct Digest {
    let analysis: Analysis
    let digest: RunDigest
    let manifest: RunManifest

    /// The summary in Markdown.
    func markdown(charts: [ChartKind: String] = [:]) -> String {
      SummaryReport(manifest: manifest, analysis: analysis, digest: digest, charts: charts).markdown
    }
  }

  let store: ResultStore
  let run: RunID
  let manifest: RunManifest
  var options = AnalysisOptions()

  /// Writes measurements.csv and summary.md into the store's folder, each replaced as a whole, in one pass over
  /// the rows.
  func write() throws -> Digest {
    var file = try AtomicFile(path: store.folder + "/measurements.csv")
    var writer = CSVWriter(MeasurementColumns.all(metrics: manifest.metrics))
    var buffer = TextBuffer()
    writer.begin(into: &buffer)
    let digest = try digest { row in
      writer.append(row, into: &buffer)
      if buffer.isLarge { buffer.flush(to: &file) }
    }
    writer.end(into: &buffer)
    buffer.flush(to: &file)
    try file.commit()
    try AtomicFile.write(digest.markdown(), to: store.folder + "/summary.md")
    return digest
  }

  /// Analyses the run, handing each row to `body` as well.
  func digest(_ body: (ResultRow) throws -> Void = { _ in }) throws -> Digest {
    var builder = AnalysisBuilder(
      variants: manifest.variants.map(\.variant), metrics: manifest.metrics, options: options)
    var digest = RunDigest()
    try store.forEachRow(of: run) { row in
      try builder.add(row)
      digest.add(row)
      try body(row)
    }
    return Digest(analysis: builder.finish(), digest: digest, manifest: manifest)
  }
}
