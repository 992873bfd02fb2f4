import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

struct ReportWriterTests {
  private static func text(_ name: String, in folder: TemporaryFolder) throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  @Test("A run's folder holds the table, the drawings and a summary that shows them")
  func wholeSet() throws {
    let folder = try TemporaryFolder()
    let report = try ReportWriter(folder: folder.path).write(SyntheticSweep.source(images: 12))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let charts = ChartKind.allCases.map(\.fileName)
    #expect(
      names
        == (charts + [
          ".heicbench-files", "bd-rate-comparisons.csv", "bd-rates.csv", "comparisons.csv",
          "measurements.csv",
          "report.html",
          "savings.csv", "summary.md",
        ]).sorted())
    let summary = try Self.text("summary.md", in: folder)
    for chart in charts { #expect(summary.contains("](\(chart))")) }
    #expect(report.analysis.verdicts.first?.direction == .saves)
    #expect(try Self.text("measurements.csv", in: folder).count { $0 == "\n" } == 12 * 20 + 1)
  }

  @Test("The pictures of an earlier page are removed before those of this one are made")
  func earlierPictures() throws {
    let folder = try TemporaryFolder()
    let pictures = folder.url.appending(path: ReportWriter.picturesName)
    try ResultsFolder.open(folder.path).write("", to: "\(ReportWriter.picturesName)/1-0.png")
    var werePresent: Bool?
    try ReportWriter(folder: folder.path).write(SyntheticSweep.source(images: 2)) { _, _ in
      werePresent = FileManager.default.fileExists(atPath: pictures.path)
      return []
    }
    #expect(werePresent == false)
  }

  @Test("The streamed table equals the one in the folder, and so does the summary except for drawings")
  func streams() throws {
    let folder = try TemporaryFolder()
    let source = SyntheticSweep.source(images: 3)
    try ReportWriter(folder: folder.path).write(source)
    var table = ""
    try RunFormat.csv.write(source, to: &table)
    #expect(try table == Self.text("measurements.csv", in: folder))
    var summary = ""
    try RunFormat.markdown.write(source, to: &summary)
    let withDrawings = try Self.text("summary.md", in: folder)
    #expect(
      withDrawings.split(separator: "\n").filter { !$0.hasPrefix("![") } == summary.split(separator: "\n"))
  }

  @Test("A source that fails leaves the old files as they were")
  func failingSource() throws {
    struct Lost: Error {}
    let folder = try TemporaryFolder()
    let writer = ReportWriter(folder: folder.path)
    try writer.write(SyntheticSweep.source(images: 2))
    let before = try ["measurements.csv", "summary.md"].map { try Self.text($0, in: folder) }
    let failing = RowSource(metrics: [], variants: []) { body in
      for image in 0..<200 { try SyntheticSweep.rows(of: image).forEach(body) }
      throw Lost()
    }
    #expect(throws: Lost.self) { try writer.write(failing) }
    #expect(try ["measurements.csv", "summary.md"].map { try Self.text($0, in: folder) } == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 12)
  }

  @Test(
    "Someone else's file with a report's name is in the way, and nothing is written",
    arguments: [
      "summary.md", "savings.svg", "report-images/1-0.png", "report-images", "link", "link to the list",
    ])
  func refusesObstacles(name: String) throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let precious = other.url.appending(path: "precious.txt")
    try Data("precious".utf8).write(to: precious)
    var names = [name]
    switch name {
    case "link", "link to the list":
      names = [name == "link" ? "summary.md" : ".heicbench-files"]
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + names[0], withDestinationPath: precious.path)
    case "report-images":
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/report-images", withDestinationPath: other.path)
    default:
      let file = folder.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: file)
      names = [String(name.prefix { $0 != "/" })]
    }
    let error = #expect(throws: OutputError.self) {
      try ReportWriter(folder: folder.path).write(SyntheticSweep.source(images: 2))
    }
    #expect(error?.description.contains("is in the way") == true, "\(String(describing: error))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names)
    #expect(try String(contentsOf: precious, encoding: .utf8) == "precious")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["precious.txt"])
  }

  @Test("A report that the user has edited stays, and the writer says so")
  func edited() throws {
    let folder = try TemporaryFolder()
    let writer = ReportWriter(folder: folder.path)
    try writer.write(SyntheticSweep.source(images: 2))
    try Data("my notes".utf8).write(to: folder.url.appending(path: "summary.md"))
    let error = #expect(throws: OutputError.self) { try writer.write(SyntheticSweep.source(images: 2)) }
    #expect(error?.description.contains("has changed since heicbench wrote it") == true)
    #expect(try Self.text("summary.md", in: folder) == "my notes")
  }

  @Test("Other files in a results folder stay, even among the pictures")
  func neighbours() throws {
    let folder = try TemporaryFolder()
    let writer = ReportWriter(folder: folder.path)
    let files = try ResultsFolder.open(folder.path)
    try files.write("", to: "\(ReportWriter.picturesName)/1-0.png")
    let mine = ["notes.txt", "report-images/holiday.png"]
    for name in mine { try Data("mine".utf8).write(to: folder.url.appending(path: name)) }
    try writer.write(SyntheticSweep.source(images: 2))
    for name in mine { #expect(try Self.text(name, in: folder) == "mine") }
    let pictures = folder.path + "/report-images"
    #expect(try FileManager.default.contentsOfDirectory(atPath: pictures) == ["holiday.png"])
  }

  @Test("A run without figures for a drawing removes the old one")
  func staleDrawings() throws {
    let folder = try TemporaryFolder()
    let writer = ReportWriter(folder: folder.path)
    try writer.write(SyntheticSweep.source(images: 3))
    let unscored = RowSource(metrics: [], variants: []) { body in
      for var row in SyntheticSweep.rows(of: 0) {
        row.scores = [:]
        try body(row)
      }
    }
    try writer.write(unscored)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasSuffix(".svg") } == [])
    #expect(try !Self.text("summary.md", in: folder).contains("]("))
  }

  @Test("A folder that is not there is an output error")
  func noFolder() {
    #expect(throws: OutputError.self) {
      try ReportWriter(folder: "/nowhere/at/all").write(SyntheticSweep.source(images: 1))
    }
  }

  @Test("A run without rows makes a table with a header and a summary that says so")
  func noRows() throws {
    let folder = try TemporaryFolder()
    try ReportWriter(folder: folder.path).write(SyntheticSweep.source(images: 0))
    #expect(try Self.text("measurements.csv", in: folder).split(separator: "\n").count == 1)
    #expect(try Self.text("summary.md", in: folder).contains("0 images"))
  }
}
