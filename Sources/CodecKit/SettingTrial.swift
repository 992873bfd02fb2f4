/// Changes of a codec's settings that are worth trying, for fewer bytes at equal quality or for less time, each by itself
/// and together with others.
public struct SettingTrial: Sendable, Hashable, Codable {
  /// The purpose of the changes, in a few words for people.
  public var purpose: String
  /// Alternatives, each as `--codec` spells settings: `depth=10`, or `chroma=444,chroma-offset=2` for two at once.
  public var changes: [String]
  /// True for the trade of time for size: every one of these is tried with the other settings that were found, from the
  /// fastest on.
  public var isSpeed: Bool

  /// Names alternatives for one purpose.
  public init(_ purpose: String, _ changes: [String], isSpeed: Bool = false) {
    (self.purpose, self.changes, self.isSpeed) = (purpose, changes, isSpeed)
  }
}
