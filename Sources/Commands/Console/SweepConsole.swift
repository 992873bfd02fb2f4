import HeicBenchKit
import Logging
import Reports

/// Output of a sweep: the answer on standard output, everything else on standard error.
struct SweepConsole: Sendable {
  private let options: OutputOptions
  private let isQuiet: Bool
  private let progress: ProgressReporter
  private let log: Logger

  init(_ options: OutputOptions) {
    self.options = options
    isQuiet = options.console.quiet
    progress = ProgressReporter(isQuiet: isQuiet)
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var log = Logger(label: "heicbench")
    log.logLevel = options.verbose ? .debug : .error
    self.log = log
  }

  func show(_ event: SweepEvent) {
    switch event {
    case .reading(let done, let total): progress.show { "reading the corpus: \(done)/\(total) files" }
    case .planned(let outlook): tell(outlook)
    case .measuring(let state): progress.show(state)
    case .headline(let savings): progress.tell(savings)
    case .measuringSettings(let state): progress.show(state, named: "quality to set ")
    case .timing(let state): progress.show(state, named: "timing ")
    case .answer(let text):
      progress.close()
      if options.format == nil, !isQuiet { StandardOutput.tell(text) }
    case .drawing(let done, let total):
      progress.show { "pictures for report.html: \(done)/\(total) (Ctrl-C skips them)" }
    case .stepEnded: progress.close()
    case .skipped(let lines, let names):
      lines.forEach(notify)
      if options.verbose { for name in names { notify("skipped " + name) } }
    case .notice(let text): notify(text)
    case .warning(let text): StandardError.notice(text)
    case .detail(let text): log.debug("\(text())")
    }
  }

  private func tell(_ outlook: SweepOutlook) {
    guard outlook.points > 0 else { return }
    guard outlook.seconds != nil else { return notify(OutlookText.plan(outlook)) }
    guard let text = OutlookText.time(outlook) else { return }
    progress.close()
    notify(text)
  }

  /// Writes the results if a format was requested, the answer if no event carried it, and the counts of points.
  func tell(_ outcome: SweepOutcome) throws {
    if let format = options.format {
      var stream = StandardOutput()
      try outcome.write(format, to: &stream)
    } else if !isQuiet, !outcome.wasAnswered {
      StandardOutput.tell(try outcome.text(width: StandardOutput.width))
    }
    notify(closing(outcome))
    guard !outcome.wasInterrupted else { return }
    for name in outcome.notKept {
      StandardError.notice("did not keep “\(name)”: it differs from the file that was measured")
    }
  }

  func tell(_ gate: GateOutcome) {
    GateConsole.tellGitHub(gate)
    if options.format == nil || options.format == .markdown {
      StandardOutput.write("\n")
      StandardOutput.tell {
        gate.text(width: $0)
      } elsewhere: {
        gate.markdown
      }
    } else {
      StandardError.notice(gate.headline)
    }
  }

  /// `480 encodes in 1:23, 2 failed; results in results: …`.
  private func closing(_ outcome: SweepOutcome) -> String {
    let timed = outcome.timed
    let further = [
      (timed.points, "\(timed.points) timed alone in \(ProgressLine.duration(timed.seconds))"),
      (outcome.skipped, "\(outcome.skipped) already there"),
      (outcome.unsupported, "\(outcome.unsupported) unsupported"),
      (outcome.failed, "\(outcome.failed) failed"),
      (
        outcome.failedScores,
        "\(Numerals.counted(outcome.failedScores, "score")) failed (see heicbench report --failures)"
      ), (outcome.unusableImages, "\(Numerals.counted(outcome.unusableImages, "image")) unusable"),
    ].filter { $0.0 > 0 }.map(\.1)
    let measured = Numerals.counted(outcome.measured, "encode")
    let parts =
      (["\(measured) in \(ProgressLine.duration(outcome.seconds))"] + further).joined(
        separator: ", ")
    let saved = "results in \(options.output): report.html, summary.md, measurements.csv"
    guard outcome.wasInterrupted else { return "\(parts); \(saved)" }
    if outcome.lacksPictures {
      return
        "interrupted before the pictures of report.html were done: \(parts); run the same command again to make them; "
        + saved
    }
    let reason = outcome.ranOutOfTime ? "stopped after --budget" : "interrupted"
    return "\(reason): \(parts); run the same command again for the rest; \(saved)"
  }

  private func notify(_ text: String) {
    if !isQuiet { StandardError.notice(text) }
  }
}
