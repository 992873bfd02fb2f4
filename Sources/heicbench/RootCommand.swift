import ArgumentParser
import Foundation
import HeicBenchKit
import Model

/// The command-line program: every command parses, builds, runs and maps what came of it to an exit code.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heicbench",
    abstract: "Is HEIC worth it over JPEG, for these images?",
    discussion: """
      Encodes every image of a corpus with every codec at every quality, measures sizes, times and visual \
      quality, and says how many bytes a codec saves at equal quality.

        heicbench corpus/ --qualities 0.1...1.0
        heicbench photos/ --codec jpeg --codec heic:preset=medium --metrics ssimulacra2
        heicbench codecs

      Without a command, heicbench sweeps: see “heicbench help sweep” for all its options.

      Exit codes: 0 all measured, 1 the gate found a regression, 3 finished but some points failed, 64 wrong \
      usage, 66 no usable input, 70 heicbench itself is at fault, 74 results cannot be read or written, 130 \
      interrupted with everything finished so far saved.
      """,
    version: HeicBench.version,
    subcommands: [
      SweepCommand.self, DecodeCommand.self, ThumbnailsCommand.self, TilesCommand.self, ViewCommand.self,
      ReportCommand.self, RecommendCommand.self, ScoreCommand.self, ImportCommand.self,
      ConvertCheckCommand.self,
      GenerationsCommand.self, CheckCommand.self, BaselineCommand.self, CompareCommand.self,
      BisectCommand.self, MergeCommand.self, FailuresCommand.self, CodecsCommand.self, CorpusCommand.self,
      WorkerCommand.self,
    ],
    defaultSubcommand: SweepCommand.self)
}

/// The same program where the first word is a command's name. The parser builds all options of a default command for
/// each call, also of calls that name another: 2 ms of a start.
struct NamedCommandRoot: ParsableCommand {
  static let configuration = {
    var configuration = RootCommand.configuration
    configuration.defaultSubcommand = nil
    return configuration
  }()

  /// Whether arguments begin with the name of a command other than the default one.
  static func suits(_ arguments: [String]) -> Bool {
    let others = configuration.subcommands.filter { $0 != RootCommand.configuration.defaultSubcommand }
    return others.contains { $0.configuration.commandName == arguments.first }
  }
}

extension RootCommand {
  /// `“reprot” is no command either, did you mean “report”?` where the first word is neither an image nor a folder, but
  /// nearly the name of a command; else nothing.
  static func commandHint(_ arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), !word.contains("/"),
      !FileManager.default.fileExists(atPath: word)
    else { return nil }
    var names = ["help"]
    for command in configuration.subcommands where command.configuration.shouldDisplay {
      names.append(command.configuration.commandName ?? "")
    }
    guard !names.contains(word) else { return nil }
    let nearest = suggestion(for: word, among: names)
    return nearest.isEmpty ? nil : "“\(word)” is no command either\(nearest)"
  }
}
