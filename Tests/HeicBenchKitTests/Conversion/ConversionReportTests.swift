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
        "Convert? HEIC: at 90: yes, saves 40 % (95 % interval 21 to 60 %). WebP: at 90: perhaps, saves 24 % (95 % interval 0 "
          + "to 49 %). JPEG XL: without loss: nothing could be measured. 6 of 40 files, 80.0 MB now.\n"),
      "\(text)")
    #expect(
      text.contains(
        "photos: 40 files, 80.0 MB (40 jpeg 80.0 MB). Projected from 6 files drawn at random (seed 7)."))
    #expect(text.contains("heicbench cannot read 1 file: broken.jpg"))
    // 7,150,000 of 12,000,000 bytes where smaller.
    #expect(text.contains(" 47.7 ") && text.contains(" 5 of 6 "), "\(text)")
    #expect(text.contains("WebP does not reach 90 with 1 measured file. Do not convert it."))
    #expect(text.contains("Failed: “0.jpg” with webp: killed by SIGSEGV"))
    #expect(text.contains("JPEG XL without loss: nothing could be measured."))
  }

  @Test func theAnswerNamesWhatToSet() {
    var report = report()
    #expect(
      report.text().contains("HEIC at SSIMULACRA2 90: quality 0.45, heif-enc -q 45."), "\(report.text())")
    #expect(report.text().contains("90 = no visible difference even when flickering, 85"))
    var files = report.projections[0].files
    for (index, thousandths) in [300, 520, 610].enumerated() {
      files[index].quality = Quality(thousandths: thousandths)
    }
    let heic = ConversionProjection.soFar(CodecVariant(codec: "heic"), score: 90, files: Array(files[..<3]))
    report = ConversionReport(
      folder: report.folder, projections: [heic].compactMap { $0 }, isProjected: false, wasInterrupted: true)
    let text = report.text()
    #expect(text.hasPrefix("Convert? At 90: yes, saves 51 %. HEIC; 3 files so far, 6.0 MB now."), "\(text)")
    #expect(text.contains("HEIC at SSIMULACRA2 90: quality 0.52 (0.30 to 0.61), heif-enc -q 52."), "\(text)")
    #expect(text.contains("Stopped early: the figures cover only the 3 files done so far."))
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
      (90, 3, "At 90: no, saves 3.0 %."), (90, 12, "At 90: yes, saves 12 %."),
      (
        80, 67,
        "At 80: yes, saves 67 %; no visible difference side by side, perhaps one when flipping between the two."
      ),
      (85, 67, "At 85: yes, saves 67 %; only flickering shows a difference."),
      (70, 67, "At 70: yes, saves 67 %; some people see a difference side by side."),
      (60, 67, "At 60: yes, saves 67 %; many people see a difference."), (80, 3, "At 80: no, saves 3.0 %."),
      (90, -5, "At 90: no, no file gets smaller."),
    ])
  func verdicts(score: Double, percent: Int, verdict: String) {
    #expect(answer(score, saves: percent) == "Convert? \(verdict) HEIC; 5 files, 5.0 kB now.")
  }

  @Test func fewOfTheFilesSayPerhapsAtMost() {
    #expect(
      answer(80, saves: 67, measured: 3).hasPrefix(
        "Convert? At 80: perhaps, saves 67 % (too few files for an interval)"))
    #expect(
      answer(90, saves: -5, measured: 3).hasPrefix(
        "Convert? At 90: probably not, none of 3 measured files gets smaller."))
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
    #expect(report(4).answer.contains("saves 60 %. HEIC (preset=ultrafast); 8 files"), "\(report(4).answer)")
    #expect(report(4).text().contains("the figures at 90 are for HEIC (preset=ultrafast)."))
    // From five files on, the others' bytes are corrected by what those have told.
    #expect(report(5).answer.contains("saves 56 %. HEIC; 8 files"), "\(report(5).answer)")
    #expect(report(5).text().contains("At 90, 3 of 8 files were encoded only with HEIC (preset=ultrafast)."))
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
