import Reports
import Store

extension RowSource {
  /// The rows of a run, with the report on the reads in the same folder, which is part of the run's report.
  init(_ store: ResultStore, run: StoredRun, pictures: ReadPictureSet? = nil) {
    self.init(store, run: run) { try DecodeReport(of: store).map { [$0.feature(with: pictures)] } ?? [] }
  }

  /// The same rows for reports in a folder, which also show what people saw in blind tests there.
  /// - Parameter warning: Receives a sentence if those cannot be read, because a sweep's results must not wait for them.
  func withBlindTests(in folder: String, warning: @escaping (String) -> Void) -> RowSource {
    var source = self
    source.features = { [features] in
      var all = try features()
      do { all += try [BlindReport(folder: folder)?.feature].compactMap(\.self) } catch {
        warning("The reports leave out what people saw: \(error)")
      }
      return all
    }
    return source
  }
}
