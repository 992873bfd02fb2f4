import Testing

@testable import Workers

@Suite struct ExternalScorerTests {
  @Test(arguments: [
    ("64.553", 64.553), ("score: 1.2e-3\n", 0.0012), ("PSNR 30, SSIM 0.92.\n", 0.92), ("-7\nok done", -7),
    ("1 2 3 the end", 3),
  ]) func takesTheLastNumber(_ text: String, _ number: Double) {
    #expect(ExternalScorer.score(in: Array(text.utf8)) == .number(number))
  }

  @Test(arguments: ["", "nothing here", "e", "--"]) func findsNoNumber(_ text: String) {
    #expect(ExternalScorer.score(in: Array(text.utf8)) == .nothing)
  }

  @Test(arguments: [
    ("inf nan", "nan"), ("3-norm: 1.2\nscore: -nan\n", "-nan"), ("5 1e400", "1e400"),
    ("7 Infinity.", "Infinity."),
  ]) func refusesWhatIsNotFinite(_ text: String, _ word: String) {
    #expect(ExternalScorer.score(in: Array(text.utf8)) == .notFinite(word))
  }
}
