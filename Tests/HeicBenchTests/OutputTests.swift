import Foundation
import TestSupport
import Testing

/// Results that go to standard output or beside the page.
@Suite("output, run as a program")
struct OutputTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  @Test(
    "a full disk behind standard output is an error, but a reader that stops is not",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "SKIPPED: needs /dev/full"))
  func standardOutput() throws {
    let process = desk.program.process(["codecs"], in: desk.folder.url)
    let errors = Pipe()
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("standard output"), "\(text)")

    let unread = desk.program.process(["codecs"], in: desk.folder.url)
    let pipe = Pipe()
    unread.standardOutput = pipe
    try pipe.fileHandleForReading.close()
    try unread.run()
    unread.waitUntilExit()
    #expect(unread.terminationStatus == 0)
  }

  @Test("a page without pictures removes those of an earlier page")
  func picturesAreTakenAway() throws {
    try desk.writeImage("images/a.ppm")
    let sweep = [
      "images", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "psnr-y", "--no-embed", "--quiet",
    ]
    #expect(try desk.run(sweep).status == 0)
    let pictures = desk.folder.url.appending(path: "results/report-images").path
    #expect(FileManager.default.fileExists(atPath: pictures))
    #expect(try desk.run(["report", "--images", "none"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: pictures))
  }

  @Test(
    "each pair of codecs is compared image by image, and --reference sets the report's reference"
  )
  func pairs() throws {
    for number in 1...6 {
      try desk.writeImage("images/\(number).ppm", width: 96, height: 80, seed: UInt64(number))
    }
    let sweep = try desk.run([
      "images", "--codec", "jpeg", "--codec", "jpeg:chroma=444", "--codec", "webp", "--qualities",
      "0.2...0.9:0.1",
      "--metrics", "psnr-y", "--headline", "psnr-y", "--at", "36", "--refine", "off", "--images", "none",
    ])
    #expect(sweep.status == 0, "\(sweep.errors)")
    let rows = try desk.rows(of: "results/comparisons.csv")
    #expect(
      rows.count == 3
        && rows.allSatisfy { $0["images"] == "6" && $0["bytes_change_lower_percent"]?.isEmpty == false })
    let change = try #require(rows.first { $0["variant"] == "webp" && $0["against"] == "jpeg:chroma=444" })
    let percent = try #require(change["bytes_change_percent"].flatMap(Double.init))
    let json = try desk.run(["report", "--headline", "psnr-y", "--at", "36", "--format", "json"])
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let pairs = (document?["analysis"] as? [String: Any])?["comparisons"] as? [[String: Any]]
    #expect(pairs?.contains { abs(($0["bytes_change_percent"] as? Double ?? 0) - percent) < 1e-4 } == true)
    #expect((document?["analysis"] as? [String: Any])?["bd_rate_comparisons"] is [[String: Any]])
    #expect(try desk.text("results/summary.md").contains("Codecs against each other"))
    let report = try desk.run([
      "report", "--reference", "jpeg:chroma=444", "--headline", "psnr-y", "--at", "36", "--images", "none",
    ])
    #expect(report.status == 0, "\(report.errors)")
    #expect(try desk.text("results/summary.md").contains(" than JPEG (chroma=444)"))
    let savings = try desk.rows(of: "results/savings.csv")
    #expect(savings.contains { $0["variant"] == "webp" && $0["reference"] == "jpeg:chroma=444" })
    let stranger = try desk.run(["report", "--reference", "avif"])
    #expect(stranger.status == 64 && stranger.errors.contains("the results have no “avif”"))
  }
}
