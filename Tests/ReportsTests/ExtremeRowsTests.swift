import Foundation
import Model
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

/// Whatever numbers stand in rows, reports are written: no trap, and JSON that is JSON.
@Suite(.timeLimit(.minutes(30))) struct ExtremeRowsTests {
  private static let numbers: [Double] = [
    0, -0.0, 1, -1, 100, 1e17, 1e306, 1e308, -1e308, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    .leastNormalMagnitude, .infinity,
  ]
  private static let wholes = [0, 1, 2, 3, 1 << 31, 1 << 53, 1 << 62, .max - 1, .max]

  /// Puts ends of the types into a row, seeded.
  static func disturb(_ row: inout ResultRow, _ generator: inout SeededGenerator) {
    func number() -> Double { numbers.randomElement(using: &generator) ?? 0 }
    func whole() -> Int { wholes.randomElement(using: &generator) ?? 0 }
    for metric in row.scores.keys.sorted() { row.scores[metric] = number() }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: row.encodedBytes = whole()
    case 1: (row.width, row.height) = (whole(), whole())
    case 2: row.figures[.peakMemory] = number()
    case 3: row.rawBytes = whole()
    case 4: row.sourceBytes = whole()
    default: row.repeats = whole()
    }
  }

  @Test("charts, page, summary, CSV and JSON", arguments: 0..<24) func reports(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var rows = (0..<4).flatMap(SyntheticSweep.rows)
    for index in rows.indices where Int.random(in: 0..<4, using: &generator) == 0 {
      Self.disturb(&rows[index], &generator)
    }
    let disturbed = rows
    let source = RowSource(
      manifest: SampleRun.manifest, metrics: Array(SampleRows.metrics.prefix(3)),
      variants: [SampleAnalysis.jpeg, SampleAnalysis.heic]
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
