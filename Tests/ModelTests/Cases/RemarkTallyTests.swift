import Model
import Pixels
import Testing

struct RemarkTallyTests {
  @Test func equalRemarksAreALine() {
    var tally = RemarkTally()
    for (index, name) in ["d.png", "b.png", "a.png", "c.png"].enumerated() {
      tally.add(["alpha flattened on #ffffff", "warnings while decoding: \(index + 1)"], on: name)
    }
    tally.add(["colours divided by alpha", "colours divided by alpha"], on: "x.heic")
    #expect(
      tally.lines == [
        "4 images: alpha flattened on #ffffff (a.png, b.png, c.png, …)",
        "4 images: warnings while decoding: 3, or similar (a.png, b.png, c.png, …)",
        "1 image: colours divided by alpha (x.heic)",
      ])
  }

  @Test func stepsThatLoseNothingAreNoRemarks() {
    var tally = RemarkTally()
    tally.add([ImageRecord.opaqueAlphaStep, ImageRecord.orientationStep(.right)], on: "a.jpg")
    #expect(tally.isEmpty)
  }

  @Test func strangersCannotFillTheScreen() {
    var tally = RemarkTally()
    for index in 0..<1000 {
      let word = String(index).map {
        "abcdefghij"[String.Index(utf16Offset: $0.wholeNumberValue ?? 0, in: "abcdefghij")]
      }
      tally.add([String(word)], on: "a\(index).jpg")
    }
    #expect(tally.lines.count == 101 && tally.lines[0].hasPrefix("900 images: other remarks (a100.jpg, "))
  }
}
