import HeicBenchKit

/// Terminal output of a search among builds: a line for each comparison, and a live line while it runs.
struct BisectConsole: Sendable {
  let isQuiet: Bool

  func show(_ event: BisectEvent) {
    switch event {
    case .failed(let file, let message): StandardError.notice("“\(file)” is left out: \(message)")
    case .notice(let text): if !isQuiet { StandardError.notice(text) }
    case .began(let progress): if !isQuiet { StandardError.notice("\(Self.subject(progress)) …") }
    case .round(let progress): StandardError.redraw(Self.line(progress), isQuiet: isQuiet)
    case .compared(let progress):
      StandardError.redraw(isQuiet: isQuiet)
      if !isQuiet { StandardError.notice(Self.closing(progress)) }
    }
  }

  /// `comparing decode times of 1.15.2 and 1.23.6, comparison 2 of 9 at most`.
  private static func subject(_ progress: BisectProgress) -> String {
    "comparing \(progress.subject) of \(progress.before) and \(progress.after), "
      + "comparison \(progress.comparison) of \(progress.mostComparisons) at most"
  }

  /// `round 7  −18.30 % (−19.90 % to −16.70 %)  0:12  about 0:20 left, 1:48 at most`, cut to the terminal.
  private static func line(_ progress: BisectProgress) -> String {
    let most = ProgressLine.duration(progress.mostSecondsLeft)
    let left = progress.likelySecondsLeft.map { "about \(ProgressLine.duration($0)) left, \(most) at most" }
    let parts = [
      "round \(progress.rounds)", progress.change, ProgressLine.duration(progress.seconds),
      left ?? "\(most) left at most",
    ].compactMap(\.self)
    return String(parts.joined(separator: "  ").prefix(max(20, StandardError.columns - 1)))
  }

  /// `decode times of 1.15.2 and 1.23.6: −18.30 % (−19.90 % to −16.70 %), moved, after 7 rounds in 0:12`.
  private static func closing(_ progress: BisectProgress) -> String {
    var text =
      "\(progress.subject) of \(progress.before) and \(progress.after): \(progress.change ?? "unknown")"
    if let verdict = progress.verdict { text += ", \(verdict)" }
    guard progress.rounds > 0 else { return text }
    text += ", after \(progress.rounds) rounds in \(ProgressLine.duration(progress.seconds))"
    if progress.images < progress.allImages {
      text += ", each with at most \(progress.images) of the \(progress.allImages) images in turn"
    }
    return text
  }
}
