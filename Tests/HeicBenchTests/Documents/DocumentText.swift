import Foundation
import TestSupport
import Yams

/// The command lines of the project's documents.
enum DocumentText {
  /// The folder of the package.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The command lines of every document and example file.
  static func blocks() throws -> [CommandBlock] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path + "/docs").map { "docs/" + $0 }
    let documents =
      ["README.md", "CONTRIBUTING.md", "corpus/README.md"] + files.filter { $0.hasSuffix(".md") }
    var blocks = try documents.sorted().flatMap { markdown(try text($0), of: $0) }
    for file in files.sorted() + ["action.yml"] {
      switch URL(filePath: file).pathExtension {
      case "yml", "yaml": blocks += try workflow(try text(file), of: file)
      case "sh", "conf": blocks += comments(try text(file), of: file)
      default: continue
      }
    }
    return blocks
  }

  private static func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: file)), as: UTF8.self)
  }

  /// Fenced blocks that are marked `sh`, or that have no mark and run the project. Lines that are indented by four
  /// spaces or more and begin with a call of the project, and code in a sentence or a table that runs it, are blocks of
  /// their own.
  static func markdown(_ text: String, of file: String) -> [CommandBlock] {
    var blocks: [CommandBlock] = []
    var prose = ""
    var fence: (language: Substring, line: Int, text: String)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let mark = line.firstMatch(of: /^\s*```(\w*)/) else {
        if fence != nil { fence?.text += line + "\n" } else { prose += line + "\n" }
        if fence == nil,
          line.contains(#/^\s{4,}([A-Z_]+=\S+\s|sudo\s)*(heicbench|(scripts|Tests/Drivers)/\S+)\s/#)
        {
          blocks += CommandBlock("\(file):\(index + 1)", text: line).map { [$0] } ?? []
        }
        continue
      }
      if let whole = fence {
        if let block = CommandBlock("\(file):\(whole.line)", text: whole.text),
          whole.language == "sh"
            || whole.language.isEmpty && block.lines.contains(where: CommandBlock.runsProject)
        {
          blocks.append(block)
        }
        fence = nil
      } else {
        fence = (mark.1, index + 1, "")
      }
    }
    for match in prose.matches(of: /`([^`]+)`/) {
      let code = String(match.1).replacing("\\|", with: "|").replacing(/\s+/, with: " ")
      guard CommandBlock.runsProject(code), var block = CommandBlock(file, text: code) else { continue }
      block.isWithinText = true
      blocks.append(block)
    }
    return blocks
  }

  /// The indented lines of the comment at the top of a script, as in `#   heicbench …`.
  private static func comments(_ text: String, of file: String) -> [CommandBlock] {
    let lines = text.split(separator: "\n").compactMap { $0.wholeMatch(of: /#   +(.*)/)?.1 }
    return CommandBlock(file, text: lines.joined(separator: "\n")).map { [$0] } ?? []
  }

  /// What the jobs of a workflow run, in order, as one block with their environment.
  private static func workflow(_ text: String, of file: String) throws -> [CommandBlock] {
    var block = CommandBlock(file, [])
    for document in try Yams.load_all(yaml: text) { collect(document, into: &block) }
    return block.lines.isEmpty ? [] : [block]
  }

  private static func collect(_ value: Any, into block: inout CommandBlock) {
    if let list = value as? [Any] {
      for item in list { collect(item, into: &block) }
    } else if let step = value as? [String: Any] {
      for (name, text) in environment(step["env"]) { block.environment[name] = text }
      for key in ["run", "script"] + (step["command"] == nil ? [] : ["args"]) {
        let found = step[key] as? [String] ?? (step[key] as? String).map { [$0] }
        block.lines += found ?? []
      }
      // A dictionary does not keep the file's order. Jobs go by name, except that a merge comes last.
      for (_, inner) in step.sorted(by: { $0.key != "merge" && ($1.key == "merge" || $0.key < $1.key) }) {
        collect(inner, into: &block)
      }
    }
  }

  /// `env` as a mapping, or as Kubernetes' list of names and values, without values that the engine fills in.
  private static func environment(_ value: Any?) -> [(String, String)] {
    let entries =
      (value as? [String: Any])?.map { ($0, "\($1)") }
      ?? (value as? [[String: Any]] ?? []).map { ("\($0["name"] ?? "")", "\($0["value"] ?? "")") }
    return entries.filter { !$0.1.contains("${{") }
  }
}
