import Foundation
import TestSupport

/// One call of heicbench that a line made, through whatever shell, loop or script.
struct ProgramCall: Sendable {
  /// The exit code.
  let status: Int32
  /// The folder that it was made in.
  let folder: String
  /// Its arguments.
  let arguments: [String]
}

/// The result of one line.
struct LineResult: Sendable {
  let source: String
  let line: String
  /// The exit code of the line; nil if the shell did not end.
  let status: Int32?
  /// Standard output and standard error.
  let text: String
  /// The line's calls of heicbench.
  let calls: [ProgramCall]
  /// CPU seconds of the line and the processes that it started; nil if the line ended the shell.
  let cpu: Double?
  /// The outputs that it names and did not write.
  var missing: [String] = []

  /// All of it, for a test's message.
  var description: String {
    "\(source): \(line)\nexit code \(status.map(String.init) ?? "none")\n\(text.suffix(2000))"
  }
}

/// Runs the lines of a block as written, one after the other in one shell.
struct CommandRunner: Sendable {
  let program: BuiltProgram
  /// The folder that each block gets a copy of.
  let template: URL
  let tree: OptionTree

  /// Runs a block in a folder.
  func run(_ block: CommandBlock, in desk: URL) throws -> [LineResult] {
    let notes = try TemporaryFolder()
    let manager = FileManager.default
    for (index, line) in block.lines.enumerated() {
      let text = Self.placed(line, in: desk)
      let note = notes.url.appending(path: Self.name(index))
      try manager.createDirectory(at: note, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: note.appending(path: "line"))
    }
    let own = block.environment.mapValues { Self.placed($0, in: desk) }
    var environment = ShardDetectionProgramTests.none.merging(own) { _, new in new }
    environment["PATH"] = "\(template.path)/.bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    environment["PROGRAM_UNDER_TEST"] = program.executable.path
    _ = try BuiltProgram(URL(filePath: "/bin/bash")).run(
      ["-c", Self.shell, "bash", notes.path], in: desk, environment: environment)
    return try block.lines.enumerated().map { index, line in
      try result(line, of: block, in: notes.url.appending(path: Self.name(index)))
    }
  }

  /// A text with other machines' folders replaced by folders below `desk`, since tests write nowhere else.
  private static func placed(_ text: String, in desk: URL) -> String {
    text.replacing(/(^|[\s="'])\/(data|scratch)\//) { "\($0.1)\(desk.path)/\($0.2)/" }
  }

  private static func name(_ index: Int) -> String { String(format: "%03d", index) }

  /// The next line keeps a line's variables and folder; a line that ends the shell has reported its exit code. No
  /// process may use more than two minutes of CPU time.
  private static let shell = """
    ulimit -t 120
    trap 'echo $? >"$NOTES/status"' EXIT
    TIMEFORMAT='%U %S'
    for NOTES in "$1"/*; do
      export NOTES
      { time eval "$(<"$NOTES/line")" >"$NOTES/out" 2>"$NOTES/err" </dev/null; } 2>"$NOTES/cpu"
      echo $? >"$NOTES/status"
    done
    trap - EXIT
    """

  private func result(_ line: String, of block: CommandBlock, in note: URL) throws -> LineResult {
    func text(_ name: String) -> String {
      (try? Data(contentsOf: note.appending(path: name))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: note.path).filter {
      $0.hasPrefix("call.")
    }
    let calls = names.compactMap { name -> ProgramCall? in
      let words = text(name).split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
      guard words.count > 2, let status = Int32(words[0]) else { return nil }
      return ProgramCall(status: status, folder: words[1], arguments: Array(words[2...].dropLast()))
    }
    var result = LineResult(
      source: block.source, line: line,
      status: Int32(text("status").trimmingCharacters(in: .whitespacesAndNewlines)),
      text: text("out") + text("err"), calls: calls, cpu: Self.seconds(text("cpu")))
    result.missing = calls.flatMap(missing(after:))
    return result
  }

  /// The sum of the two times that the shell printed.
  private static func seconds(_ text: String) -> Double? {
    let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    return figures.count == 2 ? figures.reduce(0, +) : nil
  }

  /// Copies the template. Libraries are large and only read, so they are linked.
  func copyTemplate(to desk: URL) throws {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: template.path) where name != ".bin" {
      let (from, to) = (template.appending(path: name), desk.appending(path: name))
      if name == "builds" {
        try manager.createSymbolicLink(at: to, withDestinationURL: from)
      } else {
        try manager.copyItem(at: from, to: to)
      }
    }
  }

  /// The outputs that a finished call names and that do not exist.
  private func missing(after call: ProgramCall) -> [String] {
    let use = tree.use(of: call.arguments)
    guard [0, 3].contains(call.status), !use.options.contains(where: { Self.meta.contains($0.name) }) else {
      return []
    }
    var named = [use.value(["--junit"]), use.value(["--keep-encoded"])].compactMap(\.self)
    let output = use.value(["-o", "--output", "--out"])
    switch use.command {
    case "thumbnails", "tiles export", "tiles pack", "corpus generate": named += use.operands.suffix(1)
    case "merge": named.append("\(use.operands.first ?? "")/report.html")
    case "baseline": named += [output ?? "results/baseline.csv"].filter { $0 != "-" }
    case "report" where use.value(["--format"]) == nil:
      named.append("\(use.operands.first ?? "results")/report.html")
    default: named += Self.tables[use.command].map { ["\(output ?? "results")/\($0)"] } ?? []
    }
    return named.filter { name in
      let url = URL(filePath: name.hasPrefix("/") ? name : call.folder + "/" + name)
      // A script that measures in its own folder has already removed it.
      let place = url.deletingLastPathComponent().deletingLastPathComponent()
      return !FileManager.default.fileExists(atPath: url.path)
        && FileManager.default.fileExists(atPath: place.path)
    }
  }

  private static let meta: Set = ["-h", "--help", "--version"]

  /// The table that a command writes into its results folder.
  private static let tables = [
    "sweep": "measurements.csv", "import": "measurements.csv", "decode": "decodes.csv",
    "tiles measure": "tiles.csv",
    "generations": "generations.csv",
  ]
}
