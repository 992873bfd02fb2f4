import Foundation
import Model
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Reports

struct ConversionReportTests {
  private func report() -> ConversionReport {
    var folder = ConversionFolder(
      name: "photos", formats: [.init(name: "jpeg", files: 40, bytes: 80_000_000)],
      unusable: ["broken.jpg"], sample: 6, seed: 7)
    for _ in 0..<3 {
      var file = FileContents()
      file.add(.exif, bytes: 1000)
      file.add(.gainMap, bytes: 50_000)
      folder.add(file, of: "jpeg")
    }
    var deep = FileContents()
    deep.add(.deepSamples, bytes: 0)
    folder.add(deep, of: "png")
    let sizes = [900_000, 1_100_000, 950_000, 1_200_000, 2_100_000, 1_000_000]
    var files = sizes.enumerated().map { number, bytes in
      TriedConversion(
        image: "\(number).jpg", fileBytes: 2_000_000, pixels: 12_000_000,
        outcome: .converted(bytes: bytes, seconds: 20), quality: Quality(thousandths: 450), score: 90.5)
    }
    let setting = Quality(thousandths: 450).map(ConversionSetting.quality)
    let sample = ConversionSample(of: files, count: 40, bytes: 80_000_000, pixels: 480e6)
    let lossy = ConversionProjection(
      CodecVariant(codec: "heic"), score: 90, setting: setting, files: files, sample: sample)
    files[0].outcome = .failed("killed by SIGSEGV")
    (files[0].quality, files[0].score) = (nil, nil)
    let other = ConversionProjection(
      CodecVariant(codec: "webp"), score: 90, setting: setting, files: files, sample: sample)
    let beyond = ConversionProjection(
      CodecVariant(codec: "avif"), score: 90, setting: .outOfReach,
      files: files.map { file in
        var file = file
        file.outcome = .outOfReach
        return file
      }, sample: sample)
    let lossless = ConversionProjection(
      CodecVariant(codec: "jxl", settings: ["recompress": "true"]), score: nil, files: [], sample: nil)
    return ConversionReport(folder: folder, projections: [lossy, other, beyond, lossless])
  }

  @Test func theAnswerIsToldWithItsInterval() {
    let text = report().text()
    #expect(
      text.hasPrefix(
        "Convert? HEIC: at 90: perhaps, saves 40 % (95 % interval 5 to 63 %); about three quarters of your files get smaller (5 of 6 "
          + "measured). WebP: at 90: perhaps, saves 31 % (95 % interval 0 to 56 %); about two thirds of your files get "
          + "smaller (4 of 6 measured). AVIF: at 90: no, fewer than nine in ten files reach that score. JPEG XL: without "
          + "loss: nothing could be measured. 6 of 40 files measured, 80.0 MB now.\n"),
      "\(text)")
    #expect(
      text.contains(
        "photos: 40 files, 80.0 MB (40 jpeg 80.0 MB). Projected from 6 files drawn at random (seed 7)."))
    #expect(text.contains("heicbench cannot read 1 file: broken.jpg"))
    // 7,150,000 of 12,000,000 bytes, counting only files that become smaller.
    #expect(text.contains(" 47.7 ") && text.contains(" 5 of 6 "), "\(text)")
    #expect(
      text.contains(
        "AVIF at SSIMULACRA2 90: 6 of 6 measured files do not reach it at any quality (0.jpg, 1.jpg, 2.jpg, 3.jpg, 4.jpg "
          + "and 5.jpg). Set a --score below 90, or keep your files."), "\(text)")
    #expect(text.contains("Failed: “0.jpg” with webp: killed by SIGSEGV"))
    #expect(text.contains("JPEG XL without loss: nothing could be measured."))
  }

  @Test func theAnswerNamesWhatToSet() {
    let report = report()
    #expect(
      report.text().contains("HEIC at SSIMULACRA2 90: heif-enc -q 45. All 6 measured files reach it."),
      "\(report.text())")
    #expect(report.text().contains("90 = no visible difference even when flickering, 85"))
    var files = report.projections[0].files
    files[1].score = 89.4
    func row(isTold: Bool) -> ConversionProjection {
      ConversionProjection(
        CodecVariant(codec: "heic"), score: 90, setting: report.projections[0].setting, isTold: isTold,
        files: Array(files[..<3]), sample: nil)
    }
    func text(isTold: Bool) -> String {
      let heic = row(isTold: isTold)
      return ConversionReport(
        folder: report.folder, projections: [heic], isProjected: false, wasInterrupted: !isTold
      ).text()
    }
    let told = text(isTold: true)
    #expect(
      told.hasPrefix(
        "Convert? At 90: yes, saves 51 %; all files get smaller. HEIC; 3 files measured so far, 6.0 MB now."),
      "\(told)")
    #expect(
      told.contains(
        "HEIC at SSIMULACRA2 90: heif-enc -q 45. 2 of 3 measured files reach it; lowest: 1.jpg, 89.4."),
      "\(told)")
    #expect(told.contains("Stopped early: the figures cover only the 3 files done so far."))
    #expect(!told.contains("interval") && !text(isTold: false).contains("heif-enc -q"))
    #expect(row(isTold: true).quality == 0.45 && row(isTold: false).quality == nil)
    #expect(told.contains("2 of 3") && !text(isTold: false).contains("2 of 3"))
  }

  /// 3 of 40 files are done, whichever of the rows has an answer.
  @Test func bytesNowAreThoseOfTheMeasuredFiles() {
    let files = Array(report().projections[0].files[..<3])
    let beyond = ConversionProjection(
      CodecVariant(codec: "avif"), score: 90, setting: .outOfReach, files: files, sample: nil)
    let lossy = ConversionProjection(CodecVariant(codec: "heic"), score: 90, files: files, sample: nil)
    for rows in [[beyond, lossy], [beyond]] {
      let answer = ConversionReport(folder: report().folder, projections: rows, isProjected: false).answer
      #expect(answer.hasSuffix("3 files measured so far, 6.0 MB now."), "\(answer)")
    }
  }

  @Test func aSampleThatMissesKindsIsARoughGuess() {
    let files = report().projections[0].files
    var sample = ConversionSample(of: files, count: 40, bytes: 80_000_000, pixels: 480e6)
    func text() -> String {
      let row = ConversionProjection(CodecVariant(codec: "heic"), score: 90, files: files, sample: sample)
      return ConversionReport(folder: report().folder, projections: [row]).text()
    }
    #expect(text().contains("(95 % interval ") && !text().contains("rough"), "\(text())")
    sample.isRough = true
    #expect(text().contains(" (a rough guess, ") && !text().contains("95 % interval"), "\(text())")
    #expect(text().contains("rough: −") && text().contains("Measure more with --sample."), "\(text())")
  }

  /// Both kinds of chroma are named if the requested settings allow either.
  @Test func theBetterChromaIsNamed() throws {
    let whole = try #require(CodecVariant(codec: "heic").withFullChroma)
    var row = ConversionProjection(
      whole, score: 90, setting: Quality(thousandths: 670).map(ConversionSetting.quality),
      files: report().projections[0].files, sample: nil)
    row.hasRival = true
    let lower = ConversionProjection(
      CodecVariant(codec: "heic"), score: 80,
      setting: Quality(thousandths: 510).map(ConversionSetting.quality),
      files: row.files, sample: nil)
    let text = ConversionReport(folder: report().folder, projections: [lower, row]).text()
    #expect(text.contains("At 90 with full chroma: yes"), "\(text)")
    #expect(text.contains("HEIC; 6 of 40 files"), "\(text)")
    #expect(text.contains("heif-enc -q 67 -p chroma=444."))
    #expect(text.contains("full chroma is better here than halved."))
  }

  @Test func filesWithoutLossHaveNoScoreAndNoQuality() throws {
    let files = report().projections[0].files.map { file in
      var file = file
      (file.quality, file.score) = (nil, nil)
      return file
    }
    let rows = ["lossless", "recompress"].map {
      ConversionProjection(
        CodecVariant(codec: "jxl", settings: [$0: "true"]), score: nil, files: files, sample: nil)
    }
    let text = ConversionReport(folder: report().folder, projections: rows, isProjected: false).text()
    #expect(
      text.hasPrefix(
        "Convert? JPEG XL (lossless=true): without loss: yes, saves 40 %; 5 of 6 files get smaller. JPEG XL: without loss: "
          + "yes, saves 40 %"), "\(text)")
    #expect(!text.contains("quality") && !text.contains("Score guide"), "\(text)")
  }

  private func answer(_ score: Double, saves percent: Int, measured: Int = 5) -> String {
    let files = (0..<measured).map { number in
      TriedConversion(
        image: "\(number)", fileBytes: 1000, pixels: 1000,
        outcome: .converted(bytes: 1000 - 10 * percent, seconds: 1))
    }
    let folder = ConversionFolder(
      name: "photos", formats: [.init(name: "jpeg", files: 5, bytes: 5000)], sample: 5, seed: 1)
    let sample = ConversionSample(of: files, count: 5, bytes: 5000, pixels: 5000)
    let row = ConversionProjection(CodecVariant(codec: "heic"), score: score, files: files, sample: sample)
    return ConversionReport(folder: folder, projections: [row]).answer
  }

  @Test(
    "the answer is yes if the saving is worth it, with a warning about visible loss",
    arguments: [
      (90, 3, "At 90: no, saves 3.0 %; all files get smaller."),
      (90, 12, "At 90: yes, saves 12 %; all files get smaller."),
      (
        80, 67,
        "At 80: yes, saves 67 %; all files get smaller; no visible difference side by side, perhaps one when flipping between the two."
      ),
      (85, 67, "At 85: yes, saves 67 %; all files get smaller; only flickering shows a difference."),
      (70, 67, "At 70: yes, saves 67 %; all files get smaller; some people see a difference side by side."),
      (60, 67, "At 60: yes, saves 67 %; all files get smaller; many people see a difference."),
      (80, 3, "At 80: no, saves 3.0 %; all files get smaller."),
      (90, -5, "At 90: no, no file gets smaller."),
    ])
  func verdicts(score: Double, percent: Int, verdict: String) {
    #expect(answer(score, saves: percent) == "Convert? \(verdict) HEIC; all 5 files measured, 5.0 kB now.")
  }

  @Test func fewOfTheFilesSayPerhapsAtMost() {
    #expect(
      answer(80, saves: 67, measured: 3).hasPrefix(
        "Convert? At 80: perhaps, saves 67 % (too few files for an interval); all 3 measured files get smaller"
      ))
    #expect(
      answer(90, saves: -5, measured: 3).hasPrefix(
        "Convert? At 90: probably not, none of 3 measured files gets smaller."))
  }

  /// A large file that was certain to be drawn stands only for itself, but it is one of the measured files.
  @Test func oneFileThatDoesNotShrinkIsNotForgotten() {
    let files = (0..<6).map { number in
      TriedConversion(
        image: "\(number)", fileBytes: number == 0 ? 1_000_000_000 : 1_000_000, pixels: 1000,
        outcome: .converted(bytes: number == 0 ? 1_100_000_000 : 500_000, seconds: 1))
    }
    let sample = ConversionSample(
      files: Array(files.indices), chances: [0.2] + Array(repeating: 0.0001, count: 5), draws: 6, count: 5001,
      bytes: 6_000_000_000, pixels: 5_001_000)
    let folder = ConversionFolder(
      name: "photos", formats: [.init(name: "jpeg", files: 5001, bytes: 6_000_000_000)], sample: 6, seed: 1)
    let row = ConversionProjection(CodecVariant(codec: "heic"), score: 90, files: files, sample: sample)
    let answer = ConversionReport(folder: folder, projections: [row]).answer
    #expect(row.smallerShare > 0.999)
    #expect(answer.contains("most of your files get smaller (5 of 6 measured)"), "\(answer)")
  }

  /// Failed encodes do not show that files would not get smaller.
  @Test func filesThatFailAreNoAnswer() {
    func text(_ outcomes: [TriedConversion.Outcome]) -> String {
      let files = outcomes.enumerated().map { number, outcome in
        TriedConversion(image: "\(number)", fileBytes: 1000, pixels: 1000, outcome: outcome)
      }
      let folder = ConversionFolder(
        name: "photos", formats: [.init(name: "jpeg", files: 3, bytes: 3000)], sample: 3, seed: 1)
      let row = ConversionProjection(
        CodecVariant(codec: "heic"), score: 90, files: files,
        sample: ConversionSample(of: files, count: 3, bytes: 3000, pixels: 3000))
      return ConversionReport(folder: folder, projections: [row]).text()
    }
    let (failed, larger) = (
      TriedConversion.Outcome.failed("it took too long"),
      TriedConversion.Outcome.converted(bytes: 1200, seconds: 1)
    )
    for outcome in [failed, .impossible("there is no encoder")] {
      let none = text([outcome, outcome, outcome])
      #expect(none.hasPrefix("Convert? At 90: no file could be converted. HEIC; "), "\(none)")
      #expect(!none.contains("Keep your files"), "\(none)")
    }
    let one = text([failed, larger, failed])
    #expect(
      one.hasPrefix("Convert? At 90: probably not, none of 1 measured file gets smaller. HEIC; "), "\(one)")
    #expect(text([larger, larger, larger]).hasPrefix("Convert? At 90: no, no file gets smaller. HEIC; "))
  }

  @Test func figuresByTheFastSettingsSaySo() {
    func row(_ asked: Int) -> ConversionProjection {
      let files = (0..<8).map { number in
        var file = TriedConversion(
          image: "\(number)", fileBytes: 1000, pixels: 1000,
          outcome: .converted(bytes: number < asked ? 440 : 400, seconds: 1))
        (file.isQuick, file.quickBytes) = (number >= asked, number < asked ? 400 : nil)
        return file
      }
      return ConversionProjection(
        CodecVariant(codec: "heic"), score: 90, files: files,
        sample: ConversionSample(of: files, count: 8, bytes: 8000, pixels: 8000),
        quick: CodecVariant(codec: "heic", settings: ["preset": "ultrafast"]))
    }
    let folder = ConversionFolder(
      name: "photos", formats: [.init(name: "jpeg", files: 8, bytes: 8000)], sample: 8, seed: 1)
    func report(_ asked: Int) -> ConversionReport {
      ConversionReport(folder: folder, projections: [row(asked)], wasInterrupted: asked < 8)
    }
    #expect(
      report(4).answer.contains("saves 60 %; all files get smaller. HEIC (preset=ultrafast); all 8 files"),
      "\(report(4).answer)")
    #expect(report(4).text().contains("the figures at 90 are estimates for HEIC (preset=ultrafast)."))
    // With five files or more, the results of those correct the others' bytes.
    #expect(
      report(5).answer.contains("saves 56 %; all files get smaller. HEIC; all 8 files"), "\(report(5).answer)"
    )
    #expect(report(5).text().contains("At 90, 3 of 8 files had not yet been encoded at the quality to set."))
    #expect(!report(8).text().contains("ultrafast"))
  }

  @Test(arguments: [60, 80, 120]) func noTableIsWiderThanTheTerminal(width: Int) {
    let tables = report().text(width: width).split(separator: "\n").filter { $0.contains("   ") }
    #expect(tables.count > 6 && tables.allSatisfy { $0.count <= width }, "\(tables)")
  }

  @Test func whatIsLostIsToldForEachTool() {
    let lines = report().text().split(separator: "\n").map(String.init)
    let gain = lines.first { $0.hasPrefix("gain maps (HDR)") }
    #expect(gain?.contains("150,000") == true)
    #expect(
      gain?.components(separatedBy: "lost").count == 4 && gain?.hasSuffix("kept") == true, "\(gain ?? "")")
    #expect(lines.contains { $0.hasPrefix("Exif metadata") && $0.contains("with -metadata all") })
    #expect(lines.contains { $0.hasPrefix("more than 8 bits") && $0.contains("10 bits") })
  }

  @Test func theJSONIsWhatTheSchemaSays() throws {
    let checked = try JSONSchema(of: "convert_check")
    let document = try JSONSerialization.jsonObject(with: Data(report().json.utf8))
    #expect(checked.problems(of: document).isEmpty, "\(checked.problems(of: document))")
    #expect(!checked.problems(of: ["format": "heicbench-results"]).isEmpty)
  }
}
