/// A setting that a codec accepts after its name: `--codec heic:preset=slow`.
public struct SettingSpecification: Sendable, Hashable, Codable {
  /// The values that a setting may have.
  public enum Values: Sendable, Hashable, Codable {
    case choice([String])
    case integer(ClosedRange<Int>)
    /// `true` or `false`; the key alone means `true`.
    case flag
    /// Any key with this prefix, its value checked by the codec (`validate`).
    case passThrough(prefix: String)
  }

  /// The key as spelled in `--codec`, or the prefix with a `*` for a pass-through.
  public var key: String
  /// The possible values.
  public var values: Values
  /// The value if the key is left out; empty for a pass-through.
  public var defaultValue: String
  /// The setting's effect, in a few words.
  public var summary: String
  /// True for a setting that is useless in SDR runs and on the view's page.
  public private(set) var isOfHDR = false
  /// The values of other settings that it requires, by key; empty if it always applies.
  public private(set) var needs: [String: [String]] = [:]

  /// Describes a setting.
  public init(key: String, values: Values, defaultValue: String, summary: String) {
    self.key = key
    self.values = values
    self.defaultValue = defaultValue
    self.summary = summary
  }

  /// The setting, marked as useful only in HDR runs.
  public var ofHDR: SettingSpecification {
    var setting = self
    setting.isOfHDR = true
    return setting
  }

  /// The setting, restricted to these values of another setting, as `tune` is to one encoder. A key may be specified
  /// several times, for different values.
  public func beside(_ key: String, _ values: String...) -> SettingSpecification {
    var setting = self
    setting.needs[key] = values
    return setting
  }

  /// A setting that is off by default.
  public static func flag(_ key: String, _ summary: String) -> SettingSpecification {
    .init(key: key, values: .flag, defaultValue: "false", summary: summary)
  }

  /// A setting with several possible words, one of which is the default.
  public static func choice(
    _ key: String, _ words: [String], _ usual: String, _ summary: String
  ) -> SettingSpecification {
    .init(key: key, values: .choice(words), defaultValue: usual, summary: summary)
  }

  /// A whole number within a range.
  public static func integer(
    _ key: String, _ range: ClosedRange<Int>, _ usual: String, _ summary: String
  ) -> SettingSpecification {
    .init(key: key, values: .integer(range), defaultValue: usual, summary: summary)
  }

  /// The allowed values in words: `420, 422 or 444`.
  public var allowedValues: String {
    switch values {
    case .choice(let words) where words.count > 1:
      words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    case .choice(let words): words.joined()
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .passThrough(let prefix): "\(prefix)KEY=VALUE"
    }
  }

  /// The canonical spelling of a value; nil if the setting does not accept it.
  public func canonical(_ value: String) -> String? {
    switch values {
    case .choice(let words): words.contains(value) ? value : nil
    case .integer(let range): Int(value).flatMap { range.contains($0) ? String($0) : nil }
    case .flag: ["true", "false"].contains(value) ? value : nil
    case .passThrough: value
    }
  }
}
