import Foundation
import TestSupport
import Testing

/// A browser that a script drives.
enum DrivenBrowser {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether there are a browser to open pages with and Python to drive it.
  static let isPresent =
    Python.isPresent
    && ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
      .contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// A file of the project.
  static func file(_ path: String) -> URL { root.appending(path: path) }

  /// Runs a script that drives a page, prints what it finds and fails if something is wrong.
  static func check(_ driver: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = file("Tests/Drivers/\(driver)")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // Failures and a traceback come first, because an excerpt of a long report shows its beginning.
    let lines = report.split(separator: "\n")
    let unusual = lines.filter { !$0.hasPrefix("ok ") }
    let hasFailed = process.terminationStatus != 0 || unusual.contains { $0.contains("FAILED") }
    #expect(!hasFailed, "\((unusual + lines).joined(separator: "\n"))")
  }
}

/// The report as people use it: made by the program, opened in headless Chromium, clicked and dragged.
@Suite struct ReportPageTests {
  @Test(
    .enabled(
      if: DrivenBrowser.isPresent, "SKIPPED: needs Chromium and Python; scripts/setup --tests installs them"))
  func pageWorksInABrowser() throws {
    let program = try #require(BuiltProgram("heicbench"))
    let folder = try TemporaryFolder()
    let corpus = folder.url.appending(path: "corpus")
    try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: false)
    // A name that is markup: a page that does not escape it prints an error in the console.
    for (source, name) in [
      ("drawn/gradient.png", "<img src=x onerror=alert(1)>.png"), ("alpha/badge.png", "b&\"'.png"),
    ] {
      try FileManager.default.copyItem(
        at: DrivenBrowser.file("corpus/\(source)"), to: corpus.appending(path: name))
    }
    let sweep = try program.run(
      [
        "corpus", "--qualities", "0.1...0.9", "--refine", "off", "--quiet", "--codec", "jpeg", "--codec",
        "heic:preset=ultrafast",
      ], in: folder.url)
    #expect(sweep.status == 0, "\(sweep.errors)")

    try DrivenBrowser.check("browser-test", [folder.url.appending(path: "results/report.html").path])
  }

  @Test(
    .enabled(
      if: DrivenBrowser.isPresent, "SKIPPED: needs Chromium and Python; scripts/setup --tests installs them"))
  func everyFeaturesPageFitsAndIsAccessible() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("images/a.ppm", width: 300, height: 200, seed: 1)
    try desk.writeImage("images/b.ppm", width: 200, height: 300, seed: 2)
    for command in [
      ["decode", "images", "--codec", "jpeg", "--qualities", "0.5,0.8"],
      ["tiles", "images", "--codec", "jpeg", "--tile-sizes", "64,128", "--qualities", "0.5,0.8"],
      ["generations", "images", "--codec", "jpeg", "--codec", "webp", "--generations", "3"],
      ["tiles", "export", "images", "set", "--tile-size", "64"],
    ] {
      let run = try desk.run(command)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    let pages = ["decode", "tiles", "generations"].map { "results/\($0).html" } + ["set/index.html"]
    try DrivenBrowser.check("browser-test", pages.map { desk.folder.url.appending(path: $0).path })
  }

  @Test(
    .enabled(
      if: DrivenBrowser.isPresent, "SKIPPED: needs Chromium and Python; scripts/setup --tests installs them"))
  func thePageOfTilesWorksInABrowser() throws {
    let desk = try ProgramDesk()
    // Larger than the largest window, so that there is something to move at 100 %.
    for (name, seed) in [("a", 1), ("b", 2)] as [(String, UInt64)] {
      try desk.writeImage("images/\(name).ppm", width: 1400, height: 900, seed: seed)
    }
    let export = try desk.run(["tiles", "export", "images", "set", "--tile-size", "256"])
    #expect(export.status == 0, "\(export.errors)")
    try DrivenBrowser.check(
      "tiles-browser-test", [desk.folder.url.appending(path: "set/index.html").path])
  }
}
