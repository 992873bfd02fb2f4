import ArgumentParser
import CodecKit
import Codecs
import Foundation
import Model

/// Lists what there is to compare.
struct CodecsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codecs",
    abstract: "List the codecs, their settings with allowed values and defaults, and library versions.")

  /// How the list is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Argument(help: ArgumentHelp("List this codec only.", valueName: "codec"))
  var codec: String?

  @Option(help: "Write text for people or json for programs.")
  var format = Format.text

  func run() throws {
    var traits = CodecRegistry.standard.codecs.map(\.traits).filter { !$0.isHidden }
    if let codec {
      // The registry's refusal names what exists and the nearest match.
      let id = try CodecRegistry.standard.variant(codec).codec
      traits = CodecRegistry.standard.codecs.map(\.traits).filter { $0.id == id }
    }
    switch format {
    case .text: StandardOutput.write(CodecListing.text(traits))
    case .json: StandardOutput.write(try CodecListing.json(traits))
    }
  }
}
