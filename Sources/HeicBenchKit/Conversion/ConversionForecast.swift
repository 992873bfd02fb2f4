import Model
import Reports
import Synchronization
import Workers

/// Estimates the progress and remaining time of conversion tries.
///
/// The time of a try depends on its pixels. A search is assumed to take 5 to 6 tries until finished searches give an
/// average; codecs differ, so the next one is estimated from those before.
final class ConversionForecast: Sendable {
  private struct State {
    var tries = 0
    var triedPixels = 0.0
    /// Searches and packs finished so far, each over all files.
    var closed = 0
    /// Tries up to the last finished search or pack.
    var closedTries = 0
    var hasTold = false
  }

  /// Assumed tries per search until one is finished.
  private static let usualTries = 5.5
  /// Fewest seconds and tries before a time is shown.
  private static let (leastSeconds, leastTries) = (5.0, 3)

  private let pixels: [ImageIdentity: Int]
  private let files: Int
  private let searches: Int
  private let packs: Int
  private let events: @Sendable (JobEvent) -> Void
  private let start = MonotonicClock.now()
  private let state = Mutex(State())

  /// `searches` and `packs` are per file; packs are lossless.
  init(
    files: [(identity: ImageIdentity, pixels: Int)], searches: Int, packs: Int,
    events: @escaping @Sendable (JobEvent) -> Void
  ) {
    pixels = Dictionary(files.map { ($0.identity, $0.pixels) }, uniquingKeysWith: { first, _ in first })
    (self.files, self.searches, self.packs, self.events) = (files.count, searches, packs, events)
  }

  func tried(_ image: ImageIdentity) {
    state.withLock {
      $0.tries += 1
      $0.triedPixels += Double(pixels[image] ?? 0)
    }
  }

  /// Reports progress; `done` counts files of the current codec and score.
  func show(done: Int) {
    let seconds = Double(MonotonicClock.now() - start) / 1e9
    let (tries, finished, left, isFirst) = state.withLock { state in
      let left = Self.left(state, self, seconds)
      let isFirst = left != nil && !state.hasTold
      state.hasTold = state.hasTold || isFirst
      return (state.tries, state.closed * files + done, left, isFirst)
    }
    let all = files * (searches + packs)
    if isFirst, let left {
      events(
        .notice(
          "about \(Self.clock(left)) to go for \(all) conversions of \(files) files, by the first \(tries) tries; a smaller "
            + "--sample takes less, and Ctrl-C gives the answer of what is done"))
    }
    let time = left.map { ", about \(Self.clock($0)) left" } ?? ""
    events(.status("\(tries) tries, \(finished) of \(all) conversions done\(time)"))
  }

  /// Ends a codec at a score; `isWhole` is false if it was stopped early.
  func close(isWhole: Bool) {
    guard isWhole else { return }
    state.withLock {
      $0.closed += 1
      $0.closedTries = $0.tries
    }
  }

  /// Seconds left; nil while that would be a guess.
  private static func left(_ state: State, _ forecast: ConversionForecast, _ seconds: Double) -> Double? {
    guard seconds >= leastSeconds, state.tries >= leastTries, state.triedPixels > 0, forecast.files > 0 else {
      return nil
    }
    let closedSearches = min(state.closed, forecast.searches)
    let each =
      closedSearches > 0
      ? Double(state.closedTries) / Double(closedSearches * forecast.files) : usualTries
    let whole = forecast.pixels.values.reduce(0.0) { $0 + Double($1) }
    let expected = whole * (Double(forecast.searches) * each + Double(forecast.packs))
    return seconds * max(0, expected / state.triedPixels - 1)
  }

  /// A short duration: `40 s`, `6 min`, `1.5 h`.
  static func clock(_ seconds: Double) -> String {
    switch seconds {
    case ..<90: "\(Int(max(1, seconds.rounded()))) s"
    case ..<5400: "\(Int((seconds / 60).rounded())) min"
    default: "\(Numerals.fixed(seconds / 3600, decimals: 1)) h"
    }
  }
}
