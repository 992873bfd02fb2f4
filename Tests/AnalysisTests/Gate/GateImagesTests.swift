import Model
import SampleData
import Testing

@testable import Analysis
@testable import Reports
@testable import Store

/// Images that are not where the baseline has them: elsewhere, gone, unusable, mended or renamed.
@Suite struct GateImagesTests {
  @Test func aShardIsNoWholeRun() throws {
    var gate = SampleGate()
    gate.run.images = 4
    var manifest = SampleGate.manifest()
    manifest.shard = "1/2"
    gate.manifests = (nil, manifest)
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.unfinished])
    #expect(report.wording.headline == "Not passed: not finished: shard 2/2 is missing, 80 points compared.")
    #expect(report.regressions[0].sentence.contains("image4.png, image5.png"))
    #expect(report.inventory.lostPoints == 0 && !report.isPureImprovement)
    // The same shard of both sides has no other half.
    gate.manifests = (manifest, manifest)
    #expect(try gate.report().regressions.map(\.quantity) == [.vanished, .vanished])
    // A part that holds all of the baseline's images has guarded them all.
    gate.manifests = (nil, manifest)
    gate.run.images = 6
    #expect(!(try gate.report().isRegression))
  }

  @Test(arguments: [
    ("1/2", "shard 2/2 is missing"), ("1,3/4", "shards 2,4/4 are missing"),
    ("1/20", "shards 2,3,4,5,6,7,8,9,…/20 are missing"), ("1/2, 1/3", "there are only shards 1/2, 1/3"),
  ])
  func missingShardsAreNamed(present: String, phrase: String) {
    var manifest = SampleGate.manifest()
    manifest.shard = present
    #expect(manifest.missingShards?.phrase == phrase)
    manifest.shard = "1/1"
    #expect(manifest.missingShards == nil)
  }

  @Test func theHeadlineDoesNotBlameImagesThatAreTheSame() throws {
    var gate = SampleGate()
    gate.run.images = 5
    gate.run.change = { row in
      switch row.image {
      case "image0.png": row.imageHash = "other"
      case "image1.png":
        row = ResultRow(image: row.image, status: .failed)
        row.error = "truncated"
      default: break
      }
    }
    let report = try gate.report()
    #expect(
      report.wording.headline
        == "Not passed: 60 points of 3 images compared, none worse; not compared: 1 image changed (image0.png), "
        + "1 gone (image5.png), 1 unusable (image1.png).")
  }

  @Test func anImageThatWorksAgainIsToldAndOneThatStillDoesNotIs() throws {
    var gate = SampleGate()
    gate.baseline.change = { row in
      guard ["image0.png", "image1.png"].contains(row.image) else { return }
      row = ResultRow(image: row.image, status: .failed)
    }
    gate.run.change = { row in
      if row.image == "image1.png" { row = ResultRow(image: row.image, status: .failed) }
    }
    let report = try gate.report()
    #expect(!report.isRegression && report.comparedImages == 4)
    let remarks = report.wording.remarks
    #expect(remarks.contains("Images that can be used now, and could not in the baseline: image0.png."))
    #expect(remarks.contains("Images that cannot be used, and could not in the baseline: image1.png."))
  }

  @Test func aRenamedImageIsCompared() throws {
    var gate = SampleGate()
    let hashed = { (row: inout ResultRow) in row.imageHash = "hash of \(row.image)" }
    gate.baseline.change = hashed
    gate.run.change = { row in
      hashed(&row)
      if row.image == "image2.png" { row.image = "boat.png" }
    }
    let report = try gate.report()
    #expect(!report.isRegression && report.comparedPoints == 120)
    #expect(
      report.wording.remarks.contains(
        "Renamed, with the same bytes, and compared all the same: image2.png → boat.png."))
    // A copy beside the original is new.
    gate.run.change = { row in
      hashed(&row)
      if row.image == "image2.png" { (row.image, row.imageHash) = ("boat.png", "hash of image1.png") }
    }
    #expect(try gate.report().regressions.map(\.quantity) == [.vanished, .vanished])
  }
}
