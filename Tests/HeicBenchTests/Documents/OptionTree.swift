import Foundation
import TestSupport

/// The commands with their options and values, as the program lists them.
struct OptionTree: Decodable, Sendable {
  struct Command: Decodable, Sendable {
    let commandName: String
    let discussion: String?
    let shouldDisplay: Bool
    let defaultSubcommand: String?
    let arguments: [Argument]?
    let subcommands: [Command]?

    func subcommand(_ name: String?) -> Command? { subcommands?.first { $0.commandName == name } }

    /// The option with this name, dashes included.
    func option(_ name: String) -> Argument? { arguments?.first { $0.spellings.contains(name) } }
  }

  struct Argument: Decodable, Sendable {
    struct Name: Decodable, Sendable { let kind, name: String }
    struct Completion: Decodable, Sendable { let list: List? }
    struct List: Decodable, Sendable { let values: [String] }
    let kind: String
    let abstract, valueName: String?
    let names: [Name]?
    let allValues: [String]?
    let completionKind: Completion?
    let shouldDisplay: Bool

    var spellings: [String] { (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name } }

    /// The values in help: those of an enumeration, those that a shell completes, `on|off`, and those in a sentence.
    var listedValues: Set<String> {
      var values = Set(allValues ?? []).union(completionKind?.list?.values ?? [])
      if let valueName, valueName.wholeMatch(of: /[a-z]+(\|[a-z]+)+/) != nil {
        values.formUnion(valueName.split(separator: "|").map(String.init).filter { $0.count > 1 })
      }
      for name in spellings { values.formUnion(Self.valuesInSentences[name]?.filter(names(value:)) ?? []) }
      return values
    }

    private static let valuesInSentences: [String: [String]] = [
      "--background": ["white", "black"], "--format": ["png", "jpeg", "heic", "avif"],
      "--metric-command": ["lower", "higher"], "--of": ["bytes", "score", "encode", "decode"],
      "--region": ["none"], "--shard": ["auto"], "--size": ["full"], "--target": ["bytes"],
    ]

    /// Whether the help has the value as a word.
    private func names(value: String) -> Bool {
      "\(valueName ?? "") \(abstract ?? "")".split { !$0.isLetter && $0 != "-" }.contains { $0 == value }
    }
  }

  /// What one call of the program used.
  struct Use {
    /// The command with its parents, without the program's name, as in `tiles export`.
    var command = ""
    /// The part of it that the call named; empty where heicbench chose.
    var named = ""
    var options: [(name: String, value: String?)] = []
    var operands: [String] = []

    /// The value of an option, under any of its names.
    func value(_ names: [String]) -> String? { options.last { names.contains($0.name) }?.value }
  }

  let command: Command

  init(of program: BuiltProgram) throws {
    self = try JSONDecoder().decode(
      OptionTree.self, from: Data(try program.run(["--experimental-dump-help"]).output.utf8))
  }

  /// Every command in help, with its parents.
  var commands: [(path: String, command: Command)] {
    func below(_ command: Command, _ path: [String]) -> [(path: String, command: Command)] {
      [(path.joined(separator: " "), command)]
        + (command.subcommands ?? []).filter(\.shouldDisplay).flatMap { below($0, path + [$0.commandName]) }
    }
    return below(command, [])
  }

  /// Everything that must be exercised, such as `tiles export --layout` and `tiles export --layout iiif`.
  var promises: Set<String> {
    var promises: Set<String> = []
    for (path, command) in commands {
      for option in command.arguments ?? [] where option.shouldDisplay {
        for name in option.spellings { promises.insert("\(path) \(name)") }
        guard let name = option.spellings.last(where: { $0.hasPrefix("--") }) else { continue }
        for value in option.listedValues { promises.insert("\(path) \(name) \(value)") }
      }
    }
    return promises
  }

  /// The promises that a call keeps if it does what it should.
  func promises(of arguments: [String]) -> Set<String> {
    let use = use(of: arguments)
    var kept: Set<String> = []
    // Where a call does not name the command, help and version belong to its parent.
    for (path, command) in commands where path == use.command || path == use.named {
      for (name, value) in use.options {
        guard let option = command.option(name) else { continue }
        kept.insert("\(path) \(name)")
        guard let long = option.spellings.last(where: { $0.hasPrefix("--") }) else { continue }
        for part in (value ?? "").split(whereSeparator: { ",:@=".contains($0) }) {
          kept.insert("\(path) \(long) \(part)")
        }
      }
    }
    return kept
  }

  /// Whether a line is only the name of a command, or of a command and an option without its value.
  func isName(_ line: String) -> Bool {
    let words = line.split(separator: " ").map(String.init)
    let use = use(of: Array(words.dropFirst()))
    let options = commands.first { $0.path == use.command }?.command
    return words.first == "heicbench" && use.operands.isEmpty
      && use.options.allSatisfy { $0.value == nil && options?.option($0.name)?.kind == "option" }
  }

  /// Reads a call the way the program does.
  func use(of arguments: [String]) -> Use {
    var rest = arguments[...]
    // A folder may have this command's name.
    let words = ["generate", "help", "--help", "-h", "--version"]
    if rest.first == "corpus", !words.contains(rest.dropFirst().first ?? "") { rest = ["sweep"] + rest }
    var (use, command) = (Use(), command)
    while let inner = command.subcommand(rest.first) ?? command.subcommand(command.defaultSubcommand) {
      use.command += (use.command.isEmpty ? "" : " ") + inner.commandName
      if inner.commandName == rest.first {
        rest = rest.dropFirst()
        use.named = use.command
      }
      command = inner
    }
    var areOperands = false
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      if word == "--" {
        areOperands = true
      } else if !areOperands, word.hasPrefix("-"), word != "-", let option = command.option(parts[0]) {
        let value = option.kind == "flag" ? nil : parts.count > 1 ? parts[1] : rest.popFirst()
        use.options.append((parts[0], value))
      } else {
        use.operands.append(word)
      }
    }
    return use
  }
}
