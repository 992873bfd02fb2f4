import Analysis
import ArgumentParser
import HeicBenchKit
import Model
import Reports
import Store

/// Joins the results of several machines.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join results folders, such as those of shards, into one.",
    discussion: """
      Takes the latest run of each folder and writes the reports of all of them together. Merging twice is \
      merging once, and folders may join one after the other. Points that two folders have with different sizes \
      or scores are an error that names both hosts; no more is merged then.

        heicbench merge results shard-*/
      """)

  @Argument(help: "The folder to merge into; it may be new.", completion: .directory)
  var into: String

  @Argument(help: "The folders to merge.", completion: .directory)
  var folders: [String]

  @OptionGroup(title: "What to answer") var judgement: JudgementOptions

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  func run() throws {
    // A folder to merge that is not there is an error before anything is made.
    for folder in folders { _ = try ResultStore(reading: folder) }
    let store = try ResultStore(folder: into)
    let merged = try store.merge(folders)
    let run = try ResultsInput.latestRun(of: store)
    let source = RowSource(store, run: run)
    let report = try ReportWriter(folder: into, options: try judgement.judgement.options(for: source)).write(
      source)
    guard !quiet else { return }
    StandardOutput.write(AnswerText.text(report))
    let failed = report.digest.failures.count + report.digest.unusable.count
    let unfinished = report.analysis.progress?.phrase
    for notice in Self.notices(merged, run.manifest, failed: failed, unfinished: unfinished, into: into) {
      StandardError.notice(notice)
    }
  }

  /// What came together, and what a reader has to know of it.
  static func notices(
    _ merged: MergeReport, _ manifest: RunManifest, failed: Int, unfinished: String?, into: String
  ) -> [String] {
    var notices = merged.replacedImages.prefix(5).map { image in
      "“\(image)” is not the same image everywhere; that of the folder named last counts"
    }
    if merged.replacedImages.count > 5 { notices.append("… and \(merged.replacedImages.count - 5) more") }
    if let shard = manifest.shard { notices.append("these are only shards \(shard) of the corpus") }
    if let unfinished { notices.append("a run that was merged was cut off: \(unfinished)") }
    var parts = [
      Numerals.counted(merged.images, "image"), "\(Numerals.counted(merged.added, "point")) added",
    ]
    if merged.improved > 0 { parts.append("\(merged.improved) improved") }
    if merged.present > 0 { parts.append("\(merged.present) were there already") }
    if failed > 0 { parts.append("\(failed) failed, see “heicbench failures \(ShellWord.quoted(into))”") }
    notices.append("\(parts.joined(separator: ", ")); results are in \(into): summary.md, report.html")
    return notices
  }
}
