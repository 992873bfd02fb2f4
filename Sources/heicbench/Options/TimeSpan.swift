import ArgumentParser

/// A time as people write it: `90s`, `2m`, `1.5h`, `1h30m`; seconds without a unit.
struct TimeSpan: ParsedValue, Hashable {
  /// More than 0 and at most a year.
  let seconds: Double

  private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

  static let twoMinutes = TimeSpan(wholeSeconds: 120)

  private init(wholeSeconds: Int) { seconds = Double(wholeSeconds) }

  init(parsing text: String) throws {
    guard let time = TimeSpan(text) else {
      throw ValidationError("write a time as 90s, 2m, 1h or 1h30m, more than 0 and at most a year")
    }
    self = time
  }

  init?(_ text: String) {
    var (total, number) = (0.0, "")
    for character in text.lowercased() {
      guard let unit = Self.units[character] else {
        number.append(character)
        continue
      }
      guard let value = Double(number), value.isFinite, value >= 0 else { return nil }
      total += value * unit
      number = ""
    }
    if !number.isEmpty {
      guard total == 0, let value = Double(number) else { return nil }
      total = value
    }
    guard total > 0, total <= 365 * 86_400 else { return nil }
    seconds = total
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The time as `90s`, which can be parsed again.
  var description: String { seconds == seconds.rounded() ? "\(Int(seconds))s" : "\(seconds)s" }
}
