import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

/// A gate that cannot compare does not pass.
@Suite struct GateAbsenceTests {
  @Test func scoresThatTheRunLacksAreFindings() throws {
    var gate = SampleGate()
    gate.run.share = { _ in 0.65 }
    gate.run.change = { if $0.image == "image1.png" { $0.scores["ssim"] = nil } }
    let report = try gate.report()
    let missing = try #require(report.regressions.first { $0.quantity == .missing("ssim") })
    #expect(missing.worsening == 20)
    #expect(missing.detail == .unscored(first: "image1.png"))
    #expect(!report.isPureImprovement)
    // If tolerated, it passes, but never removes the baseline's column.
    gate.tolerances.sameVersions[.vanished] = 20
    let tolerated = try gate.report()
    #expect(!tolerated.isRegression)
    #expect(!tolerated.improvements.isEmpty)
    #expect(!tolerated.isPureImprovement)
  }

  @Test func aRatchetKeepsTheBaselineOfAPartialRun() throws {
    var gate = SampleGate()
    gate.run.share = { _ in 0.65 }
    gate.run.images = 5
    gate.tolerances.sameVersions[.vanished] = 20
    let report = try gate.report()
    #expect(!report.isRegression)
    #expect(!report.isPureImprovement)
  }

  @Test func aRatchetKeepsTheBaselineOfWhatNewlyFails() throws {
    var gate = SampleGate()
    gate.run.share = { _ in 0.65 }
    gate.tolerances.sameVersions[.failure] = 1
    gate.run.change = { row in
      guard row.image == "image1.png", row.nativeQuality == 30, row.variant?.codec == "jpeg" else { return }
      (row.status, row.encodedBytes) = (.failed, nil)
    }
    let report = try gate.report()
    #expect(!report.isRegression && !report.improvements.isEmpty && report.newFailures == 1)
    #expect(!report.isPureImprovement)
    gate.run.change = { if $0.image == "image1.png" { $0 = ResultRow(image: $0.image, status: .failed) } }
    let unusable = try gate.report()
    #expect(!unusable.isRegression && !unusable.improvements.isEmpty && !unusable.isPureImprovement)
  }

  @Test func anUnfinishedRunDoesNotPass() throws {
    var gate = SampleGate()
    gate.progress = RunProgress(planned: 200, done: 120, images: 10, isFinished: false)
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.unfinished])
    #expect(report.comparedPoints == 120 && report.unfinished == gate.progress)
    gate.progress?.isFinished = true
    #expect(!(try gate.report().isRegression))
  }

  @Test func nothingInCommonDoesNotPass() throws {
    var gate = SampleGate()
    gate.tolerances.sameVersions[.vanished] = 1000
    gate.run.change = { ($0.image, $0.imageHash) = ("other/\($0.image)", nil) }
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.uncompared])
    #expect(report.comparedPoints == 0)
  }

  @Test func aThresholdThatGuardsNothingDoesNotPass() throws {
    var gate = SampleGate()
    gate.required = ["ssim", "saving", "bd-rate"]
    #expect(!(try gate.report().isRegression))
    gate.required = ["butteraugli"]
    #expect(try gate.report().regressions.map(\.quantity) == [.missing("butteraugli")])
    let unscored = { (row: inout ResultRow) in row.scores = [:] }
    (gate.baseline.change, gate.run.change) = (unscored, unscored)
    gate.required = ["ssim", "saving", "bd-rate"]
    #expect(
      Set(try gate.report().regressions.map(\.quantity)) == [
        .missing("ssim"), .missing("saving"), .missing("bd-rate"),
      ])
  }

  @Test func aThresholdThatGuardsOneVariantAloneDoesNotPass() throws {
    var gate = SampleGate()
    gate.required = ["ssim", "ssimulacra2", "saving", "bd-rate", "total-bytes"]
    gate.baseline.change = { if $0.variant?.codec == "heic" { $0.scores["ssimulacra2"] = nil } }
    let report = try gate.report()
    #expect(
      report.regressions.map(\.quantity) == [
        .missing("bd-rate"), .missing("saving"), .missing("ssimulacra2"),
      ])
    #expect(report.regressions.allSatisfy { $0.variant?.codec == "heic" })
  }

  @Test(arguments: [(Double.infinity, 20.0), (60, -.infinity), (60, .infinity)])
  func whatIsNoFiniteNumberOnOneSideDoesNotPass(before: Double, after: Double) throws {
    var gate = SampleGate()
    let set = { (score: Double) in
      { (row: inout ResultRow) in
        if row.image == "image0.png", row.nativeQuality == 50 { row.scores["ssimulacra2"] = score }
      }
    }
    (gate.baseline.change, gate.run.change) = (set(before), set(after))
    #expect(try gate.report().regressions.contains { $0.quantity == .missing("ssimulacra2") })
    gate.run.change = set(before)
    #expect(!(try gate.report().isRegression), "equal on both sides")
  }

  @Test func anUnchangedRunPassesThresholdsOfZero() throws {
    var gate = SampleGate()
    gate.baseline.change = { row in
      // As in a file: two decimals and three more.
      row.scores["ssimulacra2"] = row.scores["ssimulacra2"].map { ($0 * 100_000).rounded() / 100_000 }
      row.scores["ssim"] = row.scores["ssim"].map { ($0 * 10_000_000).rounded() / 10_000_000 }
    }
    gate.run.share = { 0.7 + Double($0) / 300 }
    gate.baseline.share = gate.run.share
    gate.tolerances.sameVersions = try GateThresholds([
      "total-bytes": 0, "point-bytes": 0, "saving": 0, "bd-rate": 0, "ssimulacra2": 0, "ssim": 0,
    ])
    let report = try gate.report()
    #expect(!report.isRegression && report.improvements.isEmpty, "\(report.regressions)")
    #expect(report.comparedPoints == 120)
  }
}

@Suite struct GateImageTests {
  @Test func aReplacedImageIsAnotherImage() throws {
    var gate = SampleGate()
    gate.run.change = { row in
      guard row.image == "image3.png" else { return }
      row.imageHash = "other"
      row.encodedBytes = row.encodedBytes.map { $0 * 2 }
      row.scores["ssimulacra2"]? -= 5
    }
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.changed])
    #expect(
      report.inventory.changedImages.count == 1 && report.inventory.changedImages.first == ["image3.png"])
    #expect(report.comparedImages == 5 && report.comparedPoints == 100)
    #expect(
      report.variants.allSatisfy { $0.targets.allSatisfy { $0.percent.images == 5 && $0.percent.mean == 0 } })
    #expect(report.inventory.replacements.map(\.isResized) == [false])
    gate.tolerances.sameVersions[.changed] = 1
    let tolerated = try gate.report()
    #expect(!tolerated.isRegression)
    #expect(tolerated.inventory.changedImages.first == ["image3.png"])
    #expect(!tolerated.isPureImprovement)
  }

  @Test func anotherSizeIsAnotherImage() throws {
    var gate = SampleGate()
    gate.run.change = { row in (row.width, row.height) = (500, 250) }
    let report = try gate.report()
    #expect(report.comparedPoints == 0)
    #expect(report.isRegression)
    let first = try #require(report.inventory.replacements.first)
    #expect(first.image == "image0.png" && first.isResized)
    #expect(first.before == "1000 × 500" && first.after == "500 × 250")
  }

  @Test func whatIsGoneOrNewIsNamed() throws {
    var gate = SampleGate()
    gate.run.qualities = 5
    gate.baseline.qualities = 10
    gate.run.variants[1] = CodecVariant(codec: "heic", settings: ["preset": "ultrafast"])
    gate.run.change = { if $0.image == "image0.png" { ($0.image, $0.imageHash) = ("new.png", nil) } }
    let report = try gate.report()
    #expect(report.inventory.goneImages.first == ["image0.png"])
    #expect(report.inventory.newImages.first == ["new.png"])
    #expect(report.inventory.goneQualities == [0.1, 0.3, 0.5, 0.7, 0.9])
    #expect(report.inventory.newQualities == [])
    #expect(report.circumstances.gone.map(\.name) == ["heic"])
    #expect(report.circumstances.added.map(\.name) == ["heic:preset=ultrafast"])
    let heic = try #require(
      report.regressions.first { $0.quantity == .vanished && $0.variant?.codec == "heic" })
    guard case .vanished(_, let run, _, _) = heic.detail else {
      Issue.record("\(heic)")
      return
    }
    #expect(run?.map(\.name) == ["jpeg", "heic:preset=ultrafast"])
  }

  /// Curves with a knee, and a baseline without every other point.
  @Test(arguments: [[400, 600, 800, 1000], [500, 700, 900, 1000], [100, 400, 900, 1000]])
  func identicalFilesPassWhateverQualitiesWereAdded(kept: [Int]) throws {
    var builder = GateBuilder(metrics: [.sampleHeadline])
    let rows = SampleRows(images: 6).rows().map { row in
      var row = row
      if row.nativeQuality ?? 0 > 85 { row.encodedBytes = row.encodedBytes.map { $0 * 3 } }
      return row
    }
    for row in rows where kept.contains(row.quality?.thousandths ?? 0) { builder.addBaseline(row) }
    for row in rows { try builder.add(row) }
    let report = builder.finish()
    #expect(!report.isRegression && report.improvements.isEmpty, "\(report.regressions)")
    #expect(
      report.variants.allSatisfy { variant in
        variant.targets.allSatisfy { $0.percent.mean == 0 } && (variant.bdRate?.mean ?? 0) == 0
      })
    #expect(report.inventory.appeared > 0 && report.inventory.newQualities.count == 10 - kept.count)
  }

  @Test func aCodecUnderOtherSettingsIsToldFromAnotherCodec() {
    let gone = [CodecVariant(codec: "jpeg")]
    var report = GateReport()
    #expect(!report.hasOtherSettings)
    report.circumstances.gone = gone
    report.circumstances.added = [CodecVariant(codec: "jpeg", settings: ["progressive": "true"])]
    #expect(!report.hasOtherSettings)
    report.regressions = [GateFinding(quantity: .vanished, worsening: 1)]
    #expect(report.hasOtherSettings)
    report.circumstances.added = [CodecVariant(codec: "heic")]
    #expect(!report.hasOtherSettings)
  }
}
