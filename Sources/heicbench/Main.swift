import ArgumentParser
import HeicBenchKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Starts the program and gives every error the exit code that belongs to it.
@main
enum Main {
  static func main() {
    // A reader of our output that goes away must not take the sweep along.
    signal(SIGPIPE, SIG_IGN)
    // Nor must a limit on the size of files: a write beyond it then fails with a reason.
    signal(SIGXFSZ, SIG_IGN)
    // Whoever started us may have said that nobody waits for children. We do.
    signal(SIGCHLD, SIG_DFL)
    HeicBench.serveIfWorker()
    HeicBench.onMissingSandbox { text in
      // A line of progress may stand there.
      if StandardError.isTerminal { StandardError.write("\r\u{1B}[K") }
      StandardError.notice(text)
    }
    let arguments = Self.arguments(Array(CommandLine.arguments.dropFirst()))
    do {
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
    if let known { fail(known) }
    if error is ExitCode, let failure = StandardOutput.failure { fail(failure) }
    // The parser's own errors, help and version among them, and the exit codes that commands throw.
    let isFailure = RootCommand.exitCode(for: error) == .failure && !(error is ExitCode)
    if isFailure { fail(HeicBenchError(.software, "\(error)")) }
    RootCommand.exit(withError: error)
  }

  private static func fail(_ error: HeicBenchError) -> Never {
    StandardError.notice(error.description)
    exit(error.status.rawValue)
  }

  /// A folder named `corpus` is what most people have, and `corpus` is also the command that generates ours:
  /// unless the command's own words follow, the folder is meant.
  static func arguments(_ given: [String]) -> [String] {
    guard given.first == "corpus" else { return given }
    let words = ["generate", "help", "--help", "-h"]
    return given.dropFirst().first.map(words.contains) == true ? given : ["sweep"] + given
  }
}
