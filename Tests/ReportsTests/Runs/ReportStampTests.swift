import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

@Suite("The stamp beside the reports") struct ReportStampTests {
  private let folder: TemporaryFolder
  private let manifest = SampleRun.manifest

  init() throws {
    folder = try TemporaryFolder()
    try Data("page".utf8).write(to: page)
  }

  private func files() throws -> OwnedFolder { try ResultsFolder.open(folder.path) }

  private var page: URL { folder.url.appending(path: ReportWriter.pageName) }

  private func stamp(
    _ manifest: RunManifest? = nil, image: String = "a", options: AnalysisOptions = .init(),
    page: String = "", program: String = "/dev/null"
  ) throws -> ReportStamp {
    try ReportStamp(
      manifest: manifest ?? self.manifest, images: [ImageIdentity(name: image, contentHash: "00")],
      options: options, page: page, program: program)
  }

  @Test("is valid until it is removed") func removed() throws {
    try stamp().leave(in: files())
    #expect(try ReportStamp.holding(in: files())?.isOf(stamp()) == true)
    try ReportStamp.remove(from: files())
    #expect(try ReportStamp.holding(in: files()) == nil)
  }

  @Test("is invalid if a report has changed or the stamp itself is damaged") func changedFiles() throws {
    try stamp().leave(in: files())
    try Data("another page".utf8).write(to: page)
    #expect(try ReportStamp.holding(in: files()) == nil)
    try Data("{".utf8).write(to: folder.url.appending(path: ".heicbench-reports.json"))
    #expect(try ReportStamp.holding(in: files()) == nil)
  }

  @Test("is left alone if it vouches for every file that was checked") func leftAlone() throws {
    let url = folder.url.appending(path: ".heicbench-reports.json")
    func leaveAgain(page: String = "", looking: Bool = false) throws -> Bool {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: url.path)
      let files = try files()
      if looking { _ = files.standing(of: ReportWriter.pageName) }
      try stamp(page: page).leave(in: files, inPlaceOf: ReportStamp.holding(in: files))
      let values = try url.resourceValues(forKeys: [.contentModificationDateKey])
      return values.contentModificationDate != Date(timeIntervalSince1970: 1)
    }
    try stamp().leave(in: files())
    #expect(try !leaveAgain())
    #expect(try leaveAgain(looking: true), "the stamp does not vouch for the page")
    #expect(try leaveAgain(page: "titled"))
  }

  @Test("writes times like the stamps of earlier versions") func times() throws {
    try stamp().leave(in: files())
    let stamped = try Data(contentsOf: folder.url.appending(path: ".heicbench-reports.json"))
    let attributes = try FileManager.default.attributesOfItem(atPath: page.path)
    let modified = try #require(attributes[.modificationDate] as? Date).timeIntervalSinceReferenceDate
    #expect(String(decoding: stamped, as: UTF8.self).contains("\(modified)"))
  }

  @Test("vouches for files as they are, not for changed ones") func vouches() throws {
    let picture = "report-images/1-reference.png"
    do {
      let files = try files()
      try files.write("a picture", to: picture)
      try stamp().leave(in: files)
    }
    let stored = try Data(contentsOf: folder.url.appending(path: ".heicbench-files"))
    // A list with the name but another hash, so only the stamp shows that the file is ours.
    let lines = String(decoding: stored, as: UTF8.self).split(separator: "\n").map { line in
      line.hasSuffix(picture) ? String(repeating: "0", count: 64) + line.dropFirst(64) : String(line)
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(
      to: folder.url.appending(path: ".heicbench-files"))
    #expect(try files().standing(of: picture) == .ours)
    // The same length and the same modification time, but programs cannot set the time of the last status change.
    let url = folder.url.appending(path: picture)
    let modified = try url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    let handle = try FileHandle(forWritingTo: url)
    try handle.write(contentsOf: Data("b picture".utf8))
    try handle.close()
    try FileManager.default.setAttributes([.modificationDate: try #require(modified)], ofItemAtPath: url.path)
    #expect(try files().standing(of: picture) == .obstacle(.changed))
  }

  @Test("separates runs, images, options, pages and programs, but not times of day") func questions() throws {
    var other = manifest
    other.jobs += 1
    let stamps = try [
      stamp(), stamp(other), stamp(image: "b"), stamp(options: AnalysisOptions(targets: [60])),
      stamp(page: "titled"), stamp(program: folder.path),
    ]
    for (index, one) in stamps.enumerated() {
      for (place, another) in stamps.enumerated() { #expect(one.isOf(another) == (index == place)) }
    }
    var later = manifest
    (later.started, later.command, later.machine.loadAverage) = ("2030-01-01T00:00:00Z", ["x"], 9)
    #expect(try stamp(later).isOf(stamp()))
  }
}
