import ArgumentParser
import Reports
import Results

/// Joins the results of several machines.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join results folders, such as those of shards, into one.",
    discussion: """
      Merging twice is merging once. Points that two folders have with different sizes or scores are an error \
      that names both hosts.

        heicbench merge results shard-*/
      """)

  @Argument(help: "The folder to merge into; it may be new.", completion: .directory)
  var into: String

  @Argument(help: "The folders to merge.", completion: .directory)
  var folders: [String]

  @OptionGroup(title: "What to answer") var judgement: JudgementOptions

  func run() throws {
    // A folder to merge that is not there is an error before anything is made.
    for folder in folders { _ = try ResultStore(reading: folder) }
    let store = try ResultStore(folder: into)
    let report = try store.merge(folders)
    let source = RowSource(store, run: try ResultsInput.latestRun(of: store))
    try ReportWriter(folder: into, options: judgement.options).write(source)
    for image in report.replacedImages {
      StandardError.notice("“\(image)” differs between the folders; the latest run’s stands")
    }
    StandardError.notice(
      "\(report.images) images; \(report.added) points added, \(report.improved) improved, "
        + "\(report.present) there already; reports are in \(into)")
  }
}
