import Analysis
import Model
import Reports
import Store

/// A merge of results folders into one, such as those of shards.
public struct MergeRequest: ShortRequest {
  /// The folder to merge into, which may be new.
  public var output: String
  /// The folders to merge, of which the latest runs count.
  public var folders: [String]
  /// The metric and scores at which variants are compared.
  public var judgement = Judgement()
  /// Columns of the terminal that shows the answer.
  package var width = Int.max

  /// Creates a merge of folders into another one.
  public init(_ folders: [String], into output: String) {
    self.folders = folders
    self.output = output
  }

  /// Merges the folders and writes joint reports. Repeating a merge changes nothing.
  /// - Throws: `HeicBenchError` if a folder has no results, or two have a point with different sizes or scores; no more
  ///   is merged then.
  public func run() throws -> MergeOutcome {
    try HeicBenchError.mapping {
      // A missing folder is an error before anything is made.
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
      let source = RowSource(store, run: run)
      let report = try ReportWriter(folder: output, options: try judgement.options(for: source)).write(source)
      return MergeOutcome(
        text: SweepReport(report).text(width: width) + answers(try writeFeatures(of: store)),
        notices: notices(merged, run.manifest, report))
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
      "reads": "what reading costs is", "tiles": "what tiles cost is",
      "generations": "what generations lose is",
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
      "“\(image)” is not the same image everywhere; that of the folder named last counts"
    }
    if merged.replacedImages.count > 5 { notices.append("… and \(merged.replacedImages.count - 5) more") }
    if let shard = manifest.shard { notices.append("these are only shards \(shard) of the corpus") }
    if let unfinished = report.analysis.progress?.phrase {
      notices.append("a run that was merged was cut off: \(unfinished)")
    }
    var parts = [
      Numerals.counted(merged.images, "image"), "\(Numerals.counted(merged.added, "encode")) added",
    ]
    if merged.improved > 0 { parts.append("\(merged.improved) improved") }
    if merged.present > 0 { parts.append("\(merged.present) already there") }
    let failed = report.digest.failures.count + report.digest.unusable.count
    if failed > 0 { parts.append("\(failed) failed, see “heicbench failures \(ShellWord.quoted(output))”") }
    notices.append("\(parts.joined(separator: ", ")); results are in \(output): summary.md, report.html")
    return notices
  }
}

/// The outcome of a merge.
public struct MergeOutcome: Sendable {
  /// The joint answer of all folders, for people.
  public let text: String
  /// Notices on the merged contents, with caveats for readers, a sentence each.
  public let notices: [String]
}
