import ArgumentParser
import HeicBenchKit

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

  @OptionGroup var console: QuietOption

  func run() throws {
    var request = MergeRequest(folders, into: into)
    request.judgement = judgement.judgement
    let outcome = try request.run()
    guard !console.quiet else { return }
    StandardOutput.write(outcome.text)
    for notice in outcome.notices { StandardError.notice(notice) }
  }
}
