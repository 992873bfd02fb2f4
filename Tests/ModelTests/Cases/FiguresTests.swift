import Model
import Testing

struct FiguresTests {
  @Test func scoresOfAnotherEncodeOfTheSameSizeAreNotKept() {
    var earlier = Figures(format: "jpeg", fileBytes: 100, width: 8, height: 8, touchedBytes: 100)
    earlier[.plain] = 90
    var again = earlier
    earlier.scores["ssim"] = 0.5
    again.keepScores(of: earlier)
    #expect(again.scores["ssim"] == 0.5)
    var other = again
    other.scores = [:]
    other[.plain] = 90.1
    other.keepScores(of: earlier)
    #expect(other.scores["ssim"] == nil)
  }
}
