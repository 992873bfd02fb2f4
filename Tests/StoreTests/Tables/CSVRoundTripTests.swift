import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

struct CSVRoundTripTests {
  /// Writes rows and reads them again like the gate.
  private static func roundTrip(_ rows: [ResultRow]) throws -> [ResultRow] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/rows.csv"
    let writer = RowWriter(csv: MeasurementColumns.all(metrics: SampleRows.metrics))
    try AtomicFile.write(writer.text(rows), to: path, replacing: "")
    return try MeasurementsCSV.rows(ofFile: path, metrics: SampleRows.metrics)
  }

  @Test("Every row comes back unchanged, up to the decimals written")
  func everyField() throws {
    // An image without a name does not make a row, but the other hostile names do.
    let rows = SampleRows.mixed.filter { !$0.image.isEmpty }
    let back = try Self.roundTrip(rows)
    #expect(back.count == rows.count)
    for (before, after) in zip(rows, back) {
      var after = after
      for (id, score) in before.scores {
        #expect(abs((after.scores[id] ?? .nan) - score) < 1e-4)
        after.scores[id] = score
      }
      // A line break in a text would be another line on a terminal, so texts in files have none.
      var plain = before
      plain.image = PlainText.line(before.image)
      plain.error = before.error.map { PlainText.line($0) }
      #expect(after == plain)
    }
  }

  @Test(
    "All names come back, on one line",
    arguments: SampleRows.hostileNames.filter { !$0.isEmpty })
  func names(name: String) throws {
    var row = SampleRows.failed(name, "=" + name)
    let plain = PlainText.line(name)
    #expect(try Self.roundTrip([row]).map(\.image) == [plain])
    #expect(try Self.roundTrip([row]).map(\.error) == [PlainText.line("=" + name)])
    row = SampleRows.failed(plain, "=" + plain)
    row.variant = nil
    row.quality = nil
    #expect(try Self.roundTrip([row]) == [row])
  }

  @Test("Infinite scores and unknown fields come back unchanged")
  func corners() throws {
    var row = SampleRows.measured()
    row.scores = ["psnr-y": .infinity, "ssimulacra2": -12.5]
    row[.encode, .wall] = nil
    row.figures[.peakMemory] = nil
    row.repeatsAgree = nil
    #expect(try Self.roundTrip([row]) == [row])
  }
}
