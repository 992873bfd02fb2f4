import Foundation
import SampleData
import Store
import TestSupport
import Testing

@testable import Reports

struct JSONReportTests {
  private static func json(_ source: RowSource) throws -> String {
    var text = ""
    try RunFormat.json.write(source, to: &text)
    return text
  }

  @Test("A run is valid under the published schema", arguments: [0, 1, 12])
  func valid(images: Int) throws {
    let text = try Self.json(SyntheticSweep.source(images: images))
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
    #expect(try JSONSchema().problems(of: document) == [])
  }

  @Test("Hostile names, failures and rows without a manifest are valid too")
  func hostile() throws {
    let source = RowSource(metrics: SampleRows.metrics, variants: SampleRows.measuredVariants) { body in
      for (index, name) in SampleRows.hostileNames.enumerated() {
        try body(SampleRows.measured(name + "\(index)"))
        try body(SampleRows.failed(name + "\(index)", "killed by \u{1}"))
      }
      try body(ResultRow(image: "broken", status: .failed))
    }
    let document = try JSONSerialization.jsonObject(with: Data(Self.json(source).utf8))
    #expect(try JSONSchema().problems(of: document) == [])
  }

  @Test("The schema notices what does not belong")
  func schemaCanFail() throws {
    let schema = try JSONSchema()
    let text = try Self.json(SyntheticSweep.source(images: 1))
    for (before, after) in [
      ("\"format_version\": 1", "\"format_version\": 2"),
      ("\"status\": \"measured\"", "\"status\": \"lost\""),
      ("\"encoded_bytes\": ", "\"encoded_bytes\": 0.5, \"x\": "), ("\"verdicts\"", "\"verdict\""),
      ("\"alpha\": false", "\"alpha\": 0"),
    ] {
      #expect(text.contains(before))
      let changed = text.replacing(before, with: after)
      let document = try JSONSerialization.jsonObject(with: Data(changed.utf8))
      #expect(!schema.problems(of: document).isEmpty, "\(after)")
    }
  }
}
