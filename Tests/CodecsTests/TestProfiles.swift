import Model
import Pixels

@testable import Codecs

/// Profiles that are not sRGB.
enum TestProfiles {
  static let displayP3 = ColorProfiles.profile(primaries: 12, transfer: 13, for: .rgb)
  static let linearGray = ColorProfiles.profile(primaries: 1, transfer: 8, for: .gray)
}
