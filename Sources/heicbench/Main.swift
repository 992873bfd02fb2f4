import ArgumentParser
import Foundation
import HeicBenchKit

/// Starts the program and maps every error to its exit code.
@main
enum Main {
  static func main() {
    // A reader of our output that goes away must not end the sweep.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond a limit on the size of files fails with a reason instead of ending the program.
    signal(SIGXFSZ, SIG_IGN)
    // Our parent may have ignored SIGCHLD; we wait for children.
    signal(SIGCHLD, SIG_DFL)
    HeicBench.serveIfWorker(answering: WorkerCommand.questions)
    HeicBench.onMissingSandbox { text in
      StandardError.redraw()
      StandardError.notice(text)
    }
    let arguments = Self.arguments(Array(CommandLine.arguments.dropFirst()))
    do {
      if let problem = RootCommand.helpProblem(arguments) { throw HeicBenchError(.usage, problem) }
      var command = try RootCommand.command(of: arguments)
      try command.run()
      if let failure = StandardOutput.failure { fail(failure) }
    } catch {
      end(with: error, arguments)
    }
  }

  private static func end(with error: any Error, _ arguments: [String]) -> Never {
    let known = HeicBenchError(error)
    let isUsage = RootCommand.exitCode(for: error) == .validationFailure
    if known?.kind == .noInput || isUsage, let hint = RootCommand.commandHint(arguments) {
      StandardError.notice(hint)
    }
    if isUsage, RootCommand.fullMessage(for: error).contains("Unknown option '--output'") {
      StandardError.notice(RootCommand.placeOfOutput(arguments.first ?? ""))
    }
    if let known { fail(known) }
    if error is ExitCode, let failure = StandardOutput.failure { fail(failure) }
    // The rest are the parser's own errors, including help and version, and the exit codes that commands throw.
    let isFailure = RootCommand.exitCode(for: error) == .failure && !(error is ExitCode)
    if isFailure { fail(HeicBenchError(.software, "\(error)")) }
    show(error)
  }

  /// Ends with the parser's own message, whose lines of usage it does not fold.
  private static func show(_ error: any Error) -> Never {
    let message = RootCommand.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
    let isHelp = RootCommand.exitCode(for: error) == .success
    let columns = TerminalText.columns(of: isHelp ? STDOUT_FILENO : STDERR_FILENO) ?? usualColumns
    let text = message.map { line -> String in
      guard line.lowercased().hasPrefix("usage: ") else { return String(line) }
      // An option stays beside its value.
      let joined = String(line).replacing(" <", with: "\u{a0}<")
      return TerminalText.wrapped(joined, columns: columns).replacing("\u{a0}", with: " ")
    }.joined(separator: "\n")
    if !text.isEmpty { isHelp ? StandardOutput.write(text + "\n") : StandardError.write(text + "\n") }
    exit(RootCommand.exitCode(for: error).rawValue)
  }

  /// The width of help outside of a terminal, as the parser has it.
  private static let usualColumns = 80

  private static func fail(_ error: HeicBenchError) -> Never {
    StandardError.notice(error.description)
    exit(error.status.rawValue)
  }

  /// `corpus` is a common folder and the command that makes ours: the folder is meant unless its words follow.
  static func arguments(_ given: [String]) -> [String] {
    guard given.first == "corpus" else { return given }
    let words = ["generate", "help", "--help", "-h"]
    return given.dropFirst().first.map(words.contains) == true ? given : ["sweep"] + given
  }
}
