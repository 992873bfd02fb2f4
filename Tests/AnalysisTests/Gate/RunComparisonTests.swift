import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

@Suite struct RunComparisonTests {
  static func compare(_ runs: [[ResultRow]]) throws -> [GateReport] {
    try runs.dropFirst().map { other in
      var builder = GateBuilder(metrics: [.sampleHeadline], pairsCodecs: true)
      for row in runs[0] { builder.addBaseline(row) }
      for row in other { try builder.add(row) }
      return builder.finish()
    }
  }

  static func compare(_ sweeps: [SampleRows]) throws -> [GateReport] { try compare(sweeps.map { $0.rows() }) }

  @Test func everyRunIsComparedWithTheFirst() throws {
    let reports = try Self.compare([
      SampleRows(), SampleRows(share: { _ in 0.77 }), SampleRows(share: { _ in 0.63 }),
    ])
    let changes = reports.map { $0.variants[1].bytesChangePercent }
    #expect(abs(changes[0] - 10) < 0.01)
    #expect(abs(changes[1] + 10) < 0.01)
  }

  @Test func twoPresetsOfACodecAreComparedWithEachOther() throws {
    var other = SampleRows(share: { _ in 0.63 })
    other.variants[1] = CodecVariant(codec: "heic", settings: ["preset": "slow"])
    let report = try #require(try Self.compare([SampleRows(), other]).first)
    let heic = try #require(report.variants.first { $0.variant.codec == "heic" })
    #expect(heic.baselineVariant.name == "heic")
    #expect(heic.variant.name == "heic:preset=slow")
    #expect(report.circumstances.settings.map(\.before.name) == ["heic"])
    #expect(report.circumstances.settings.map(\.after.name) == ["heic:preset=slow"])
    #expect(abs(heic.bytesChangePercent + 10) < 0.01)
    #expect(abs(try #require(heic.bdRate).mean + 10) < 0.05)
    #expect(!report.isRegression)
  }

  @Test func aBuildIsPairedWithTheSameSettings() throws {
    var before = SampleRows()
    before.variants[1] = CodecVariant(codec: "heic", settings: ["preset": "fast"])
    var after = SampleRows(share: { _ in 0.63 })
    after.variants[1] = try #require(CodecVariant(unchecked: "heic@new:preset=fast"))
    // A third variant with other settings, which would also have been a partner if it were alone.
    let rows = after.rows()
    let others = rows.compactMap { row -> ResultRow? in
      var other = row
      guard row.variant?.codec == "heic" else { return nil }
      other.variant = CodecVariant(codec: "heic", settings: ["preset": "veryfast"])
      return other
    }
    let mixed = (0..<8).flatMap { image in
      let own = { (row: ResultRow) in row.image == "image\(image).png" }
      return rows.filter(own) + others.filter(own)
    }
    let reports = try Self.compare([before.rows(), mixed])
    let heic = try #require(reports.first?.variants.first { $0.variant.codec == "heic" })
    #expect(heic.baselineVariant.name == "heic:preset=fast" && heic.variant.name == "heic@new:preset=fast")
    #expect(abs(heic.bytesChangePercent + 10) < 0.01)
  }

  @Test func otherQualitiesStillCompareAtEqualScore() throws {
    let report = try #require(
      try Self.compare([SampleRows(qualities: 10), SampleRows(qualities: 9, share: { _ in 0.63 })])
        .first)
    let heic = try #require(report.variants.first { $0.variant.codec == "heic" })
    #expect(heic.points == 8)
    #expect(abs(try #require(heic.targets.first { $0.target == 70 }).percent.mean + 10) < 0.05)
  }

  @Test func oneRunHasNothingToCompare() throws {
    #expect(try Self.compare([SampleRows()]).isEmpty)
  }
}
