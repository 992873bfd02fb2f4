import HeicBenchKit

/// What work on files one by one says on a terminal while it lasts.
struct JobConsole: Sendable {
  /// What is counted: `reads`.
  let unit: String
  let isQuiet: Bool

  /// Shows what goes on. What failed is said even when quiet.
  func show(_ event: JobEvent) {
    switch event {
    case .progress(let done, let total):
      if isShown { StandardError.write("\r\(done)\(total.map { "/\($0)" } ?? "") \(unit)") }
    case .ended: if isShown { StandardError.write("\r") }
    case .failed(let file, let message): StandardError.notice("\(file): \(message)")
    case .notice(let text): if !isQuiet { StandardError.notice(text) }
    }
  }

  private var isShown: Bool { !isQuiet && StandardError.isTerminal }
}
