import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

/// Images that are not where the baseline has them: moved, missing, unusable, repaired or renamed.
@Suite struct GateImagesTests {
  @Test func aShardIsNoWholeRun() throws {
    var gate = SampleGate()
    gate.run.images = 4
    var manifest = SampleGate.manifest()
    manifest.shard = "1/2"
    gate.manifests = (nil, manifest)
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.unfinished])
    #expect(report.comparedPoints == 80 && report.missingShards?.numbers == [2])
    guard case .shards(_, let images) = report.regressions[0].detail else {
      Issue.record("\(report.regressions[0])")
      return
    }
    #expect(images.first == ["image4.png", "image5.png"])
    #expect(report.inventory.lostPoints == 0 && !report.isPureImprovement)
    // The same shard on both sides does not lack the other half of the images.
    gate.manifests = (manifest, manifest)
    #expect(try gate.report().regressions.map(\.quantity) == [.vanished, .vanished])
    // A shard with all images of the baseline has guarded all of them.
    gate.manifests = (nil, manifest)
    gate.run.images = 6
    #expect(!(try gate.report().isRegression))
  }

  @Test(arguments: [
    ("1/2", [2]), ("1,3/4", [2, 4]), ("1/20", Array(2...20)), ("1/2, 1/3", []),
  ])
  func missingShardsAreKnown(present: String, missing: [Int]) {
    var manifest = SampleGate.manifest()
    manifest.shard = present
    #expect(manifest.missingShards?.numbers == missing)
    manifest.shard = "1/1"
    #expect(manifest.missingShards == nil)
  }

  @Test func imagesThatAreTheSameAreNotBlamed() throws {
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
    let inventory = report.inventory
    #expect(report.comparedPoints == 60 && report.comparedImages == 3 && report.worsePoints == 0)
    #expect(inventory.changedImages.first == ["image0.png"] && inventory.goneImages.first == ["image5.png"])
    #expect(inventory.unusableImages.first == ["image1.png"])
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
    #expect(report.inventory.mendedImages.first == ["image0.png"])
    #expect(report.inventory.stillUnusable.first == ["image1.png"])
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
    #expect(report.inventory.renamedImages.first == ["image2.png → boat.png"])
    // A copy beside the original counts as new.
    gate.run.change = { row in
      hashed(&row)
      if row.image == "image2.png" { (row.image, row.imageHash) = ("boat.png", "hash of image1.png") }
    }
    #expect(try gate.report().regressions.map(\.quantity) == [.vanished, .vanished])
  }
}
