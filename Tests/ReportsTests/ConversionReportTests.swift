import Foundation
import Model
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
      file.add(.deepSamples, bytes: 0)
      folder.add(file)
    }
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
        "photos: 40 files, 80.0 MB (40 jpeg 80.0 MB). 6 files drawn by chance (seed 7) were measured"))
    #expect(text.contains("1 file that cannot be read left out: broken.jpg"))
    // 7,150,000 of 12,000,000 bytes where smaller.
    #expect(
      text.contains(
        "HEIC at SSIMULACRA2 90: converting what gets smaller (5 of 6 measured files) leaves 47.7 MB"))
    #expect(text.contains("40 % fewer bytes, 95 % interval −6"), "\(text)")
    #expect(text.contains("13.3 minutes of CPU time to encode"))
    #expect(text.contains("WEBP does not reach 90 with 1 measured file, which stay"))
    #expect(text.contains("Failed: “0.jpg” with webp: killed by SIGSEGV"))
    #expect(text.contains("JPEG XL without loss: nothing could be measured."))
  }

  @Test func theAnswerNamesWhatToSet() {
    var report = report()
    #expect(report.text().contains("It takes quality 0.45: heif-enc -q 45."), "\(report.text())")
    #expect(report.text().contains("SSIMULACRA2 90 is visually lossless"))
    var files = report.projections[0].files
    for (index, thousandths) in [300, 520, 610].enumerated() {
      files[index].quality = Quality(thousandths: thousandths)
    }
    let heic = ConversionProjection.soFar(CodecVariant(codec: "heic"), score: 90, files: Array(files[..<3]))
    var folder = report.folder
    folder.isUnfinished = true
    report = ConversionReport(folder: folder, projections: [heic].compactMap { $0 })
    let text = report.text()
    #expect(text.contains("It takes quality 0.52 (0.30 to 0.61): heif-enc -q 52."), "\(text)")
    #expect(text.contains("Interrupted: these figures are of the files that were done"))
    #expect(text.contains("(3 of 3 measured files) leaves 3.0 MB of 6.0 MB"), "\(text)")
    #expect(!text.contains("interval"))
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
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/schema.json")
    var schema = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    schema["$ref"] = "#/$defs/convert_check"
    let checked = try JSONSchema(try JSONSerialization.data(withJSONObject: schema))
    let document = try JSONSerialization.jsonObject(with: Data(report().json.utf8))
    #expect(checked.problems(of: document).isEmpty, "\(checked.problems(of: document))")
    #expect(!checked.problems(of: ["format": "heicbench-results"]).isEmpty)
  }

  @Test func longTimesAndSizesAreRead() {
    #expect(ConversionReport.size(1.5e9) == "1.50 GB")
    #expect(ConversionReport.size(900) == "900 bytes")
    #expect(ConversionReport.duration(7200) == "2.0 hours")
    #expect(ConversionReport.duration(3) == "3.0 seconds")
  }
}
