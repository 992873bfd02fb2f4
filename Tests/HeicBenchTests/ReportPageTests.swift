import Foundation
import TestSupport
import Testing

/// Whether a browser is there to open the report with, and Python to drive it.
private let hasBrowser =
  Python.isPresent
  && ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

/// The report as a person uses it: made by the program, opened in headless Chromium, clicked and dragged.
@Suite struct ReportPageTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(.enabled(if: hasBrowser, "SKIPPED: needs Chromium and Python; scripts/setup --tests installs them"))
  func pageWorksInABrowser() throws {
    let program = try #require(BuiltProgram("heicbench"))
    let folder = try TemporaryFolder()
    let corpus = folder.url.appending(path: "corpus")
    try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: false)
    // A name that is markup, so that a page that does not escape shows itself as an error in the console.
    for (source, name) in [
      ("drawn/gradient.png", "<img src=x onerror=alert(1)>.png"), ("alpha/badge.png", "b&\"'.png"),
    ] {
      try FileManager.default.copyItem(
        at: Self.root.appending(path: "corpus/\(source)"), to: corpus.appending(path: name))
    }
    let sweep = try program.run(["corpus", "--qualities", "0.1...0.9", "--quiet"], in: folder.url)
    #expect(sweep.status == 0, "\(sweep.errors)")

    let browser = Process()
    browser.executableURL = Self.root.appending(path: "scripts/browser-test")
    browser.arguments = [folder.url.appending(path: "results/report.html").path]
    let output = Pipe()
    browser.standardOutput = output
    try browser.run()
    let report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    browser.waitUntilExit()
    #expect(browser.terminationStatus == 0, "\(report)")
    #expect(!report.contains("FAILED"), "\(report)")
  }
}
