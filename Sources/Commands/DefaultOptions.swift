import ArgumentParser
import Foundation
import HeicBenchKit
import Model

/// Values for options that the command line leaves out: from the environment (`HEICBENCH_JOBS=4`), else from `options:`
/// in `.heicbench.yml`, else the defaults.
enum DefaultOptions {
  private static let prefix = "HEICBENCH_"

  private struct Option {
    /// The long names; the first is the usual one.
    let names: [String]
    /// The name that turns a flag off, such as `no-embed`; nil if there is none.
    let inverse: String?
    let short: Character?
    let takesValue: Bool

    var name: String { names[0] }
    var allNames: [String] { names + [inverse].compactMap(\.self) }

    /// The flag for `true` or `false`; nil for any other value, and if it cannot be turned off.
    func flag(_ values: [String]) -> String? {
      values == ["true"] ? "--\(name)" : values == ["false"] ? inverse.map { "--\($0)" } : nil
    }

    func isGiven(in arguments: some Sequence<String>) -> Bool {
      arguments.contains { argument in
        allNames.contains { argument == "--\($0)" || argument.hasPrefix("--\($0)=") }
          || short.map { argument.hasPrefix("-\($0)") } == true
      }
    }
  }

  /// The arguments with those that the environment and the file add, after the words of the command.
  /// - Throws: `HeicBenchError` for a file that cannot be read, or an option in it that no command has.
  static func adding(
    to arguments: [String], environment: [String: String], file: () throws -> [String: [String]]
  ) throws -> [String] {
    let (type, words) = command(of: arguments)
    let given = arguments.prefix { $0 != "--" }
    let isMeta =
      ["help", "worker"].contains(arguments.first) || arguments.first?.hasPrefix("--generate") == true
      || given.contains { ["-h", "--help", "--version"].contains($0) }
    if isMeta { return arguments }
    let own = Dictionary(
      environment.filter { $0.key.hasPrefix(prefix) && !$0.value.isEmpty }.map { key, value in
        (today(key.dropFirst(prefix.count).lowercased().replacing("_", with: "-")), [value])
      }, uniquingKeysWith: { first, _ in first })
    let found = Dictionary(
      try file().map { (today($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    guard !own.isEmpty || !found.isEmpty else { return arguments }
    try refuseUnknown(found)
    let all = type == ShardsCommand.self ? optionsOfShards : options(of: type)
    var wanted = positive(found, all).merging(positive(own, all)) { _, environment in environment }
    let results = wanted["output"] ?? wanted["out"]
    if type == CheckCommand.self { wanted["current"] = wanted["current"] ?? results }
    let (line, named) = (arguments[words...], Set(all.filter { $0.isGiven(in: given) }.map(\.name)))
    let inapplicable = inapplicable(
      to: type, line, named: named, wanted: named.union(wanted.filter { $0.value != ["false"] }.keys))
    let possible = all.filter { !named.contains($0.name) && !inapplicable.contains($0.name) }
    let folder = results.map { lacksResults(type, line) ? $0 : [] } ?? []
    return Array(arguments[..<words]) + spelled(possible, wanted, for: type, Array(line)) + line + folder
  }

  /// The options with these values, without a format that the command does not have: each has its own formats.
  private static func spelled(
    _ options: [Option], _ wanted: [String: [String]], for type: any ParsableCommand.Type,
    _ line: [String]
  ) -> [String] {
    let added = options.flatMap { option -> [String] in
      guard let values = option.names.lazy.compactMap({ wanted[$0] }).first else { return [] }
      guard option.takesValue else { return [option.flag(values)].compactMap(\.self) }
      let isRepeatable = RootCommand.repeatable.contains("--\(option.name)")
      let spelled = isRepeatable ? values : [values.joined(separator: ",")]
      return spelled.flatMap { ["--\(option.name)", $0] }
    }
    // A value that no report has is a mistake, which the command refuses.
    guard let format = wanted["format"]?.first, ReportCommand.Format(rawValue: format) != nil,
      options.contains(where: { $0.name == "format" }), (try? type.parse(added + line)) == nil
    else { return added }
    return spelled(options.filter { $0.name != "format" }, wanted, for: type, line)
  }

  /// True for a command that reads results and does not name their folder.
  private static func lacksResults(_ type: any ParsableCommand.Type, _ line: ArraySlice<String>) -> Bool {
    let command = try? type.parse(Array(line))
    return (command as? ReportCommand)?.runs.isEmpty ?? (command as? RecommendCommand).map {
      $0.results == nil
    }
      ?? false
  }

  /// Values by the names that turn flags on: `no-embed: true` is `embed: false`.
  private static func positive(_ values: [String: [String]], _ options: [Option]) -> [String: [String]] {
    var values = values
    for option in options {
      guard let inverse = option.inverse, let wanted = values.removeValue(forKey: inverse) else { continue }
      let opposite = [["true"]: ["false"], ["false"]: ["true"]][wanted]
      values[option.name] = values[option.name] ?? opposite
    }
    return values
  }

  private static func today(_ name: String) -> String { RootCommand.earlierNames[name] ?? name }

  /// The command that the arguments name and the number of its words; the sweep if they name none.
  private static func command(of arguments: [String]) -> (type: any ParsableCommand.Type, words: Int) {
    var found: (type: any ParsableCommand.Type, words: Int) = (RootCommand.self, 0)
    while found.words < arguments.count,
      let next = found.type.configuration.subcommands.first(where: {
        $0.configuration.commandName == arguments[found.words]
      })
    { found = (next, found.words + 1) }
    return found.words == 0 ? (SweepCommand.self, 0) : found
  }

  /// The options that a command would refuse, given those that its command line names and all that are `wanted`.
  private static func inapplicable(
    to command: any ParsableCommand.Type, _ line: ArraySlice<String>, named: Set<String>, wanted: Set<String>
  ) -> [String] {
    func names(_ group: any ParsableArguments.Type) -> [String] { options(of: group).map(\.name) }
    if command == CheckCommand.self {
      let comparing = ["baseline", "format"] + names(GateOptions.self) + names(JudgementOptions.self)
      return named.contains("write") ? comparing : names(BaselineOptions.self) + ["write"]
    }
    if command == ReportCommand.self {
      let ofPage = ["reference", "corpus"] + names(SandboxOptions.self) + names(PageOptions.self)
      if named.contains("failures") { return ofPage + names(JudgementOptions.self) }
      return showsSeveralRuns(line) ? ofPage : []
    }
    if command == SweepCommand.self || command == ShardsCommand.self {
      let gate = wanted.contains("baseline") ? [] : names(GateOptions.self)
      if named.contains("target") { return gate + ["qualities"] + names(TimingOptions.self) }
      return gate + (named.isDisjoint(with: ["qualities"] + names(TimingOptions.self)) ? [] : ["target"])
    }
    if command == DecodeCommand.self {
      let isGallery = wanted.contains("gallery") && named.isDisjoint(with: ["codec", "qualities", "build"])
      if named.contains("gallery") || isGallery {
        return ["codec", "qualities"] + names(BuildOptions.self)
      }
      return ["gallery", "cell", "cells", "cache"] + (wanted.contains("codec") ? [] : ["qualities"])
    }
    if command == GenerationsCommand.self {
      return named.contains("score") ? ["qualities"] : named.contains("qualities") ? ["score"] : []
    }
    // A default output is a results folder. A view stores results only of a blind test, and `baseline` wants a file.
    let keepsNothing = command == ViewCommand.self && !wanted.contains("blind")
    return keepsNothing || command == BaselineCommand.self ? ["output"] : []
  }

  /// True if the arguments of `report` name several runs, which it shows without a page.
  private static func showsSeveralRuns(_ line: ArraySlice<String>) -> Bool {
    guard let command = try? ReportCommand.parse(Array(line)) else { return false }
    return command.runs.count > 1
  }

  /// The options of `shards` itself and those of a sweep, which it passes on: its sample must be measured like the
  /// parts, which take them from the environment, too.
  private static var optionsOfShards: [Option] {
    let own = options(of: ShardsCommand.self)
    let names = own.map(\.name) + ["shard", "format"]
    return own + options(of: SweepCommand.self).filter { !names.contains($0.name) }
  }

  /// The options listed in the help: `-j, --jobs <jobs>`, `-o, --output, --out <folder>`, `--embed/--no-embed`.
  private static func options(of command: any ParsableArguments.Type) -> [Option] {
    command.helpMessage(includeHidden: true, columns: 200).split(separator: "\n").compactMap { line in
      line.firstMatch(of: listed).map { match in
        Option(
          names: [String(match.2)] + match.3.split(separator: ", --").map(String.init),
          inverse: match.4.map(String.init), short: match.1?.first, takesValue: match.5 != nil)
      }
    }
  }

  private static var listed: Regex<(Substring, Substring?, Substring, Substring, Substring?, Substring?)> {
    #/^  (?:-(\w), )?--([a-z][a-z0-9-]*)((?:, --[a-z][a-z0-9-]*)*)(?:/--(no-[a-z0-9-]+))?( <)?/#
  }

  private static func refuseUnknown(_ file: [String: [String]]) throws {
    guard !file.isEmpty else { return }
    func all(_ command: any ParsableCommand.Type) -> [String] {
      options(of: command).flatMap(\.allNames) + command.configuration.subcommands.flatMap(all)
    }
    let known = Set(all(RootCommand.self))
    if let unknown = file.keys.sorted().first(where: { !known.contains($0) }) {
      throw HeicBenchError(
        .usage,
        "“.heicbench.yml”: no command has an option “\(unknown)”\(suggestion(for: unknown, among: known.sorted()))"
      )
    }
  }
}
