import ArgumentParser
import HeicBenchKit
import Model

struct CodecsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codecs",
    abstract: "List the codecs, their settings with allowed values and defaults, and library versions.")

  @Argument(help: ArgumentHelp("List this codec only.", valueName: "codec"))
  var codec: String?

  @Option(
    "List the codecs of the library build in this folder instead of the system's.",
    value: "name=folder", name: .customLong("build"), completion: .directory)
  var build: LibraryBuild?

  @Option(help: "Write text for people or json for programs.")
  var format = AnswerFormat.text

  func run() throws {
    let listing = try CodecListing(codec, build: build)
    switch format {
    case .text: StandardOutput.write(listing.text())
    case .json: StandardOutput.write(try listing.json())
    }
  }
}
