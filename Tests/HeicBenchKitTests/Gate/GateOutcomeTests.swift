import Foundation
import Metrics
import Model
import SampleData
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Store

@Suite("Outcome of a gate")
struct GateOutcomeTests {
  private static func read(bytes: Int, score: Double) -> ResultRow {
    var read = ResultRow(image: "a.png", status: .measured)
    (read.variant, read.quality, read.scores) = (CodecVariant(codec: "heic"), 0.5, ["ssimulacra2": score])
    (read.way.route, read.way.wanted, read.way.touchedBytes) = ("full", "full", bytes)
    return read
  }

  @Test("gives its findings as values")
  func values() throws {
    let report = try GateBuilder.compare(
      .reads, [Self.read(bytes: 1000, score: 80)], [Self.read(bytes: 1100, score: 82)])
    let outcome = GateOutcome([report])
    #expect(outcome.hasFailed && outcome.compared == 1 && outcome.findings.count == 2)
    let worse = try #require(outcome.findings.first { $0.verdict == .worse })
    #expect(worse.part == "reads" && worse.quantity == "point-bytes" && worse.unit == "%")
    #expect(worse.image == "a.png" && worse.variant?.codec == "heic" && worse.way == "q 0.5, full, full")
    #expect(worse.before == 1000 && worse.after == 1100 && worse.limit == 2)
    #expect(abs(worse.worsening - 10) < 1e-9)
    let better = try #require(outcome.findings.first { $0.verdict == .better })
    #expect(better.quantity == "ssimulacra2" && better.worsening == -2 && better.unit == "score")
  }

  private static func file(_ name: String, _ row: ResultRow, in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/" + name
    let columns = BaselineColumns.all(.read, scores: BaselineColumns.scores(of: .read))
    try RowWriter(csv: columns).text([row]).write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("a threshold for an HDR sweep does not switch off those of reads")
  func thresholdsOfAnHDRSweep() throws {
    let folder = try TemporaryFolder()
    let (good, bad) = (Self.read(bytes: 1000, score: 80), Self.read(bytes: 1000, score: 60))
    var gate = GateRequest(baseline: try Self.file("before.csv", good, in: folder))
    let configuration = folder.path + "/gate.yml"
    try "thresholds:\n  itp-mean: 0.3\n".write(toFile: configuration, atomically: true, encoding: .utf8)
    gate.configuration = configuration
    let outcome = try gate.run(on: Self.file("after.csv", bad, in: folder))
    #expect(outcome.findings.map(\.quantity) == ["ssimulacra2"])
  }

  @Test("a threshold for a metric of one's own applies to the sweep beside reads")
  func thresholdsBesideReads() throws {
    let folder = try TemporaryFolder()
    var manifest = SampleGate.manifest()
    let own = MetricTraits(id: "mine", column: "mine", title: "mine", decimals: 4)
    (manifest.qualities, manifest.metrics) = ([0.5], [.headline, own])
    let key = Case(
      image: ImageIdentity(name: "a.heic", contentHash: "a.heic"),
      preparation: manifest.preparation.canonicalSpelling, variant: CodecVariant(codec: "jpeg"), quality: 0.5,
      libraries: "")
    let figures = Figures(
      encodedBytes: 1000, encodedHash: String(repeating: "ab", count: 32),
      scores: ["ssimulacra2": 80, "mine": 1])
    do {
      let store = try ResultStore(folder: folder.path)
      let run = try store.begin(manifest, images: [key.image])
      try store.append(CaseRecord(key: key, outcome: .measured(figures)))
      for record in SampleReads.records(names: [key.image.name]) { try store.append(record) }
      try store.finish(run, at: "2026-01-01T00:00:00Z")
    }
    var gate = GateRequest(baseline: folder.path)
    gate.thresholds = ["mine": 0.5]
    let outcome = try gate.run(on: folder.path)
    #expect(!outcome.hasFailed && outcome.compared > 1, "\(outcome.findings)")
    gate.thresholds = ["mien": 0.5]
    let error = #expect(throws: HeicBenchError.self) { try gate.run(on: folder.path) }
    #expect(error?.description.contains("there is no threshold “mien”") == true)
  }
}
