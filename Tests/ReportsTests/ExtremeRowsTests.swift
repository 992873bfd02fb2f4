import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

/// Extreme numbers in rows never trap, and the reports' JSON is valid.
@Suite(.timeLimit(.minutes(30))) struct ExtremeRowsTests {
  @Test("charts, page, summary, CSV and JSON", arguments: 0..<24) func reports(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var rows = (0..<4).flatMap(SyntheticSweep.rows)
    for index in rows.indices where Int.random(in: 0..<4, using: &generator) == 0 {
      rows[index].disturb(by: &generator)
    }
    let disturbed = rows
    let source = RowSource(
      manifest: SampleRun.manifest, metrics: SyntheticSweep.metrics, variants: SyntheticSweep.variants
    ) { body in try disturbed.forEach(body) }
    let folder = try TemporaryFolder()
    _ = try ReportWriter(folder: folder.path).write(source)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/report.html"))
    for format in RunFormat.allCases {
      var text = ""
      try format.write(source, to: &text)
      #expect(!text.isEmpty)
      guard format == .json else { continue }
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
  }
}
