/// One setting of a codec: its key, what it takes, and what it means when left out.
package struct SettingSpecification: Sendable, Hashable, Codable {
  /// What a setting's value may be.
  package enum Values: Sendable, Hashable, Codable {
    /// One of these words.
    case choice([String])
    /// A whole number in this range.
    case integer(ClosedRange<Int>)
    /// `true` or `false`; the key alone means `true`.
    case flag
    /// Any key with this prefix, its value checked by the codec (`validate`).
    case passThrough(prefix: String)
  }

  /// The key as `--codec` spells it, or the prefix with a `*` for a pass-through.
  package var key: String
  /// What the value may be.
  package var values: Values
  /// The value when the key is left out; empty for a pass-through.
  package var defaultValue: String
  /// A line for people on what the setting does.
  package var summary: String

  /// Describes a setting.
  package init(key: String, values: Values, defaultValue: String, summary: String) {
    self.key = key
    self.values = values
    self.defaultValue = defaultValue
    self.summary = summary
  }

  /// What is allowed, for people: `420, 422 or 444`.
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

  /// The value's canonical spelling, or nil when it is not allowed.
  package func canonical(_ value: String) -> String? {
    switch values {
    case .choice(let words): words.contains(value) ? value : nil
    case .integer(let range): Int(value).flatMap { range.contains($0) ? String($0) : nil }
    case .flag: ["true", "false"].contains(value) ? value : nil
    case .passThrough: value
    }
  }
}
