import ArgumentParser
import HeicBenchKit

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join results folders, such as those of shards, into one.",
    discussion: """
      Takes the latest run of each folder and writes joint reports. Merging twice is the same as merging once, and \
      folders can be merged one after another. If two folders have different sizes or scores for the same point, \
      merging stops with an error that names both hosts.

        heicbench merge results shard-*/
      """)

  @Argument(help: "The folder to merge into; it need not exist.", completion: .directory)
  var into: String

  @Argument(help: "The folders to merge.", completion: .directory)
  var folders: [String]

  @OptionGroup(title: "Comparison") var judgement: JudgementOptions

  @OptionGroup var console: QuietOption

  func run() throws {
    var request = MergeRequest(folders, into: into)
    request.judgement = judgement.judgement
    request.width = StandardOutput.width
    let outcome = try request.run()
    guard !console.quiet else { return }
    StandardOutput.tell(outcome.text)
    for notice in outcome.notices { StandardError.notice(notice) }
  }
}
