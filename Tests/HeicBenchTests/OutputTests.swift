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
}
