import Analysis
import Foundation
import Model
import Reports
import Store
import TestSupport
import Testing

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

  @Test("holds once: whoever takes it has to leave another") func takenOnce() throws {
    try stamp().leave(in: files())
    #expect(try ReportStamp.take(from: files())?.isOf(stamp()) == true)
    #expect(try ReportStamp.take(from: files()) == nil)
  }

  @Test("does not hold when a report was changed, or the stamp itself is damaged") func changedFiles() throws
  {
    try stamp().leave(in: files())
    try Data("another page".utf8).write(to: page)
    #expect(try ReportStamp.take(from: files()) == nil)
    try Data("{".utf8).write(to: folder.url.appending(path: ".heicbench-reports.json"))
    #expect(try ReportStamp.take(from: files()) == nil)
  }

  @Test("tells runs, images, options, pages and programs apart, but not times of day") func questions() throws
  {
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
