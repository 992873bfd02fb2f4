import Reports
import Store

extension RowSource {
  /// The rows of a run, with the report on the reads in the same folder, which is part of the run's report.
  init(_ store: ResultStore, run: StoredRun, pictures: ReadPictureSet? = nil) {
    self.init(store, run: run) { try DecodeReport(of: store).map { [$0.feature(with: pictures)] } ?? [] }
  }
}
