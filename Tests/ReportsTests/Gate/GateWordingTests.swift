import Model
import SampleData
import TestSupport
import Testing

@testable import Analysis
@testable import Reports
@testable import Store

/// The English of a gate: the sentences about each of these comparisons, in one committed text for each kind.
@Suite struct GateWordingTests {
  /// The sentences about a comparison, by its title.
  private typealias Said = (title: String, lines: [String])

  private static func difference(_ said: [Said], _ name: String) throws -> String? {
    let text = said.map { "# \($0.title)\n" + $0.lines.map { "\($0)\n" }.joined() }.joined(separator: "\n")
    return try Golden.difference(text, "gate-words-\(name).txt")
  }

  private static func said(_ title: String, _ report: GateReport) -> Said {
    let wording = GateWording(report)
    var lines = [wording.headline]
    lines += (report.regressions.prefix(2) + report.inconclusive.prefix(1)).map {
      "- \($0.place): \($0.sentence)"
    }
    lines += [wording.cause].compactMap(\.self).map { "Cause: \($0)" }
    lines += wording.changes.map { "Change: \($0.what): \($0.before) → \($0.after)" }
    lines += wording.remarks.map { "Remark: \($0)" }
    lines += [wording.reproduce].compactMap(\.self).map { "Reproduce: \($0)" }
    return (title, lines)
  }

  private static func said(
    _ title: String, knowsMachines: Bool = false, _ change: (inout SampleGate) throws -> Void = { _ in }
  ) throws -> Said {
    var gate = SampleGate()
    if knowsMachines { gate.manifests = (SampleGate.manifest(), SampleGate.manifest()) }
    try change(&gate)
    return said(title, try gate.report())
  }

  private static func grow(_ row: inout ResultRow, by percent: Int) {
    row.encodedBytes = row.encodedBytes.map { $0 * (100 + percent) / 100 }
  }

  private static func fail(_ row: inout ResultRow) {
    guard row.image == "image1.png", row.nativeQuality == 30, row.variant?.codec == "heic" else { return }
    (row.status, row.encodedBytes, row.error) = (.failed, nil, "no answer in 60 s")
  }

  private static func unusable(_ row: inout ResultRow, _ error: String? = nil) {
    row = ResultRow(image: row.image, status: .failed)
    row.error = error
  }

  @Test func figures() throws {
    let said = [
      try Self.said("the same again", knowsMachines: true),
      try Self.said("more bytes") {
        $0.run.change = { if $0.variant?.codec == "heic" { Self.grow(&$0, by: 3) } }
      },
      try Self.said("one worse point", knowsMachines: true) {
        $0.run.change = { row in
          guard row.image == "image2.png", row.variant?.codec == "jpeg", row.nativeQuality == 40 else {
            return
          }
          Self.grow(&row, by: 3)
        }
      },
      try Self.said("lower scores") {
        $0.run.change = { row in
          if row.nativeQuality == 50, row.variant?.codec == "heic" { row.scores["ssimulacra2"]? -= 0.8 }
        }
      },
      try Self.said("fewer bytes") { $0.run.share = { _ in 0.65 } },
      try Self.said("a new failure", knowsMachines: true) { $0.run.change = Self.fail },
      try Self.said("a mended failure", knowsMachines: true) { $0.baseline.change = Self.fail },
      try Self.said("names that shells read") {
        $0.run.share = { _ in 0.8 }
        let rename = { (row: inout ResultRow) in row.image = "it's \(row.image)" }
        ($0.baseline.change, $0.run.change) = (rename, rename)
      },
    ]
    #expect(try Self.difference(said, "figures") == nil)
  }

  @Test func absences() throws {
    let said = [
      try Self.said("scores that the run lacks") {
        $0.run.change = { if $0.image == "image1.png" { $0.scores["ssim"] = nil } }
      },
      try Self.said("an unfinished run") {
        $0.progress = RunProgress(planned: 200, done: 120, images: 10, isFinished: false)
      },
      try Self.said("nothing in common") {
        $0.tolerances.sameVersions[.vanished] = 1000
        $0.run.change = { ($0.image, $0.imageHash) = ("other/\($0.image)", nil) }
      },
      Self.said("no rows at all", GateBuilder(metrics: [.sampleHeadline]).finish()),
      try Self.said("points that are gone") { $0.run.images = 5 },
      try Self.said("new points", knowsMachines: true) { $0.baseline.images = 5 },
      try Self.said("a new codec") { $0.run.variants.append(CodecVariant(codec: "avif")) },
      try Self.said("what is gone or new") {
        ($0.run.qualities, $0.baseline.qualities) = (5, 10)
        $0.run.variants[1] = CodecVariant(codec: "heic", settings: ["preset": "ultrafast"])
        $0.run.change = { if $0.image == "image0.png" { ($0.image, $0.imageHash) = ("new.png", nil) } }
      },
      try Self.said("more qualities") { ($0.baseline.qualities, $0.run.qualities) = (5, 10) },
    ]
    #expect(try Self.difference(said, "absences") == nil)
  }

  @Test func images() throws {
    func replace(_ gate: inout SampleGate) {
      gate.run.change = { row in
        guard row.image == "image3.png" else { return }
        row.imageHash = "other"
        Self.grow(&row, by: 100)
      }
    }
    let hashed = { (row: inout ResultRow) in row.imageHash = "hash of \(row.image)" }
    let said = [
      try Self.said("a replaced image", replace),
      try Self.said("a replaced image that is tolerated") {
        replace(&$0)
        $0.tolerances.sameVersions[.changed] = 1
      },
      try Self.said("another size") { $0.run.change = { ($0.width, $0.height) = (500, 250) } },
      try Self.said("images changed, gone and unusable") {
        $0.run.images = 5
        $0.run.change = { row in
          if row.image == "image0.png" { row.imageHash = "other" }
          if row.image == "image1.png" { Self.unusable(&row, "truncated") }
        }
      },
      try Self.said("an image that works again, and one that still does not") {
        $0.baseline.change = { if $0.image < "image2" { Self.unusable(&$0) } }
        $0.run.change = { if $0.image == "image1.png" { Self.unusable(&$0) } }
      },
      try Self.said("a renamed image") {
        $0.baseline.change = hashed
        $0.run.change = { row in
          hashed(&row)
          if row.image == "image2.png" { row.image = "boat.png" }
        }
      },
    ]
    #expect(try Self.difference(said, "images") == nil)
  }

  @Test func shards() throws {
    let missing = ["1/2", "1,3/4", "1/20", "1/2, 1/3"].map { present in
      var manifest = SampleGate.manifest()
      manifest.shard = present
      return "\(present): \(manifest.missingShards?.phrase ?? "none")"
    }
    let shard = try Self.said("a shard") {
      $0.run.images = 4
      var manifest = SampleGate.manifest()
      manifest.shard = "1/2"
      $0.manifests = (nil, manifest)
    }
    #expect(try Self.difference([shard, ("missing shards", missing)], "shards") == nil)
  }

  @Test func circumstances() throws {
    let said = [
      try Self.said("other versions of a library") {
        $0.run.share = { _ in 0.7 * 1.02 }
        $0.run.change = { if $0.variant?.codec == "heic" { $0.libraries = "lib 2" } }
      },
      try Self.said("another build") {
        $0.baseline.change = { $0.libraries = "lib 1 (build ffffffff)" }
        $0.run.change = { $0.libraries = "lib 1 (build 0a1b2c3d)" }
      },
      try Self.said("an older baseline with few columns") {
        $0.baseline.change = { row in
          var old = ResultRow(image: row.image, status: .measured)
          (old.variant, old.quality, old.encodedBytes) = (row.variant, row.quality, row.encodedBytes)
          row = old
        }
      },
      try Self.said("another machine, and another image") {
        $0.manifests = (SampleGate.manifest(), SampleGate.manifest(host: "laptop", jobs: 4))
        $0.run.change = { if $0.image == "image3.png" { $0.imageHash = "other" } }
      },
      try Self.said("two presets of a codec") {
        $0.pairsCodecs = true
        $0.run.share = { _ in 0.63 }
        $0.run.variants[1] = CodecVariant(codec: "heic", settings: ["preset": "slow"])
      },
    ]
    #expect(try Self.difference(said, "circumstances") == nil)
  }

  @Test func times() throws {
    func time(_ gate: inout SampleGate, _ factor: Double, _ deviation: Double) {
      gate.run.change = { row in
        guard let cpu = row[.encode, .cpu] else { return }
        let median = cpu.median * factor
        row[.encode, .cpu] = ResultRow.Timing(
          minimum: median * (1 - deviation), median: median, deviation: median * deviation / 2)
      }
    }
    let said = [
      try Self.said("clearly slower", knowsMachines: true) { time(&$0, 1.5, 0.02) },
      try Self.said("noise", knowsMachines: true) { time(&$0, 1.3, 0.5) },
      try Self.said("another machine", knowsMachines: true) {
        $0.manifests.after = SampleGate.manifest(host: "laptop")
      },
      try Self.said("other jobs", knowsMachines: true) {
        $0.manifests.after = SampleGate.manifest(jobs: 1)
      },
      try Self.said("a machine that is not known", knowsMachines: true) { $0.manifests.before = nil },
    ]
    #expect(try Self.difference(said, "times") == nil)
  }
}
