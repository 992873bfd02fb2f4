import Foundation
import Model
import SampleData
import Testing

@testable import Reports

struct NumeralsTests {
  @Test(
    "Fixed decimals",
    arguments: [
      (0.0, 2, "0.00"), (-0.001, 2, "0.00"), (2.5, 0, "3"), (-2.5, 0, "-3"), (1234.5678, 3, "1234.568"),
      (0.05, 1, "0.1"), (99.999, 2, "100.00"), (.infinity, 2, "inf"), (-.infinity, 2, "-inf"),
      (.nan, 2, "nan"), (1e17, 2, "1e+17"),
    ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(Numerals.fixed(value, decimals: decimals) == text)
  }

  @Test("Fixed decimals agree with printf, except for halves")
  func agreesWithPrintf() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let value = Double.random(in: -100_000...100_000, using: &generator)
      let ours = Double(Numerals.fixed(value, decimals: 5)) ?? .nan
      let theirs = Double(String(format: "%.5f", value)) ?? .nan
      #expect(abs(ours - theirs) <= 1.1e-5 && abs(ours - value) <= 0.51e-5)
    }
  }

  @Test(
    "Ratios have two digits",
    arguments: [
      (0.0123, "0.012"), (0.15, "0.15"), (2.44, "2.4"), (12.4, "12"), (99.4, "99"), (99.6, "100"),
      (152, "150"),
      (1249, "1,200"), (.infinity, "∞"),
    ])
  func writesRatios(value: Double, text: String) {
    #expect(Numerals.ratio(value) == text)
  }

  @Test("Needless zeros are left out, but none of an exponent")
  func short() {
    #expect([70, 72.5, 0.9985, 1.5e20].map(Numerals.short) == ["70", "72.5", "0.9985", "1.5e+20"])
  }

  @Test("Groups of thousands, with a real minus")
  func grouped() {
    #expect(Numerals.grouped(0) == "0")
    #expect(Numerals.grouped(999) == "999")
    #expect(Numerals.grouped(-1000) == "−1,000")
    #expect(Numerals.grouped(1_234_567) == "1,234,567")
    #expect(Numerals.grouped(1234.5, decimals: 2) == "1,234.50")
    #expect(Numerals.grouped(.infinity, decimals: 2) == "∞")
  }

  @Test("Signs")
  func signed() {
    #expect(Numerals.signed(3.46, decimals: 1) == "+3.5")
    #expect(Numerals.signed(-27.04, decimals: 1) == "−27.0")
    #expect(Numerals.signed(0.001, decimals: 1) == "0.0")
    #expect(Numerals.signed(-0.001, decimals: 1) == "0.0")
  }

  @Test("Counts of things")
  func counted() {
    #expect(Numerals.counted(0, "image") == "0 images")
    #expect(Numerals.counted(1, "image") == "1 image")
    #expect(Numerals.counted(1234, "image") == "1,234 images")
  }

  @Test func longTimesAndSizesAreRead() {
    #expect(Numerals.size(1.5e9) == "1.50 GB")
    #expect(Numerals.size(900) == "900 bytes")
    #expect(Numerals.duration(7200) == "2.0 hours")
    #expect(Numerals.duration(3) == "3.0 seconds")
  }

  @Test func scoresKeepTheirDigits() {
    #expect(MetricTraits.sampleSSIM.phrase(0.995) == "SSIM 0.995")
    #expect(MetricTraits.sampleSSIM.phrase(0.9985) == "SSIM 0.9985")
    #expect([70, 72.5, -0.25].map(Numerals.brief) == ["70", "72.5", "−0.25"])
    #expect([0.0123, 0.151, 0.997, 2.44, 44.4].map(Numerals.ratio) == ["0.012", "0.15", "1.0", "2.4", "44"])
  }

  @Test("the first of many names are listed, and the rest counted")
  func lists() {
    #expect(Numerals.listed([]).isEmpty && Numerals.listed(["a"]) == "a")
    #expect(Numerals.listed(["a", "b"]) == "a and b")
    #expect(Numerals.listed(["a", "b", "c", "d", "e", "f"]) == "a, b, c, d, e and f")
    #expect(Numerals.listed((1...96).map(String.init)) == "1, 2, 3, 4, 5 and 91 more")
  }
}
