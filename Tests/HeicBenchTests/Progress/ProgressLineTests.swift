import Model
import Testing

@testable import heicbench

@Suite("Progress")
struct ProgressLineTests {
  @Test("a line says how far, how fast, how long")
  func line() {
    let progress = SweepProgress(
      total: 480, done: 240, failed: 2, skipped: 40, imageProblems: 1, elapsed: 16, remaining: 21)
    #expect(
      ProgressLine.text(progress)
        == "50 %  240/480 points  12.5/s  0:21 left  2 failed  1 unusable image")
    #expect(ProgressLine.bar(progress, width: 4).hasPrefix("[##..] 50 %"))
  }

  @Test("an empty plan is done")
  func empty() {
    let progress = SweepProgress(
      total: 0, done: 0, failed: 0, skipped: 0, imageProblems: 0, elapsed: 0, remaining: nil)
    #expect(ProgressLine.text(progress) == "100 %  0/0 points")
  }

  @Test(
    "durations",
    arguments: [
      (0.4, "0:00"), (61, "1:01"), (3723, "1:02:03"), (500_000, "6 days"), (Double.nan, "a long time"),
      (-1, "a long time"), (1e300, "a long time"),
    ])
  func durations(seconds: Double, text: String) {
    #expect(ProgressLine.duration(seconds) == text)
  }
}
