import Foundation
import TestSupport
import Testing

/// What becomes of results that go to standard output or beside the page.
@Suite("output, run as a program")
struct OutputTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  @Test(
    "a full disk behind standard output is an error, and a reader that has gone away is none",
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

  @Test("a page made without pictures leaves none of an earlier page behind")
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
}
