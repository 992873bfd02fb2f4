import Metrics
import Model
import SampleData
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Store

@Suite struct BaselineSelectionTests {
  @Test func theOrderDoesNotDependOnTheRun() {
    let rows = SampleRows().rows()
    var generator = SeededGenerator(seed: 4)
    let sorted = BaselineSelection.sorted(rows)
    #expect(sorted == BaselineSelection.sorted(rows.shuffled(using: &generator)))
    #expect(sorted.map(\.image).first == "image0.png")
    #expect(sorted.first?.variant?.codec == "heic")
    #expect(
      sorted.prefix(10).compactMap(\.quality?.thousandths) == Array(stride(from: 100, through: 1000, by: 100))
    )
  }

  @Test func filesOfOtherEncodersAreSortedByName() {
    let rows = ["2.heic", "1.heic"].map { file in
      var row = ResultRow(image: "a.png", status: .measured)
      (row.variant, row.importedFile) = (CodecVariant(codec: "phone"), file)
      return row
    }
    #expect(BaselineSelection.sorted(rows).map(\.importedFile) == ["1.heic", "2.heic"])
  }

  @Test func onlyDeterministicFieldsStay() {
    let columns = BaselineColumns.all(.point, scores: [.headline]).map(\.name)
    #expect(!columns.contains { $0.hasSuffix("_ms") || $0.hasSuffix("_mib") || $0 == "host" || $0 == "jobs" })
    #expect(Set(columns).isSuperset(of: ["encoded_bytes", "ssimulacra2", "libraries", "image_sha256"]))
  }

  @Test func columnsAreNamedAsInTheMeasurements() {
    let columns = BaselineColumns.all(.point, scores: [.headline]).map(\.name)
    let known = Set(CSVColumnNames.header(metrics: []) + ["ssimulacra2"])
    #expect(columns.allSatisfy(known.contains))
    #expect(Set(columns).count == columns.count)
  }
}
