import Foundation
import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

@Suite struct GateBuilderTests {
  @Test func aScoreThatIsMissingStaysMissing() throws {
    var row = try #require(SampleRows().rows().first { $0.variant != nil })
    let metrics: [MetricTraits] = [.sampleHeadline, .sampleSSIM]
    for scores in [[70.25, nil], [-.infinity, 0]] as [[Double?]] {
      for (metric, score) in zip(metrics, scores) { row.scores[metric.id] = score }
      let point = GatePoint(row, of: .points, variant: 0, libraries: nil, versions: nil, metrics: metrics)
      #expect(metrics.indices.map { point?.score($0) } == scores)
    }
  }

  @Test func anUnchangedRerunFindsNothing() throws {
    var gate = SampleGate()
    gate.manifests = (SampleGate.manifest(), SampleGate.manifest())
    let report = try gate.report()
    #expect(!report.isRegression)
    #expect(!report.isRegression && report.improvements.isEmpty)
    #expect(!report.isPureImprovement)
    #expect(report.comparedPoints == 120)
    let circumstances = report.circumstances
    #expect(circumstances.settings.isEmpty && circumstances.libraries.isEmpty)
    #expect(circumstances.timeObstacle == nil && circumstances.knowsLibraries)
    #expect(report.inventory.appeared + report.inventory.mended + report.inventory.lostPoints == 0)
    #expect(report.inconclusive.isEmpty)
    #expect(report.worstPoints.isEmpty)
    #expect(report.variants.map(\.bytesChangePercent) == [0, 0])
    #expect(report.variants[1].bdRate?.mean == 0)
  }

  @Test func roundedScoresOfABaselineFindNothing() throws {
    var gate = SampleGate()
    gate.baseline.change = { row in
      row.scores = row.scores.mapValues { ($0 * 10_000).rounded() / 10_000 }
      row.times = .init()
    }
    let report = try gate.report()
    #expect(!report.isRegression && report.improvements.isEmpty)
    #expect(report.worstPoints.isEmpty)
  }

  @Test func threePercentMoreBytesAreCaught() throws {
    var gate = SampleGate()
    gate.run.change = { row in
      if row.variant?.codec == "heic" {
        row.encodedBytes = row.encodedBytes.map { Int((Double($0) * 1.03).rounded()) }
      }
    }
    let report = try gate.report()
    #expect(report.isRegression)
    let total = try #require(report.regressions.first)
    #expect(total.quantity == .totalBytes)
    #expect(total.place == "heic")
    #expect(abs(total.worsening - 3) < 0.01)
    #expect(report.regressions.contains { $0.quantity == .bdRate && abs($0.worsening - 3) < 0.05 })
    #expect(report.regressions.contains { $0.quantity == .saving(70) && abs($0.worsening - 3) < 0.05 })
    #expect(report.worsePoints == 60)
    #expect(report.regressions.count(where: { $0.quantity == .pointBytes }) == GateReport.named)
    #expect(report.worstPoints.count == 10)
    #expect(report.worstImages.count == 6)
    #expect(report.regressions.allSatisfy { $0.variant?.codec == "heic" })
    #expect(report.regressions.count(where: { $0.quantity != .pointBytes }) == 6)
    #expect(report.comparedPoints == 120)
  }

  @Test func oneWorsePointIsCaughtAndNamed() throws {
    var gate = SampleGate()
    gate.manifests = (SampleGate.manifest(), SampleGate.manifest())
    gate.run.change = { row in
      guard row.image == "image2.png", row.variant?.codec == "jpeg", row.nativeQuality == 40 else { return }
      row.encodedBytes = row.encodedBytes.map { $0 * 103 / 100 }
    }
    let report = try gate.report()
    #expect(report.regressions.map(\.place) == ["image2.png · jpeg · q 0.4"])
    let worst = try #require(report.worst)
    #expect(worst.image == "image2.png" && worst.quality == 0.4 && worst.threshold == 2)
    #expect(abs(worst.worsening - 3) < 0.05)
  }

  @Test func lowerScoresAreCaughtWithTheirMetric() throws {
    var gate = SampleGate()
    gate.run.change = { row in
      if row.nativeQuality == 50, row.variant?.codec == "heic" { row.scores["ssimulacra2"]? -= 0.8 }
    }
    let report = try gate.report()
    let scores = report.regressions.filter { $0.quantity == .score("ssimulacra2") }
    #expect(scores.count == 6)
    #expect(scores.allSatisfy { abs($0.worsening - 0.8) < 1e-9 && $0.threshold == 0.5 })
    #expect(abs((scores[0].before ?? 0) - 54.5) < 1e-9 && abs((scores[0].after ?? 0) - 53.7) < 1e-9)
  }

  @Test func fewerBytesAreAnImprovementAndMayRatchet() throws {
    var gate = SampleGate()
    gate.run.share = { _ in 0.65 }
    var report = try gate.report()
    #expect(!report.isRegression)
    #expect(report.isPureImprovement)
    #expect(!report.fails)
    report.failsOnImprovement = true
    #expect(report.fails)
    #expect(report.betterPoints == 60)
  }

  @Test func aRatchetNeedsEveryVariantToBeNoWorse() throws {
    var gate = SampleGate()
    gate.run.share = { _ in 0.65 }
    gate.run.change = { row in
      // Within every threshold, but in the wrong direction.
      if row.variant?.codec == "jpeg" {
        row.encodedBytes = row.encodedBytes.map { Int((Double($0) * 1.003).rounded()) }
      }
    }
    let report = try gate.report()
    #expect(!report.isRegression)
    #expect(!report.isPureImprovement)
  }

  @Test(arguments: [("butteraugli", 3, 0.02), ("ms-ssim", 4, -0.001)])
  func aRatchetKnowsWhenTheHeadlineIsWorse(id: String, decimals: Int, worse: Double) throws {
    let metric = MetricTraits(
      id: id, column: id, title: id, higherIsBetter: worse < 0, decimals: decimals)
    var options = AnalysisOptions.standard
    options.headlineMetric = id
    for change in [worse, -worse] {
      var builder = GateBuilder(metrics: [metric], options: options)
      for (share, change) in [(0.7, 0.0), (0.65, change)] {
        for row in SampleRows(images: 6, share: { _ in share }).rows() {
          var row = row
          row.scores = [id: 0.9 + change]
          if share == 0.7 { builder.addBaseline(row) } else { try builder.add(row) }
        }
      }
      let report = builder.finish()
      #expect(!report.isRegression && !report.improvements.isEmpty, "\(report.regressions)")
      #expect(report.isPureImprovement == (change != worse))
    }
  }

  @Test func newFailuresFailAndOldOnesDoNot() throws {
    let fail = { (row: inout ResultRow) in
      guard row.image == "image1.png", row.nativeQuality == 30, row.variant?.codec == "heic" else { return }
      row.status = .failed
      row.encodedBytes = nil
      row.error = "no answer in 60 s"
    }
    var gate = SampleGate()
    gate.manifests = (SampleGate.manifest(), SampleGate.manifest())
    gate.run.change = fail
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.failure])
    #expect(report.regressions[0].place == "image1.png · heic · q 0.3")
    #expect(report.regressions[0].detail == .fails("no answer in 60 s"))
    #expect(report.newFailures == 1 && report.comparedPoints == 119)

    gate.baseline.change = fail
    #expect(!(try gate.report().isRegression))

    gate.run.change = { _ in }
    let mended = try gate.report()
    #expect(!mended.isRegression)
    #expect(mended.inventory.mended == 1)
  }

  @Test func anUnreadableImageIsAFailure() throws {
    var gate = SampleGate()
    gate.run.change = { row in
      if row.image == "image0.png" {
        row = ResultRow(image: row.image, status: .failed)
        row.error = "truncated"
      }
    }
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.failure])
    #expect(report.regressions[0].place == "image0.png")
  }

  @Test func vanishedPointsFailUnlessAllowed() throws {
    var gate = SampleGate()
    gate.run.images = 5
    let report = try gate.report()
    #expect(report.regressions.map(\.quantity) == [.vanished, .vanished])
    #expect(report.regressions.map(\.worsening) == [10, 10])
    guard case .vanished(let first, _, _, _) = report.regressions[0].detail else {
      Issue.record("\(report.regressions[0])")
      return
    }
    #expect(first == "image5.png" && report.inventory.goneImages.first == ["image5.png"])
    #expect(report.comparedPoints == 100 && report.comparedImages == 5 && report.worsePoints == 0)
    gate.tolerances.sameVersions[.vanished] = 20
    #expect(!(try gate.report().isRegression))
  }

  @Test func newPointsAreOnlyRemarked() throws {
    var gate = SampleGate()
    gate.manifests = (SampleGate.manifest(), SampleGate.manifest())
    gate.baseline.images = 5
    let report = try gate.report()
    #expect(!report.isRegression && report.improvements.isEmpty)
    #expect(report.inventory.appeared == 20 && report.inventory.newImages.first == ["image5.png"])
  }

  @Test func aNewVariantIsOnlyRemarked() throws {
    var gate = SampleGate()
    gate.run.variants.append(CodecVariant(codec: "avif"))
    let report = try gate.report()
    #expect(!report.isRegression)
    #expect(report.circumstances.added.map(\.name) == ["avif"])
  }

  @Test func anOlderBaselineWithFewColumnsServes() throws {
    var gate = SampleGate()
    gate.baseline.change = { row in
      var old = ResultRow(image: row.image, status: .measured)
      (old.variant, old.quality, old.encodedBytes) = (row.variant, row.quality, row.encodedBytes)
      row = old
    }
    let report = try gate.report()
    #expect(!report.isRegression && report.improvements.isEmpty)
    #expect(report.comparedPoints == 120)
    #expect(!report.circumstances.knowsLibraries)
    gate.run.share = { _ in 0.73 }
    #expect(try gate.report().isRegression)
  }

  @Test func otherLibraryVersionsWidenTheToleranceAndAreSaid() throws {
    var gate = SampleGate()
    gate.run.share = { _ in 0.7 * 1.02 }
    gate.run.change = { if $0.variant?.codec == "heic" { $0.libraries = "lib 2" } }
    let report = try gate.report()
    #expect(!report.isRegression)
    #expect(report.usesWiderTolerance)
    let libraries = try #require(report.circumstances.libraries.first)
    #expect(report.circumstances.libraries.count == 1 && libraries.variant.name == "heic")
    #expect(libraries.before == "lib 1" && libraries.after == "lib 2")
    gate.run.share = { _ in 0.7 * 1.05 }
    #expect(try gate.report().isRegression)
    gate.run.change = { _ in }
    gate.run.share = { _ in 0.7 * 1.02 }
    #expect(try gate.report().isRegression)
  }

  /// 0.1.0 did not record builds. Against such a baseline only versions count, and between new runs builds count too.
  @Test func anotherBuildOfTheSameVersionIsAnotherLibraryWhereBothAreKnown() throws {
    var gate = SampleGate()
    gate.run.change = { $0.libraries = "lib 1 (build 0a1b2c3d)" }
    #expect(try !gate.report().usesWiderTolerance)
    #expect(try gate.report().circumstances.libraries.isEmpty)
    gate.baseline.change = { $0.libraries = "lib 1 (build 0a1b2c3d)" }
    #expect(try !gate.report().usesWiderTolerance)
    gate.baseline.change = { $0.libraries = "lib 1 (build ffffffff)" }
    #expect(try gate.report().usesWiderTolerance)
    #expect(try gate.report().circumstances.libraries.first?.before == "lib 1 (build ffffffff)")
  }

  @Test func changesOfTheCircumstancesAreThere() throws {
    var gate = SampleGate()
    gate.manifests = (SampleGate.manifest(), SampleGate.manifest(host: "laptop", jobs: 4))
    gate.run.change = { if $0.image == "image3.png" { $0.imageHash = "other" } }
    let report = try gate.report()
    #expect(report.inventory.replacements.map(\.image) == ["image3.png"])
    #expect(report.inventory.replacements.allSatisfy { !$0.isResized })
    let manifests = report.circumstances.manifests
    #expect([manifests.before, manifests.after].map { $0?.machine.host } == ["ci", "laptop"])
    #expect([manifests.before, manifests.after].map { $0?.jobs } == [2, 4])
  }

  @Test func theBaselinesPointsTakeNoMoreRoomThanTheyNeed() throws {
    var builder = GateBuilder(metrics: [.sampleHeadline])
    for row in SampleRows(images: 2).rows() { builder.addBaseline(row) }
    let points = try #require(builder.baseline["image0.png"]).points
    #expect(points.count == 20 && points.capacity < 30)
  }

  @Test func scatteredRowsAreRefused() throws {
    var builder = GateBuilder(metrics: [.sampleHeadline])
    let rows = SampleRows(images: 2).rows()
    #expect(throws: AnalysisError.scatteredImage("image0.png")) {
      for row in rows + [rows[0]] { try builder.add(row) }
    }
  }

  @Test func nothingInCommonIsAFinding() {
    let report = GateBuilder(metrics: [.sampleHeadline]).finish()
    #expect(report.regressions.map(\.quantity) == [.uncompared] && report.comparedPoints == 0)
  }

}
