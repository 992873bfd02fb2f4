import Analysis
import Model
import Reports
import Store

/// Merges several results folders into one, for example those of shards.
public struct MergeRequest: ShortRequest {
  /// The folder to merge into, which may be new.
  public var output: String
  /// The folders to merge; each contributes its latest run.
  public var folders: [String]
  /// The metric and scores at which variants are compared.
  public var judgement = Judgement()
  /// Columns of the terminal that shows the answer.
  package var width = Int.max

  /// Creates a request to merge folders into another one.
  public init(_ folders: [String], into output: String) {
    self.folders = folders
    self.output = output
  }

  /// Merges the folders and writes joint reports. Repeating a merge changes nothing.
  /// - Throws: `HeicBenchError` if a folder has no results, or two folders disagree about a point's size or scores; the
  ///   merge then stops.
  public func run() throws -> MergeOutcome {
    try HeicBenchError.mapping {
      // Checks for missing folders before creating anything.
      for folder in folders { _ = try ResultStore(reading: folder) }
      let store = try ResultStore(folder: output)
      let hasRuns = try folders.contains { try ResultStore(reading: $0).latestRun() != nil }
      if try !hasRuns && store.latestRun() == nil {
        try store.mergeCosts(folders)
        let features = try writeFeatures(of: store)
        return MergeOutcome(text: answers(features), notices: features.map(notice))
      }
      let merged = try store.merge(folders)
      let run = try ResultsInput.latestRun(of: store)
      var warnings: [String] = []
      let source = RowSource(store, run: run).withBlindTests(in: output) { warnings.append($0) }
      let report = try ReportWriter(folder: output, options: try judgement.options(for: source)).write(source)
      return MergeOutcome(
        text: SweepReport(report).text(width: width) + answers(try writeFeatures(of: store)),
        notices: warnings + notices(merged, run.manifest, report))
    }
  }

  /// Writes the reports on reads, tiles and generations if the folders have any.
  private func writeFeatures(of store: ResultStore) throws -> [FeatureReport] {
    let features = try store.costReports()
    let files = try ResultsFolder.open(output)
    for feature in features { try feature.write(to: files, version: HeicBench.version) }
    return features
  }

  private func notice(_ feature: FeatureReport) -> String {
    let subjects = [
      "reads": "decoding costs are", "tiles": "tile costs are",
      "generations": "generation losses are",
    ]
    let files = [feature.files.page, feature.files.markdown, feature.files.csv].compactMap(\.self)
    return
      "\(subjects[feature.anchor] ?? feature.anchor) in \(output): \(files.joined(separator: ", "))"
  }

  private func answers(_ features: [FeatureReport]) -> String {
    features.map { $0.text(width: width) }.joined(separator: "\n")
  }

  private func notices(_ merged: MergeReport, _ manifest: RunManifest, _ report: RunReport) -> [String] {
    var notices = merged.replacedImages.prefix(5).map { image in
      "“\(image)” is not the same image in all folders; the one in the folder named last is used"
    }
    if merged.replacedImages.count > 5 { notices.append("… and \(merged.replacedImages.count - 5) more") }
    if let shard = manifest.shard { notices.append("these are only shards \(shard) of the corpus") }
    if let unfinished = report.analysis.progress?.phrase {
      notices.append("one of the merged runs is \(unfinished)")
    }
    var parts = [
      Numerals.counted(merged.images, "image"), "\(Numerals.counted(merged.added, "encode")) added",
    ]
    if merged.improved > 0 { parts.append("\(merged.improved) improved") }
    if merged.present > 0 { parts.append("\(merged.present) already there") }
    let failed = report.digest.failures.count + report.digest.unusable.count
    if failed > 0 {
      parts.append("\(failed) failed, see “heicbench report \(ShellWord.quoted(output)) --failures”")
    }
    notices.append("\(parts.joined(separator: ", ")); results are in \(output): summary.md, report.html")
    return notices
  }
}

/// The outcome of a merge.
public struct MergeOutcome: Sendable {
  /// The joint answer of all folders, as text to read.
  public let text: String
  /// Notices about the merged contents, with caveats for readers, one sentence each.
  public let notices: [String]
}
