import Model
import Reports
import Synchronization

final class ThumbnailTally: Sendable {
  struct Counts {
    var byRoute: [ReadRoute: Int] = [:]
    var skipped = 0
    var failed = 0

    var made: Int { byRoute.values.reduce(0, +) }
    var done: Int { made + skipped + failed }

    func sentence(seconds: Double) -> String {
      var parts: [String] = []
      let ways: [(ReadRoute, String)] = [
        (.thumbnail, "from embedded ones"), (.scaled, "at a reduced size"), (.full, "by decoding all"),
      ]
      for (route, words) in ways {
        if let count = byRoute[route] { parts.append("\(count) \(words)") }
      }
      var text = Numerals.counted(made, "thumbnail")
      if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
      if made > 0, seconds > 0 {
        text += "; \(Numerals.fixed(Double(made) / seconds, decimals: 1)) a second"
      }
      if skipped > 0 { text += "; \(skipped) were there already" }
      if failed > 0 { text += "; \(failed) failed" }
      return text + "."
    }
  }

  private let events: @Sendable (JobEvent) -> Void
  private let state = Mutex(Counts())

  init(_ events: @escaping @Sendable (JobEvent) -> Void) { self.events = events }

  var counts: Counts { state.withLock { $0 } }

  func count(_ route: ReadRoute) {
    let made = state.withLock { counts in
      counts.byRoute[route, default: 0] += 1
      return counts.made
    }
    events(.progress(done: made, total: nil))
  }

  func skip() { state.withLock { $0.skipped += 1 } }

  func fail(_ name: String, _ message: String) {
    state.withLock { $0.failed += 1 }
    events(.failed(file: name, message: message))
  }
}
