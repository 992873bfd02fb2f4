package struct SettingSpecification: Sendable, Hashable, Codable {
  package enum Values: Sendable, Hashable, Codable {
    case choice([String])
    case integer(ClosedRange<Int>)
    /// `true` or `false`; the key alone means `true`.
    case flag
    /// Any key with this prefix, its value checked by the codec (`validate`).
    case passThrough(prefix: String)
  }

  /// The key as spelled in `--codec`, or the prefix with a `*` for a pass-through.
  package var key: String
  package var values: Values
  /// The value if the key is left out; empty for a pass-through.
  package var defaultValue: String
  package var summary: String
  /// True for a setting that SDR runs, and the view's page, have no use for.
  package private(set) var isOfHDR = false

  package init(key: String, values: Values, defaultValue: String, summary: String) {
    self.key = key
    self.values = values
    self.defaultValue = defaultValue
    self.summary = summary
  }

  /// The setting as one of HDR runs alone.
  package var ofHDR: SettingSpecification {
    var setting = self
    setting.isOfHDR = true
    return setting
  }

  /// A setting that is off by default.
  package static func flag(_ key: String, _ summary: String) -> SettingSpecification {
    .init(key: key, values: .flag, defaultValue: "false", summary: summary)
  }

  package static func choice(
    _ key: String, _ words: [String], _ usual: String, _ summary: String
  ) -> SettingSpecification {
    .init(key: key, values: .choice(words), defaultValue: usual, summary: summary)
  }

  package static func integer(
    _ key: String, _ range: ClosedRange<Int>, _ usual: String, _ summary: String
  ) -> SettingSpecification {
    .init(key: key, values: .integer(range), defaultValue: usual, summary: summary)
  }

  /// The allowed values, for people: `420, 422 or 444`.
  package var allowedValues: String {
    switch values {
    case .choice(let words) where words.count > 1:
      words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    case .choice(let words): words.joined()
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .passThrough(let prefix): "\(prefix)KEY=VALUE"
    }
  }

  package func canonical(_ value: String) -> String? {
    switch values {
    case .choice(let words): words.contains(value) ? value : nil
    case .integer(let range): Int(value).flatMap { range.contains($0) ? String($0) : nil }
    case .flag: ["true", "false"].contains(value) ? value : nil
    case .passThrough: value
    }
  }
}
