import Metrics
import Model
import Pixels
import Reports
import Testing

@testable import Analysis
@testable import Commands
@testable import HeicBenchKit

@Suite("Progress")
struct ProgressLineTests {
  @Test("a line has the progress, the speed and the time left")
  func line() {
    let progress = SweepProgress(
      total: 480, done: 240, failed: 2, skipped: 40, imageProblems: 1, elapsed: 16, remaining: 21)
    #expect(
      ProgressLine.text(progress)
        == "50 %  240 encodes  12.5/s  0:21 left  2 failed  1 unusable image")
    #expect(ProgressLine.bar(progress, columns: 80).hasPrefix("[#####.....] 50 %") == false)
    #expect(ProgressLine.bar(progress, columns: 100).hasPrefix("[############............] 50 %"))
  }

  private func saving(_ codec: String, _ mean: Double, images: Int = 12) -> Saving {
    let ends = ConfidenceInterval(lower: mean - 5, upper: mean + 4, method: .studentT)
    let extreme = NamedFigure(image: "a", value: mean)
    let figure = CorpusFigure(
      images: images, outOf: 24, mean: mean, interval: ends, median: mean, best: extreme, worst: extreme)
    let verdict = Verdict(
      variant: CodecVariant(codec: codec), reference: CodecVariant(codec: "jpeg"), direction: .saves,
      target: 70, bytes: figure)
    let analysis = Analysis(variants: [], metrics: MetricTraits.standard)
    return Saving(verdict, Wording(analysis))
  }

  @Test(
    "the line shows the headline so far, if there is room", arguments: [40, 60, 72, 80, 100, 120])
  func headline(columns: Int) {
    var progress = SweepProgress(total: 480, done: 240, skipped: 40, elapsed: 16, remaining: 21)
    progress.share = 0.375
    let line = ProgressLine.bar(progress, [saving("heic", -30.4)], columns: columns)
    #expect(line.count < columns)
    #expect(line.contains("37 %") && line.contains(" 240 "))
    if columns >= 80 {
      #expect(line.contains("at 70: HEIC −30 % (−35 to −26), 12/24 images"), "\(line)")
    } else {
      #expect(line.contains("HEIC −30 %"), "\(line)")
    }
    let log = ProgressLine.text(progress, [saving("heic", -30.4)])
    #expect(log.hasSuffix("0:21 left  at 70: HEIC −30 % (−35 to −26), 12/24 images"))
  }

  @Test("many codecs are listed in order, without intervals where there is no room")
  func manyHeadlines() {
    let progress = SweepProgress(total: 480, done: 240, elapsed: 16, remaining: 21)
    let headline = [saving("heic", -30), saving("avif", -40), saving("webp", -20)]
    func line(_ columns: Int) -> String { ProgressLine.bar(progress, headline, columns: columns) }
    #expect(
      line(160).hasSuffix(
        "at 70: AVIF −40 % (−45 to −36) · HEIC −30 % (−35 to −26) · WebP −20 % (−25 to −16), 12/24 images"))
    #expect(line(80).hasSuffix("at 70: AVIF −40, HEIC −30, WebP −20 %") && line(80).count < 80, "\(line(80))")
    #expect(line(50).hasSuffix("at 70: AVIF −40 % …") && line(50).count < 50, "\(line(50))")
    #expect(ProgressLine.text(progress, headline).contains("· WebP −20 %"))
  }

  @Test("the outlook of a sweep, and how to shorten it")
  func outlook() {
    var outlook = SweepOutlook(
      SweepPlan(
        entries: (0..<24).map { index in
          CorpusEntry(
            identity: ImageIdentity(name: "\(index)", contentHash: ""), path: [], fileBytes: 0,
            header: ImageHeader(
              format: "png", width: 4000, height: 3000, bitDepth: 8, layout: .rgb, isLossy: false))
        },
        variants: ["jpeg", "heic"].map {
          VariantDescription(variant: CodecVariant(codec: $0), libraries: [], threads: 1)
        }, qualities: [0.3, 0.5], preparation: Preparation(), metrics: []), jobs: 2)
    #expect(
      OutlookText.plan(outlook)
        == "24 images (288.0 MP) with jpeg and heic at 2 qualities: 96 encodes"
    )
    #expect(OutlookText.time(outlook) == nil)
    var progress = SweepProgress(total: 96, done: 8, skipped: 5, elapsed: 3, remaining: 600)
    progress.cpuRemaining = 900
    let estimated = outlook.firstEstimate(progress)
    #expect(outlook.firstEstimate(progress) == nil, "it is printed once")
    #expect(
      estimated.flatMap(OutlookText.time)
        == "about 10:00 with 2 workers, 15.0 CPU minutes. To save time: --budget 1m or "
        + "Ctrl-C stops with the answer so far; --limit 6 takes about 2:30; --downscale 2 "
        + "about 2:30")
  }

  @Test("the outlook of a sweep of shrunk images with a budget")
  func shrunkOutlook() {
    let entry = CorpusEntry(
      identity: ImageIdentity(name: "a", contentHash: ""), path: [], fileBytes: 0,
      header: ImageHeader(
        format: "png", width: 4000, height: 3000, bitDepth: 8, layout: .rgb, isLossy: false))
    var plan = SweepPlan(
      entries: [entry],
      variants: [VariantDescription(variant: CodecVariant(codec: "jpeg"), libraries: [], threads: 1)],
      qualities: [0.5], preparation: Preparation(downscale: 2), metrics: [])
    var outlook = SweepOutlook(plan, jobs: 1)
    #expect(OutlookText.plan(outlook).hasPrefix("1 image (3.0 MP) with jpeg"))
    outlook.seconds = 100
    #expect(OutlookText.time(outlook)?.hasSuffix("; --downscale 4 about 0:25") == true)
    plan.preparation.downscale = 1
    outlook = SweepOutlook(plan, jobs: 1, budget: 60)
    outlook.seconds = 100
    #expect(OutlookText.time(outlook) == "about 1:40 with 1 worker; stops after 1:00 (--budget)")
    outlook.seconds = 50
    #expect(OutlookText.time(outlook) == "about 0:50 with 1 worker")
  }

  @Test(
    "times, as people write them",
    arguments: [("90s", 90), ("2m", 120), ("1.5h", 5400), ("1h30m", 5400), ("45", 45), ("1D", 86_400)])
  func parsesTimeSpans(text: String, seconds: Double) {
    #expect(TimeSpan(text)?.seconds == seconds)
  }

  @Test(
    "texts that are not durations are refused",
    arguments: ["", "m", "0", "-5", "5x", "1m30", "nan", "inf", "infs", "1e400", "400d", "2 m m"])
  func refusesOtherTimeSpans(text: String) { #expect(TimeSpan(text) == nil) }

  @Test("a line without a time left says so after a while")
  func saysThatTheTimeIsNotKnown() {
    var progress = SweepProgress(total: 480, done: 3, elapsed: 2)
    #expect(ProgressLine.text(progress) == "0 %  3 encodes  1.5/s")
    progress.elapsed = 30
    #expect(ProgressLine.text(progress) == "0 %  3 encodes  0.1/s  estimating")
  }

  @Test("an empty plan is finished")
  func empty() {
    let progress = SweepProgress(
      total: 0, done: 0, failed: 0, skipped: 0, imageProblems: 0, elapsed: 0, remaining: nil)
    #expect(ProgressLine.text(progress) == "100 %  0 encodes")
  }

  @Test(
    "durations",
    arguments: [
      (0.4, "0:00"), (61, "1:01"), (3723, "1:02:03"), (500_000, "6 days"), (Double.nan, "a long time"),
      (-1, "a long time"), (1e300, "a long time"),
    ])
  func writesDurations(seconds: Double, text: String) {
    #expect(ProgressLine.duration(seconds) == text)
  }

  @Test("a late thread prints nothing and does no harm")
  func lateThread() {
    let reporter = ProgressReporter(isQuiet: false, isTerminal: false, at: 20)
    var shown: [Int64] = []
    for time: Int64 in [20, 10, 5_000_000_019, 5_000_000_020, 15] {
      reporter.show(at: time) {
        shown.append(time)
        return "a line of a test"
      }
    }
    #expect(shown == [5_000_000_020])
  }
}
