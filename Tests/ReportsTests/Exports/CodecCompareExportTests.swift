import Foundation
import Model
import Store
import TestSupport
import Testing

@testable import Reports

/// The rules of codec-compare's loader, checked the way that the loader checks them.
@Suite struct CodecCompareExportTests {
  private func export(missingScore: Bool = false, failing: Bool = false) throws -> TemporaryFolder {
    let metrics = ["ssimulacra2", "ms-ssim"].map {
      MetricTraits(id: $0, column: $0.replacing("-", with: "_"), title: $0, decimals: 2)
    }
    let folder = try TemporaryFolder()
    let source = RowSource(metrics: metrics, variants: []) { body in
      for variant in [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic", settings: ["chroma": "444"])] {
        for step in 1...3 {
          var row = ResultRow(image: "a \"b\".png", status: failing && step == 2 ? .failed : .measured)
          (row.width, row.height, row.variant, row.nativeQuality) = (10, 10, variant, step * 10)
          row.quality = Quality(native: step * 10)
          row.encodedBytes = row.status == .measured ? step * 100 : nil
          row.scores = ["ssimulacra2": Double(step)]
          if !missingScore || step != 3 { row.scores["ms-ssim"] = 0.9 }
          try body(row)
        }
      }
    }
    try CodecCompareExport(folder: folder.path).write(source)
    return folder
  }

  private func json(_ name: String, in folder: TemporaryFolder) throws -> Any {
    try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.url.appending(path: "codec-compare/\(name)")))
  }

  private func batches(_ folder: TemporaryFolder) throws -> [[String: Any]] {
    let list = try #require(try json("batches.json", in: folder) as? [[String]])
    #expect(!list.isEmpty)
    return try list.map { entry in
      #expect(entry.count == 1)
      let name = try #require(entry.first)
      return try #require(try json(name, in: folder) as? [String: Any])
    }
  }

  @Test("Descriptions have one key with a text, and rows have as many values as there are fields")
  func loadersRules() throws {
    for batch in try batches(try export()) {
      for kind in ["constant", "field"] {
        let descriptions = try #require(batch["\(kind)_descriptions"] as? [[String: String]])
        #expect(descriptions.allSatisfy { $0.count == 1 })
        if kind == "constant" {
          #expect((batch["constant_values"] as? [String])?.count == descriptions.count)
        } else {
          let rows = try #require(batch["field_values"] as? [[Any]])
          #expect(rows.count == 3)
          #expect(rows.allSatisfy { $0.count == descriptions.count })
        }
      }
    }
  }

  @Test("A field that a point lacks is left out of all batches")
  func incompleteFields() throws {
    for (missing, expected) in [(false, true), (true, false)] {
      for batch in try batches(try export(missingScore: missing)) {
        let names = (batch["field_descriptions"] as? [[String: String]])?.flatMap(\.keys) ?? []
        #expect(names.contains("msssim") == expected)
        #expect(names.contains("ssimulacra2"))
        #expect(!names.contains("encoding time"))
      }
    }
  }

  @Test("Failed points are left out")
  func failedPoints() throws {
    for batch in try batches(try export(failing: true)) {
      #expect((batch["field_values"] as? [[Any]])?.count == 2)
    }
  }
}
