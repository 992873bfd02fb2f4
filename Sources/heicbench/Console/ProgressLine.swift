import Model
import Reports

/// How far a sweep is, in one line for people.
enum ProgressLine {
  /// `[######......] 48 %  230/480 points  12.3/s  0:21 left  2 failed`
  static func bar(_ progress: SweepProgress, width: Int = 24) -> String {
    let share = progress.total > 0 ? Double(progress.done) / Double(progress.total) : 0
    let filled = min(width, max(0, Int(share * Double(width))))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "[\(bar)] \(text(progress))"
  }

  /// The same without a bar, for logs.
  static func text(_ progress: SweepProgress) -> String {
    let percent = progress.total > 0 ? progress.done * 100 / progress.total : 100
    var parts = ["\(percent) %", "\(progress.done)/\(progress.total) points"]
    if progress.rate > 0 { parts.append("\(rate(progress.rate))/s") }
    if let remaining = progress.remaining, progress.done < progress.total {
      parts.append("\(duration(remaining)) left")
    }
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    if progress.imageProblems > 0 { parts.append(Numerals.counted(progress.imageProblems, "unusable image")) }
    return parts.joined(separator: "  ")
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

  /// Three significant digits are enough for a rate.
  private static func rate(_ value: Double) -> String {
    guard value < 1e9 else { return "many" }
    return value >= 100 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
  }
}
