import Foundation
import SampleData
import Store
import Testing

struct JSONRowsWriterTests {
  @Test("The output parses, and contains the rows' values")
  func parses() throws {
    let writer = RowWriter(json: MeasurementColumns.all(metrics: SampleRows.metrics))
    let parsed = try JSONSerialization.jsonObject(with: Data(writer.text(SampleRows.mixed).utf8))
    let rows = try #require(parsed as? [[String: Any]])
    #expect(rows.count == SampleRows.mixed.count)
    #expect(rows.compactMap { $0["image"] as? String } == SampleRows.mixed.map(\.image))
    #expect(rows[0]["quality"] as? Double == 0.5)
    #expect(rows[0]["encoded_bytes"] as? Int == 49_152)
    #expect(rows[0]["alpha"] as? Bool == false)
    #expect(rows[0]["ms_ssim"] is NSNull)
    #expect(rows[2]["error"] as? String == "killed by SIGSEGV,\nsaid \"no\"")
  }

  @Test("No rows, control characters, infinity")
  func corners() {
    #expect(RowWriter<Int>(json: []).text([]) == "[]")
    let writer = RowWriter<Cell>(json: [Column("\"k", title: "") { $0 }])
    #expect(
      writer.text([.text("\u{1}</script>"), .number(.infinity, decimals: 1)])
        == "[\n{\"\\\"k\": \"\\u0001\\u003c/script\\u003e\"},\n{\"\\\"k\": null}\n]")
  }
}
