import ArgumentParser
import Foundation
import HeicBenchKit

/// The command-line program: each command parses, builds a request, runs it and maps the outcome to an exit code.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heicbench",
    abstract: "Is HEIC worth it over JPEG, for these images?",
    discussion: """
      Encodes a folder of images with several codecs and qualities, scores the results, and reports how many bytes a \
      codec saves at equal visual quality.

        heicbench corpus/ --qualities 0.1...1.0
        heicbench photos/ --codec jpeg --codec heic:preset=medium --metrics ssimulacra2
        heicbench codecs

      Without a command, heicbench runs a sweep. “heicbench help sweep” lists its options.

      Reads \(ImageInput.readableFormats).

      Exit codes: \(ExitStatus.allCases.map(\.sentence).joined(separator: ", ")).
      """,
    version: HeicBench.version,
    subcommands: [
      WorkerCommand.self, FailuresCommand.self, BaselineCommand.self, CompareCommand.self,
    ],
    groupedSubcommands: [
      CommandGroup(
        name: "Ask",
        subcommands: [
          SweepCommand.self, ConvertCheckCommand.self, RecommendCommand.self, TuneCommand.self,
          ViewCommand.self,
          ScoreCommand.self,
          ReportCommand.self,
        ]),
      CommandGroup(name: "Make", subcommands: [ThumbnailsCommand.self, TilesCommand.self]),
      CommandGroup(
        name: "Measure",
        subcommands: [DecodeCommand.self, ImportCommand.self, GenerationsCommand.self]),
      CommandGroup(name: "Guard", subcommands: [CheckCommand.self]),
      CommandGroup(
        name: "Advanced",
        subcommands: [
          CodecsCommand.self, DoctorCommand.self, BisectCommand.self, ShardsCommand.self, MergeCommand.self,
          CorpusCommand.self,
        ]),
    ],
    defaultSubcommand: SweepCommand.self)
}

/// The program without a default command. With one, the parser builds all its options on each call, even if the call
/// names another command: 2 ms per start.
private struct NamedCommandRoot: ParsableCommand {
  static let configuration = {
    var configuration = RootCommand.configuration
    configuration.defaultSubcommand = nil
    return configuration
  }()
}

extension RootCommand {
  /// Option names of earlier versions, which still work, mapped to today's.
  static let earlierNames = ["again": "fresh", "at": "score", "sizes": "size", "tile-sizes": "tile-size"]

  /// Arguments with today's option names.
  static func renamed(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].map { argument in
      guard argument.hasPrefix("--"),
        let name = earlierNames[String(argument.dropFirst(2).prefix { $0 != "=" })]
      else { return argument }
      return "--\(name)\(argument.drop { $0 != "=" })"
    } + arguments[end...]
  }

  /// Options that may be repeated, where every use counts.
  static let repeatable: Set<String> = [
    "--build", "--codec", "--corpus", "--exclude", "--metric-command", "--reference", "--threshold",
  ]

  /// The commands in which one of these takes a single value.
  private static let single = [
    "--build": ["codecs"], "--codec": ["bisect", "tiles export", "tune"], "--reference": ["report"],
    "--threshold": ["bisect"],
  ]

  /// Options given more than once although only the last value counts.
  static func overridden(in arguments: [String]) -> [String] {
    let command = (1...2).map { arguments.prefix($0).joined(separator: " ") }
    let names = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map {
      String($0.prefix { $0 != "=" })
    }
    let uses = Dictionary(grouping: names) { $0 }
    return uses.keys.sorted().filter { name in
      let isSingle = single[name]?.contains(where: command.contains) == true
      return uses[name, default: []].count > 1 && (isSingle || !repeatable.contains(name))
    }
  }

  /// Returns the command that the arguments name, ready to run.
  ///
  /// A sweep is parsed on its own, since the parser would otherwise build its options three times. Anything that cannot
  /// be run (help, a version, a completion, a mistake) is left to the parser of the whole program, whose messages are
  /// shown.
  static func command(of arguments: [String]) throws -> any ParsableCommand {
    let first = arguments.first ?? ""
    let sweep = SweepCommand.configuration.commandName
    if first != sweep, configuration.subcommands.contains(where: { $0.configuration.commandName == first }) {
      return try NamedCommandRoot.parseAsRoot(arguments)
    }
    let isMeta =
      first.hasPrefix("---") || arguments.contains { ["help", "-h", "--help", "--version"].contains($0) }
    if !isMeta,
      let command = try? SweepCommand.parse(first == sweep ? Array(arguments.dropFirst()) : arguments)
    {
      return command
    }
    return try parseAsRoot(arguments)
  }
}

extension RootCommand {
  /// `“reprot” is not a command either, did you mean “report”?` for a word that nearly matches a command and is not a
  /// file.
  static func commandHint(_ arguments: [String]) -> String? {
    guard let (word, names) = wordForCommand(arguments), !word.contains("/"), !names.contains(word),
      !FileManager.default.fileExists(atPath: word)
    else { return nil }
    let nearest = suggestion(for: word, among: names)
    return nearest.isEmpty ? nil : "“\(word)” is not a command either\(nearest)"
  }

  /// Says where a command without `--output` writes.
  static func placeOfOutput(_ command: String) -> String {
    switch command {
    case "report":
      "report writes into the results folder that it reads; to write another file, use --format json > FILE"
    case "check": "check writes a file only with --write, which makes a baseline"
    case "merge": "merge writes into the folder named first"
    case "thumbnails", "tiles", "corpus": "the folder to write to is the last argument"
    default: "\(command) does not write files: its answer goes to standard output, so > FILE keeps it"
    }
  }

  /// The reason that there is no help on a word; nil if there is help, or if the arguments do not request it.
  static func helpProblem(_ arguments: [String]) -> String? {
    guard arguments.first == "help", let (word, names) = wordForCommand(Array(arguments.dropFirst())),
      !names.contains(word)
    else { return nil }
    return "there is no command “\(word)”\(suggestion(for: word, among: names)); heicbench --help lists them"
  }

  /// The first word in the place of a command, with the possible commands: `exprot` in `tiles exprot`.
  private static func wordForCommand(_ arguments: [String]) -> (word: String, names: [String])? {
    var (commands, words) = (configuration.subcommands, arguments[...])
    var names = ["help"]
    while let word = words.popFirst(), !word.hasPrefix("-") {
      for command in commands where command.configuration.shouldDisplay {
        names.append(command.configuration.commandName ?? "")
      }
      let command = commands.first { $0.configuration.commandName == word }
      guard let command, !command.configuration.subcommands.isEmpty, !words.isEmpty else {
        return (word, names)
      }
      (commands, names) = (command.configuration.subcommands, [])
    }
    return nil
  }
}
