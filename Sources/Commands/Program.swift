import ArgumentParser
import Foundation
import HeicBenchKit
import Workers

/// Starts the program and maps every error to its exit code.
package enum Program {
  package static func main() {
    // A reader of our output that goes away must not end the sweep.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the file size limit then fails with a reason instead of ending the program.
    signal(SIGXFSZ, SIG_IGN)
    // Our parent may have ignored SIGCHLD; we wait for children.
    signal(SIGCHLD, SIG_DFL)
    HeicBench.serveIfWorker(answering: WorkerCommand.questions)
    HeicBench.onMissingSandbox { text in
      StandardError.redraw()
      StandardError.notice(text)
    }
    var arguments = Self.arguments(Array(CommandLine.arguments.dropFirst()))
    do {
      arguments = try DefaultOptions.adding(
        to: arguments, environment: ProcessInfo.processInfo.environment, file: GateConfiguration.options)
      if let problem = RootCommand.helpProblem(arguments) { throw HeicBenchError(.usage, problem) }
      var command = try RootCommand.command(of: arguments)
      RootCommand.overridden(in: arguments).forEach {
        StandardError.notice("\($0) is given more than once; the last one counts")
      }
      try FileLimit.require()
      try command.run()
      if let failure = StandardOutput.failure { fail(failure) }
    } catch {
      end(with: error, arguments)
    }
  }

  private static func end(with error: any Error, _ arguments: [String]) -> Never {
    if let known = HeicBenchError(error) {
      if known.kind == .noInput, let hint = RootCommand.commandHint(arguments) { StandardError.notice(hint) }
      fail(known)
    }
    // Read only once each: the parser assembles the usage of all options every time.
    let (code, message) = (RootCommand.exitCode(for: error), RootCommand.fullMessage(for: error))
    if code == .validationFailure {
      if let hint = RootCommand.commandHint(arguments) { StandardError.notice(hint) }
      if message.contains("Unknown option '--output'") {
        StandardError.notice(RootCommand.placeOfOutput(arguments.first ?? ""))
      }
    }
    if error is ExitCode, let failure = StandardOutput.failure { fail(failure) }
    // The rest are the parser's own errors, which include help and version, and the exit codes that commands throw.
    if code == .failure, !(error is ExitCode) { fail(HeicBenchError(.software, "\(error)")) }
    show(message, code)
  }

  /// Ends with the parser's own message, wrapping the usage lines that the parser leaves long.
  private static func show(_ message: String, _ code: ExitCode) -> Never {
    let isHelp = code == .success
    let columns = TerminalText.columns(of: isHelp ? STDOUT_FILENO : STDERR_FILENO) ?? usualColumns
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      guard line.lowercased().hasPrefix("usage: ") else { return String(line) }
      // An option stays beside its value.
      let joined = String(line).replacing(" <", with: "\u{a0}<")
      return TerminalText.wrapped(joined, columns: columns).replacing("\u{a0}", with: " ")
    }
    let text = lines.joined(separator: "\n")
    if !text.isEmpty { isHelp ? StandardOutput.write(text + "\n") : StandardError.write(text + "\n") }
    exit(code.rawValue)
  }

  /// The width of help outside a terminal, the same as the parser's.
  private static let usualColumns = 80

  private static func fail(_ error: HeicBenchError) -> Never {
    StandardError.notice(error.description)
    exit(error.status.rawValue)
  }

  /// Arguments with today's option names. `corpus` is a common folder name and also the command that generates our
  /// corpus: it means the folder unless the command's words follow.
  static func arguments(_ given: [String]) -> [String] {
    let given = RootCommand.renamed(given)
    guard given.first == "corpus" else { return given }
    let words = ["generate", "help", "--help", "-h"]
    return given.dropFirst().first.map(words.contains) == true ? given : ["sweep"] + given
  }
}
