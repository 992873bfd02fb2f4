import Testing

@testable import Pixels

struct ICCProfileTests {
  /// Little CMS takes the table of the rendering intent, whatever curves and matrix a profile has beside it.
  @Test(arguments: ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1"])
  func aProfileWithATableIsNotSRGB(tag: String) {
    // Noncopyable values do not go through `#require`.
    guard let plain = ICCProfile.sRGB(), let other = ICCProfile.sRGB() else {
      Issue.record("no profile")
      return
    }
    let isAdded = other.addTag(tag, [0, 0, 0, 0])
    #expect(isAdded)
    let (isSRGB, staysSRGB) = (plain.isSRGB, other.isSRGB)
    #expect(isSRGB && !staysSRGB)
  }
}
