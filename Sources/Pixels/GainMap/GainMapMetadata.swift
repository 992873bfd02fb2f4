import Foundation

/// The rendition that a gain map makes from its base picture, in ISO 21496-1's terms. Headrooms and gains are in stops,
/// log2 of linear light with 1 for SDR white.
package struct GainMapMetadata: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case iso = "ISO 21496-1"
    /// Adobe's and Google's XMP, with ISO's formula.
    case ultraHDR = "Ultra HDR"
    /// Apple's auxiliary image, with its own formula.
    case apple = "Apple"
  }

  package struct Channel: Sendable, Hashable {
    /// Gains of a zero sample and of a full sample.
    package var minimum = 0.0
    package var maximum = 1.0
    /// The exponent by which the map's samples were coded; decoders apply its inverse.
    package var gamma = 1.0
    /// Added to the base's light before the gain.
    package var baseOffset = 1.0 / 64
    /// Subtracted from the other rendition's light after the gain.
    package var alternateOffset = 1.0 / 64

    package init() {}
  }

  /// The largest gain, headroom and offset, far beyond any display.
  private static let largest = 64.0

  package let kind: Kind
  /// The channels red, green and blue.
  package let channels: [Channel]
  /// The headroom at which the base is shown unchanged.
  package let baseHeadroom: Double
  /// The headroom from which the other rendition is shown.
  package let alternateHeadroom: Double
  /// False if gains are meant for the primaries of the other rendition.
  package let usesBaseColours: Bool

  /// Throws with the name of the first impossible value.
  /// - Parameter channels: Three, or one for all.
  package init(
    _ kind: Kind, channels: [Channel], baseHeadroom: Double, alternateHeadroom: Double,
    usesBaseColours: Bool = true
  ) throws(PixelError) {
    (self.kind, self.usesBaseColours) = (kind, usesBaseColours)
    self.channels = channels.count == 3 ? channels : Array(repeating: channels.first ?? Channel(), count: 3)
    (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
    for channel in self.channels {
      let values = [
        ("minimum", channel.minimum), ("maximum", channel.maximum), ("gamma", channel.gamma),
        ("base offset", channel.baseOffset), ("alternate offset", channel.alternateOffset),
      ]
      for (name, value) in values { try Self.check(value, name) }
      guard channel.gamma > 0 else { throw PixelError("the gain map's gamma is \(channel.gamma)") }
      guard channel.minimum <= channel.maximum else {
        throw PixelError("the gain map's minimum is above its maximum")
      }
    }
    for (name, value) in [("base headroom", baseHeadroom), ("alternate headroom", alternateHeadroom)] {
      try Self.check(value, name)
      guard value >= 0 else { throw PixelError("the gain map's \(name) is below 0") }
    }
  }

  private static func check(_ value: Double, _ name: String) throws(PixelError) {
    guard value.isFinite else { throw PixelError("the gain map's \(name) is not finite") }
    guard abs(value) <= largest else { throw PixelError("the gain map's \(name) is above \(Int(largest))") }
  }

  /// The headroom of the brighter rendition.
  package var maximumHeadroom: Double { max(baseHeadroom, alternateHeadroom) }

  /// The share of the gains to apply for a display's headroom, −1 to 1: 0 for the unchanged base, negative if the base
  /// is the brighter rendition.
  package func weight(at headroom: Double) -> Double {
    guard alternateHeadroom != baseHeadroom else { return 0 }
    let share = min(max((headroom - baseHeadroom) / (alternateHeadroom - baseHeadroom), 0), 1)
    return alternateHeadroom < baseHeadroom ? -share : share
  }
}
