import Testing

@testable import Pixels

@Suite struct ICCDescriptionTests {
  /// A profile with only a description.
  private func profile(_ tag: [UInt8]) -> [UInt8] {
    [UInt8](repeating: 0, count: 128) + number(1) + Array("desc".utf8) + number(144) + number(tag.count) + tag
  }

  private func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private func version2(_ text: String) -> [UInt8] {
    Array("desc\0\0\0\0".utf8) + number(text.utf8.count + 1) + Array(text.utf8) + [0]
  }

  private func version4(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return Array("mluc\0\0\0\0".utf8) + number(1) + number(12) + Array("enUS".utf8) + number(units.count)
      + number(28) + units
  }

  @Test func bothFormsAreRead() {
    #expect(ColorProfile.icc(profile(version2("Adobe RGB (1998)"))).title == "Adobe RGB (1998)")
    #expect(ColorProfile.icc(profile(version4("Größe P3"))).title == "Größe P3")
  }

  @Test func whatIsMissingHasANameAllTheSame() {
    #expect(ColorProfile.sRGB.title == "sRGB")
    #expect(ColorProfile.icc([]).title == "ICC profile")
    #expect(ColorProfile.icc(profile(version2(""))).title == "ICC profile")
    #expect(ColorProfile.icc(profile(version2("\u{1}\n"))).title == "ICC profile")
  }

  @Test func longTextsAreCut() {
    #expect(ColorProfile.icc(profile(version2(String(repeating: "x", count: 500)))).title.count == 80)
  }

  @Test func noLengthOrOffsetIsBelieved() {
    var titles: Set<String> = []
    for whole in [profile(version2("name")), profile(version4("name"))] {
      for length in 0..<whole.count { titles.insert(ColorProfile.icc(Array(whole.prefix(length))).title) }
      for position in 128..<whole.count {
        var damaged = whole
        for value in [0, 0x7F, 0xFF] as [UInt8] {
          damaged[position] = value
          titles.insert(ColorProfile.icc(damaged).title)
        }
      }
    }
    #expect(titles.count > 2 && titles.allSatisfy { (1...80).contains($0.count) })
  }
}
