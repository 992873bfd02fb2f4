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
    let kind = FileKind(count: 40, bytes: 80_000_000, pixels: 480e6)
    let sizes = [900_000, 1_100_000, 950_000, 1_200_000, 2_100_000, 1_000_000]
    var files = sizes.enumerated().map { number, bytes in
      TriedConversion(
        image: "\(number).jpg", fileBytes: 2_000_000, pixels: 12_000_000,
        outcome: .converted(bytes: bytes, seconds: 20), quality: Quality(thousandths: 450), score: 90.5)
    }
    let lossy = ConversionProjection(
      CodecVariant(codec: "heic"), score: 90, files: files, kinds: [kind])
    files[0].outcome = .failed("killed by SIGSEGV")
    files[1].outcome = .outOfReach
    let other = ConversionProjection(
      CodecVariant(codec: "webp"), score: 90, files: files, kinds: [kind])
    let lossless = ConversionProjection(
      CodecVariant(codec: "jxl", settings: ["recompress": "true"]), score: nil, files: [], kinds: [kind])
    return ConversionReport(folder: folder, projections: [lossy, other, lossless])
  }

  @Test func theAnswerIsToldWithItsInterval() {
    let text = report().text()
    #expect(
      text.hasPrefix(
        "Convert? HEIC: at 90 yes: 40 % less (95 % interval 21 to 60 %). WebP: at 90 perhaps: 24 % less (95 % interval 0 to "
          + "49 %). JPEG XL: without loss nothing could be measured. 6 of 40 files, 80.0 MB now.\n"),
      "\(text)")
    #expect(
      text.contains(
        "photos: 40 files, 80.0 MB (40 jpeg 80.0 MB). 6 files drawn by chance (seed 7) were measured"))
    #expect(text.contains("1 file that cannot be read left out: broken.jpg"))
    // 7,150,000 of 12,000,000 bytes where smaller.
    #expect(
      text.contains(
        "HEIC at SSIMULACRA2 90: converting what gets smaller (5 of 6 measured files) leaves 47.7 MB"))
    #expect(text.contains("40 % fewer bytes, 95 % interval −6"), "\(text)")
    #expect(text.contains("13.3 minutes of CPU time to encode"))
    #expect(text.contains("WebP does not reach 90 with 1 measured file, which stays as it is."))
    #expect(text.contains("Failed: “0.jpg” with webp: killed by SIGSEGV"))
    #expect(text.contains("JPEG XL without loss: nothing could be measured."))
  }

  @Test func theAnswerNamesWhatToSet() {
    var report = report()
    #expect(report.text().contains("It takes quality 0.45: heif-enc -q 45."), "\(report.text())")
    #expect(report.text().contains("notices at 1:1: 90 nothing in a flicker test, 85"))
    var files = report.projections[0].files
    for (index, thousandths) in [300, 520, 610].enumerated() {
      files[index].quality = Quality(thousandths: thousandths)
    }
    let heic = ConversionProjection.soFar(CodecVariant(codec: "heic"), score: 90, files: Array(files[..<3]))
    report = ConversionReport(
      folder: report.folder, projections: [heic].compactMap { $0 }, isProjected: false, wasInterrupted: true)
    let text = report.text()
    #expect(text.hasPrefix("Convert? At 90 yes: 51 % less. HEIC; 3 files so far, 6.0 MB now."), "\(text)")
    #expect(text.contains("It takes quality 0.52 (0.30 to 0.61): heif-enc -q 52."), "\(text)")
    #expect(text.contains("Stopped early: the figures are of the 3 files done by then"))
    #expect(text.contains("(3 of 3 measured files) leaves 3.0 MB of 6.0 MB"), "\(text)")
    #expect(!text.contains("interval"))
  }

  private func answer(_ score: Double, saves percent: Int, measured: Int = 5) -> String {
    let files = (0..<measured).map { number in
      TriedConversion(
        image: "\(number)", fileBytes: 1000, pixels: 1000,
        outcome: .converted(bytes: 1000 - 10 * percent, seconds: 1))
    }
    let folder = ConversionFolder(
      name: "photos", formats: [.init(name: "jpeg", files: 5, bytes: 5000)], sample: 5, seed: 1)
    let kind = FileKind(count: 5, bytes: 5000, pixels: 5000)
    let row = ConversionProjection(CodecVariant(codec: "heic"), score: score, files: files, kinds: [kind])
    return ConversionReport(folder: folder, projections: [row]).answer
  }

  @Test(
    "it is yes where the saving is worth it, and whoever would see the loss is told",
    arguments: [
      (90, 3, "At 90 no: 3.0 % less."), (90, 12, "At 90 yes: 12 % less."),
      (80, 67, "At 80 yes: 67 % less, and whoever flips between the two sees it."),
      (85, 67, "At 85 yes: 67 % less, and only a flicker test shows it."),
      (70, 67, "At 70 yes: 67 % less, and some see it side by side."),
      (60, 67, "At 60 yes: 67 % less, and many see it."), (80, 3, "At 80 no: 3.0 % less."),
      (90, -5, "At 90 no: no file gets smaller."),
    ])
  func verdicts(score: Double, percent: Int, verdict: String) {
    #expect(answer(score, saves: percent) == "Convert? \(verdict) HEIC; 5 files, 5.0 kB now.")
  }

  @Test func fewOfTheFilesSayPerhapsAtMost() {
    #expect(
      answer(80, saves: 67, measured: 3).hasPrefix(
        "Convert? At 80 perhaps: 67 % less (too few files for an interval)"))
    #expect(
      answer(90, saves: -5, measured: 3).hasPrefix(
        "Convert? At 90 probably not: none of 3 measured files gets smaller."))
  }

  @Test func figuresByTheFastSettingsSaySo() {
    let kind = FileKind(count: 8, bytes: 8000, pixels: 8000)
    func row(_ asked: Int) -> ConversionProjection {
      let files = (0..<8).map { number in
        var file = TriedConversion(
          image: "\(number)", fileBytes: 1000, pixels: 1000,
          outcome: .converted(bytes: number < asked ? 440 : 400, seconds: 1))
        (file.isQuick, file.quickBytes) = (number >= asked, number < asked ? 400 : nil)
        return file
      }
      var row = ConversionProjection(CodecVariant(codec: "heic"), score: 90, files: files, kinds: [kind])
      row.quick = CodecVariant(codec: "heic", settings: ["preset": "ultrafast"])
      return row
    }
    let folder = ConversionFolder(
      name: "photos", formats: [.init(name: "jpeg", files: 8, bytes: 8000)], sample: 8, seed: 1)
    func report(_ asked: Int) -> ConversionReport {
      ConversionReport(folder: folder, projections: [row(asked)], wasInterrupted: asked < 8)
    }
    #expect(report(4).answer.contains("60 % less. HEIC (preset=ultrafast); 8 files"), "\(report(4).answer)")
    #expect(report(4).text().contains("the figures are those of HEIC (preset=ultrafast)"))
    // From five files on, the others' bytes are corrected by what those have told.
    #expect(report(5).answer.contains("56 % less. HEIC; 8 files"), "\(report(5).answer)")
    #expect(report(5).text().contains("3 of 8 files were tried with HEIC (preset=ultrafast) alone"))
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
      gain?.components(separatedBy: "lost").count == 3 && gain?.hasSuffix("kept") == true, "\(gain ?? "")")
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
