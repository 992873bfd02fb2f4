/// Changes of a codec's settings that are worth trying, for fewer bytes at equal quality or for less time, alone and
/// together with others.
public struct SettingTrial: Sendable, Hashable, Codable {
  /// The purpose of the changes, in a few words.
  public var purpose: String
  /// Alternatives, each as `--codec` spells settings: `depth=10`, or `chroma=444,chroma-offset=2` for two at once.
  public var changes: [String]
  /// True for speed settings, which trade time for size: each of these is tried with the other settings that were
  /// found, fastest first.
  public var isSpeed: Bool

  /// Creates a trial with alternatives for one purpose.
  public init(_ purpose: String, _ changes: [String], isSpeed: Bool = false) {
    (self.purpose, self.changes, self.isSpeed) = (purpose, changes, isSpeed)
  }
}
