#if os(Linux)
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// Runs every documented command line with the built program and small stand-ins. The lines start before any test,
  /// since they take longest. The tests run one at a time, since all wait for the lines and would keep other tests from
  /// running.
  @Suite("Documents are run", .serialized, EarlyStart()) struct DocumentTests {
    fileprivate static let run = Task { try await DocumentRun() }

    @Test("every command line in documents, help and examples does what it says")
    func lines() async throws {
      let run = try await Self.run.value
      for result in run.documented { expect(result) }
      let reasons = Dictionary(grouping: run.notRun, by: \.reason).sorted { $0.key < $1.key }
      print("documents: \(run.documented.count) lines run, \(run.notRun.count) not run")
      for (reason, lines) in reasons { print("documents: \(lines.count) not run: \(reason)") }
      for result in run.dearest.prefix(10) {
        print("documents: \(String(format: "%.1f", result.cpu ?? 0)) CPU s: \(result.source): \(result.line)")
      }
    }

    @Test("commands that the program prints can be run")
    func printed() async throws {
      let run = try await Self.run.value
      #expect(run.printed.count > 8)
      for result in run.printed { expect(result) }
      print("documents: \(run.printed.count) kinds of printed lines run")
    }

    @Test("every percentage derived from samples has its interval")
    func percentages() async throws {
      let run = try await Self.run.value
      for result in run.documented + run.ofOptions {
        let bare = PercentClaims.withoutInterval(in: result.text)
        #expect(bare.isEmpty, "\(result.source): \(result.line)\n\(bare.joined(separator: "\n"))")
      }
      #expect(run.written.count > 50)
      // Most folders have the same reports, those of the stand-ins.
      let lines = Set(run.written.flatMap { $0.split(separator: "\n") })
      let bare = PercentClaims.withoutInterval(in: lines.joined(separator: "\n"))
      #expect(bare.isEmpty, "in reports: \(bare.sorted().joined(separator: "\n"))")
    }

    @Test("lines that are not run are still in a document, or printed")
    func exceptions() async throws {
      let seen = try await Self.run.value.all
      for (reason, lines) in DocumentExceptions.notRun {
        for line in lines { #expect(seen.contains { $0.hasPrefix(line) }, "“\(line)” (\(reason))") }
      }
      for line in DocumentExceptions.exitCodes.keys { #expect(seen.contains(line), "“\(line)”") }
    }

    @Test("every option and value in help is exercised")
    func options() async throws {
      let run = try await Self.run.value
      for result in run.ofOptions { expect(result) }
      let promises = run.tree.promises
      let kept = Set(
        (run.documented + run.ofOptions).filter(\.isAsExpected).flatMap(\.calls).filter { $0.status != 64 }
          .flatMap { run.tree.promises(of: $0.arguments) })
      #expect(promises.count > 300)
      let open = promises.subtracting(kept)
      #expect(open.isEmpty, "\(open.sorted().joined(separator: "\n"))")
      print(
        "documents: \(promises.intersection(kept).count) of \(promises.count) options and values exercised")
    }

    private func expect(_ result: LineResult) {
      #expect(
        result.isAsExpected, "expected exit code \(result.expectedStatus.sorted())\n\(result.description)")
      #expect(result.missing.isEmpty, "not written: \(result.missing)\n\(result.description)")
    }
  }

  private struct EarlyStart: SuiteTrait {
    func prepare(for test: Test) { _ = DocumentTests.run }
  }

  extension LineResult {
    /// The exit code that the line or its document states; else 0.
    var expectedStatus: Set<Int32> {
      if let said = line.firstMatch(of: /# exits with (\d+)$/), let status = Int32(said.1) { return [status] }
      return DocumentExceptions.exitCodes[line] ?? [0]
    }

    /// Whether the line and each of its calls ended as expected, unless the line itself allows another outcome.
    var isAsExpected: Bool {
      status.map(expectedStatus.contains) == true
        && (line.contains("||") || calls.allSatisfy { expectedStatus.contains($0.status) })
    }
  }

  /// All lines, run once for all tests.
  private struct DocumentRun: Sendable {
    let tree: OptionTree
    var documented: [LineResult] = []
    var ofOptions: [LineResult] = []
    var printed: [LineResult] = []
    /// For each block, the lines and sentences with percentages in the reports in its folder.
    var written: [String] = []
    var notRun: [(line: String, reason: String)] = []
    /// Every line, run or not.
    var all: [String] = []
    /// The lines that took the most CPU time.
    var dearest: [LineResult] {
      (documented + ofOptions + printed).sorted { $0.cpu ?? 0 > $1.cpu ?? 0 }
    }

    private struct Work {
      let block: CommandBlock
      let isOfOptions: Bool

      /// Whether it takes long, because times of builds are measured in many rounds.
      var isLong: Bool { block.lines.contains { $0.contains(" bisect ") } }
    }

    init() async throws {
      let program = try #require(BuiltProgram("heicbench"))
      tree = try OptionTree(of: program)
      let standIns = try StandIns.make(with: program)
      let runner = CommandRunner(program: program, template: standIns.url, tree: tree)
      // Names in sentences go first; otherwise a block with the same words would count as a repetition of them.
      let named = try (DocumentText.blocks() + Self.help(of: tree)).filter { [tree] block in
        !block.isWithinText || !block.lines.allSatisfy(tree.isName)
      }
      var blocks = Self.once(named)
      all = blocks.flatMap(\.lines)
      for index in blocks.indices {
        notRun += blocks[index].lines.compactMap { line in
          DocumentExceptions.reason(for: line).map { (line, $0) }
        }
        blocks[index].lines.removeAll { DocumentExceptions.reason(for: $0) != nil }
      }
      let kinds = PrintedKinds()
      let works =
        blocks.filter { !$0.lines.isEmpty }.map { Work(block: $0, isOfOptions: false) }
        + (OptionLines.blocks + [OptionLines.meta(of: tree)]).map { Work(block: $0, isOfOptions: true) }
      let results = try await Self.inTurns(works) { (work: $0, done: try runner.run($0.block, kinds: kinds)) }
      documented = results.filter { !$0.work.isOfOptions }.flatMap(\.done.results)
      ofOptions = results.filter(\.work.isOfOptions).flatMap(\.done.results)
      printed = results.flatMap(\.done.printed)
      written = results.map(\.done.written).filter { !$0.isEmpty }
      notRun += kinds.notRun
      all += kinds.all
      withExtendedLifetime(standIns) {}
    }

    /// The indented lines in the texts of help.
    private static func help(of tree: OptionTree) -> [CommandBlock] {
      tree.commands.compactMap { path, command in
        let lines = (command.discussion ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") }
        return CommandBlock("heicbench \(path) --help", text: lines.joined(separator: "\n"))
      }
    }

    /// Blocks without repeated single lines, each with the environment of its document.
    private static func once(_ blocks: [CommandBlock]) -> [CommandBlock] {
      var seen: Set<String> = []
      return blocks.filter { $0.lines.count > 1 || seen.insert($0.lines[0]).inserted }.map { block in
        var block = block
        for (document, environment) in DocumentExceptions.environments where block.source.hasPrefix(document)
        {
          block.environment.merge(environment) { own, _ in own }
        }
        return block
      }
    }

    /// Runs blocks on a few threads, the longest first.
    private static func inTurns<Output: Sendable>(
      _ works: [Work], _ run: @escaping @Sendable (Work) throws -> Output
    ) async throws -> [Output] {
      let outputs = Mutex<[Result<Output, any Error>]>([])
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
      await withCheckedContinuation { continuation in
        for work in works.filter(\.isLong) + works.filter({ !$0.isLong }) {
          queue.addOperation {
            let output = Result { try run(work) }
            outputs.withLock { $0.append(output) }
          }
        }
        queue.addBarrierBlock { continuation.resume() }
      }
      return try outputs.withLock { try $0.map { try $0.get() } }
    }
  }

  extension CommandRunner {
    /// Runs a block in its own folder, then one command of each new kind that it printed.
    fileprivate func run(_ block: CommandBlock, kinds: PrintedKinds) throws -> (
      results: [LineResult], printed: [LineResult], written: String
    ) {
      let desk = try TemporaryFolder()
      try copyTemplate(to: desk.url)
      let results = try run(block, in: desk.url)
      let lines = results.flatMap { kinds.new(in: $0, tree) }
      let printed =
        lines.isEmpty ? [] : try run(CommandBlock("printed by \(block.source)", lines), in: desk.url)
      return (results, printed, try written(in: desk.url))
    }

    private func written(in desk: URL) throws -> String {
      let grep = BuiltProgram(URL(filePath: "/bin/grep"))
      return try [
        ["-rh", "%", ".", "--include=*.md"],
        // In a page, sentences stand between tags; in its data, between quotation marks.
        [
          "-rohE", #"[^"<>]*(% (fewer|more|less|smaller|larger|bytes|CPU)|BD-rate)[^"<>]*"#, ".",
          "--include=*.html",
        ],
      ].map { try grep.run($0, in: desk).output }.joined()
    }
  }

  /// The kinds of lines printed for copying: the command that prints them and the program that they call.
  private final class PrintedKinds: Sendable {
    private struct State {
      var kinds: Set<String> = []
      var all: [String] = []
      var notRun: [(line: String, reason: String)] = []
    }
    private let state = Mutex(State())

    var all: [String] { state.withLock(\.all) }
    var notRun: [(line: String, reason: String)] { state.withLock(\.notRun) }

    /// The lines of new kinds, each with its input files.
    func new(in result: LineResult, _ tree: OptionTree) -> [String] {
      let uses = result.calls.map { tree.use(of: $0.arguments) }
      // The documents' lines already include help.
      let isHelp = uses.contains {
        $0.command == "help" || $0.options.contains { ["-h", "--help"].contains($0.name) }
      }
      guard let use = uses.first, !isHelp else { return [] }
      let listsFailures =
        use.command == "failures" || use.options.contains { $0.name == "--failures" }
      // A sentence may continue after the program's name, but a command line has an option or a path.
      let found = result.text.matches(of: Self.printed).map { String($0.1) }.filter { line in
        !CommandBlock.isSyntax(line) && !tree.isName(line) && line.contains(/\s-|[\/.]/)
      }
      return state.withLock { state in
        found.compactMap { line in
          let options = Set(line.split(separator: " ").filter { $0.hasPrefix("-") })
          let program = String(line.prefix { $0 != " " })
          let kind = "\(use.command): \(program) \(options.sorted().joined(separator: " "))"
          guard state.kinds.insert(kind).inserted else { return nil }
          state.all.append(line)
          if let reason = DocumentExceptions.reason(for: line) {
            state.notRun.append((line, reason))
            return nil
          }
          let isFailure = listsFailures && !line.contains("--failures")
          return line + (Self.operands[program] ?? "") + (isFailure ? Self.failing(line) : "")
        }
      }
    }

    /// A reproduced failure fails again, for one point or for the only image.
    private static func failing(_ line: String) -> String {
      " # exits with \(line.contains("--codec") ? 3 : 66)"
    }

    private static var printed: Regex<(Substring, Substring)> {
      /(?:^|[“`]|: |  | or )((?:cjpeg|heif-enc|cwebp|cjxl|avifenc|heicbench) [^”`\n]*?)(?=[”`]|  |\.?$|\. )/
        .anchorsMatchLineEndings()
    }

    /// The operands that follow the options of an encoder's line.
    private static let operands = [
      "cjpeg": " -outfile printed.jpg raw/a.ppm", "heif-enc": " map.png -o printed.heic",
      "cwebp": " map.png -o printed.webp", "cjxl": " map.png printed.jxl",
    ]
  }
#endif
