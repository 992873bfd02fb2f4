import HeicBenchKit
import Reports

enum ProgressLine {
  private static let widestBar = 24
  private static let narrowestBar = 8
  /// The number of seconds after which a missing time is explained.
  private static let patience = 3.0

  /// `[######......] 48 %  230/480 points  0:21 left  at 70: HEIC −30 % (−35 to −25), 12/24 images`, cut to `columns`:
  /// first the bar gets shorter, then words and intervals are dropped.
  static func bar(_ progress: SweepProgress, _ headline: [Saving] = [], columns: Int = 80) -> String {
    // Some terminals wrap a line that fills their width.
    let room = max(20, columns - 1)
    let (full, brief) = (state(progress, isShort: false), state(progress, isShort: true))
    let all = short(headline)
    let lines =
      all.isEmpty
      ? [full] : [full + [all], brief + [all], brief + [names(headline)], brief + [names(headline, most: 1)]]
    let fitting = lines.map { $0.joined(separator: "  ") }.first { $0.count <= room }
    let text = fitting ?? (all.isEmpty ? full : brief).joined(separator: "  ")
    let left = min(widestBar, room - text.count - 3)
    guard left >= narrowestBar else { return String(text.prefix(room)) }
    let share = progress.share ?? share(progress)
    let filled = min(left, max(0, Int(share * Double(left))))
    return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: left - filled) + "] "
      + text
  }

  static func text(_ progress: SweepProgress, _ headline: [Saving] = []) -> String {
    (state(progress, isShort: false) + [short(headline)]).filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// `0:21`, `12:03`, `1:02:03`, `3 days`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "a long time" }
    let whole = Int(seconds.rounded())
    if whole >= 2 * 86_400 { return "\((whole + 43_200) / 86_400) days" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    guard hours > 0 else { return "\(minutes):\(tail)" }
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
  }

  private static func state(_ progress: SweepProgress, isShort: Bool) -> [String] {
    // By time if it is known: the last tenth of the points may be half of the work.
    let percent = Int((progress.share ?? share(progress)) * 100)
    var parts = ["\(percent) %", isShort ? "\(progress.done)" : Numerals.counted(progress.done, "encode")]
    if progress.rate > 0, !isShort { parts.append("\(rate(progress.rate))/s") }
    if progress.done < progress.total {
      if let remaining = progress.remaining {
        parts.append("\(duration(remaining)) left")
      } else if progress.elapsed >= patience, !isShort {
        parts.append("estimating")
      }
    }
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    if progress.imageProblems > 0 { parts.append(Numerals.counted(progress.imageProblems, "unusable image")) }
    return parts
  }

  private static func share(_ progress: SweepProgress) -> Double {
    progress.total > 0 ? Double(progress.done) / Double(progress.total) : 1
  }

  /// `at 70: HEIC −41 % (−44 to −38) · AVIF −33 % (−37 to −28), 12/24 images`, the fewest bytes first; empty without a
  /// headline.
  private static func short(_ headline: [Saving]) -> String {
    let known = sorted(headline)
    guard let first = known.first, let score = first.score, let all = first.outOf else { return "" }
    let parts = known.map { saving in
      let ends = saving.interval.map { interval in
        " (\(whole(interval.lowerBound)) to \(whole(interval.upperBound)))"
      }
      return "\(saving.title) \(whole(saving.bytesPercent)) %\(ends ?? "")"
    }
    let images = known.compactMap(\.images).min() ?? 0
    return "at \(Numerals.brief(score)): \(parts.joined(separator: " · ")), \(images)/\(all) images"
  }

  /// `at 70: HEIC −41, AVIF −33 %`, or `at 70: HEIC −41 % …`.
  private static func names(_ headline: [Saving], most: Int = .max) -> String {
    let known = sorted(headline)
    let parts = known.prefix(most).map { "\($0.title) \(whole($0.bytesPercent))" }
    return "at \(Numerals.brief(known.first?.score ?? 0)): \(parts.joined(separator: ", ")) %"
      + (known.count > most ? " …" : "")
  }

  private static func sorted(_ headline: [Saving]) -> [Saving] {
    headline.filter { $0.bytesPercent != nil }.sorted { ($0.bytesPercent ?? 0) < ($1.bytesPercent ?? 0) }
  }

  private static func whole(_ percent: Double?) -> String { Numerals.signed(percent ?? 0, decimals: 0) }

  /// A rate, for which three significant digits are enough.
  private static func rate(_ value: Double) -> String {
    guard value < 1e9 else { return "many" }
    return value >= 100 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
  }
}

enum OutlookText {
  /// The number of images that give a first impression with an interval.
  private static let fewImages = 6

  /// `24 images (9.4 MP) with jpeg and heic at 10 qualities: 480 encodes, plus more at other qualities to pin down
  /// the results`.
  static func plan(_ outlook: SweepOutlook) -> String {
    let names = Numerals.listed(outlook.codecs)
    let qualities = outlook.qualities == 1 ? "one quality" : "\(outlook.qualities) qualities"
    let pixels = Numerals.megapixels(Int((outlook.megapixels * 1e6).rounded()))
    return
      "\(Numerals.counted(outlook.images, "image")) (\(pixels) MP) with \(names) at \(qualities): "
      + Numerals.counted(outlook.points, "encode")
      + (outlook.isRefined ? ", plus more at other qualities to pin down the results" : "")
  }

  /// `about 2:40 with 2 workers, 5.3 CPU minutes. To save time: …`, with suggestions if it is long.
  static func time(_ outlook: SweepOutlook) -> String? {
    guard let seconds = outlook.seconds, seconds >= 5 else { return nil }
    let work = outlook.cpuSeconds.map {
      ", \(Numerals.grouped($0 / 60, decimals: $0 > 1200 ? 0 : 1)) CPU minutes"
    }
    let text =
      "about \(ProgressLine.duration(seconds)) with \(Numerals.counted(outlook.jobs, "worker"))\(work ?? "")"
    if let budget = outlook.budget {
      return budget < seconds ? "\(text); stops after \(ProgressLine.duration(budget)) (--budget)" : text
    }
    guard seconds > 90 else { return text }
    var ways = ["--budget 1m or Ctrl-C stops with the answer so far"]
    if outlook.images > fewImages {
      let share = seconds * Double(fewImages) / Double(outlook.images)
      ways.append("--limit \(fewImages) takes about \(ProgressLine.duration(share))")
    }
    if outlook.megapixels > 2 * Double(outlook.images) {
      ways.append("--downscale \(outlook.downscale * 2) about \(ProgressLine.duration(seconds / 4))")
    }
    return "\(text). To save time: \(ways.joined(separator: "; "))"
  }
}
