import Foundation
import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

/// The figures of every image, and the quality to set.
@Suite struct ImageFiguresTests {
  @Test("the quality for a score is where the curve reaches it")
  func settings() throws {
    let analysis = try SampleRows(images: 6).analysis()
    #expect(analysis.settings.count == 8)
    for setting in analysis.settings where setting.target == 70 {
      // 50/75 and 53/75, rounded up to hundredths.
      let truth = setting.variant.codec == "jpeg" ? 0.67 : 0.71
      #expect([setting.median, setting.lowest, setting.highest] == [truth, truth, truth])
      #expect((setting.images, setting.outOf, setting.unreached) == (6, 6, 0))
    }
  }

  @Test("images that never reach a score count as such, in the median and in the range")
  func unreached() throws {
    /// The setting for 90 if the first images end below it, and the next one reaches it at every quality.
    func setting(unreached: Int, images: Int = 6) throws -> QualitySetting? {
      var sweep = SampleRows(images: images)
      sweep.change = { row in
        guard let number = Int(row.image.filter(\.isNumber)), let score = row.scores["ssimulacra2"] else {
          return
        }
        if number < unreached { row.scores["ssimulacra2"] = score - 20 }
        if number == unreached { row.scores["ssimulacra2"] = 90 + score / 100 }
      }
      return try sweep.analysis().settings.first { $0.target == 90 && $0.variant.codec == "jpeg" }
    }
    // 20 + 75 q is 90 at 0.933.
    let some = try #require(try setting(unreached: 2))
    #expect(some.median == 0.94 && some.lowest == 0.1 && some.highest == nil)
    #expect((some.images, some.unreached) == (6, 2))
    #expect(try setting(unreached: 3)?.median == 0.94)
    let most = try #require(try setting(unreached: 4))
    #expect(most.median == nil && most.unreached == 4)
    // All images fail but one, which reaches it at every measured quality, so no curve gives a quality.
    #expect(try setting(unreached: 5) == nil)
  }

  @Test("images of an unfinished run that were not measured high enough are left out, not called unable")
  func notMeasuredYet() throws {
    var sweep = SampleRows(images: 6)
    sweep.change = { row in
      // The first two images have points only up to 0.5, with a score of 57.5.
      guard ["image0.png", "image1.png"].contains(row.image), (row.quality?.value ?? 0) > 0.5 else { return }
      row.scores = [:]
    }
    let settings = try sweep.analysis().settings
    let setting = try #require(settings.first { $0.target == 80 && $0.variant.codec == "jpeg" })
    #expect((setting.images, setting.outOf, setting.unreached) == (4, 6, 0))
    #expect(setting.median == 0.8 && setting.highest == 0.8)
  }

  @Test("no quality is named between points that are too far apart, or below the measured ones")
  func noGuess() throws {
    #expect(try SampleRows(images: 6, qualities: 1).analysis().settings.isEmpty)
  }

  @Test("a search finds every image's own quality, but none for all")
  func noSettingsOfASearch() throws {
    let target = QualityTarget(.score(.sampleHeadline, 70))
    #expect(try SampleRows(images: 6).analysis(options: AnalysisOptions(target: target)).settings.isEmpty)
  }

  @Test("images have the same figures as in the corpus, and nothing is kept twice")
  func figures() throws {
    var sweep = SampleRows(images: 5, share: { 0.5 + 0.1 * Double($0) })
    sweep.change = { row in
      // Out of every range, and smaller than the metric allows.
      if row.image == "image4.png" { (row.width, row.height, row.scores["ssimulacra2"]) = (64, 64, nil) }
    }
    var builder = AnalysisBuilder(
      variants: sweep.variants, metrics: [.sampleHeadline, .sampleSSIM], keepsFigures: true)
    var figures = ImageFigures()
    func take(_ more: ImageFigures) {
      figures.savings += more.savings
      figures.rates += more.rates
    }
    for row in sweep.rows() {
      try builder.add(row)
      take(builder.takeFigures())
    }
    take(builder.takeFigures(rowsEnded: true))
    let analysis = builder.finish()
    #expect(figures.savings.count == 5 * analysis.options.targets.count)
    #expect(figures.rates.count == 5 * 2 * 2)
    let at70 = figures.savings.filter { $0.target == 70 }
    let logs = at70.compactMap { saving in saving.sizes.map { log($0.bytes / $0.referenceBytes) } }
    let bytes = try #require(analysis.matchedQualities.first { $0.target == 70 }?.bytes)
    #expect(logs.count == 4 && bytes.images == 4)
    #expect(abs((exp(logs.reduce(0, +) / 4) - 1) * 100 - bytes.mean) < 1e-9)
    let last = try #require(at70.last)
    #expect(
      last.image.name == "image4.png" && last.image.isSmall && last.result.problem == .missing
        && last.sizes == nil)
    for rate in figures.rates where rate.metric.id == "ssimulacra2" && rate.range == .band(50, 90) {
      #expect((rate.figure == nil) == (rate.result.problem != nil))
      if let scores = rate.scores { #expect(abs(scores.lowerBound - 50) < 1e-9 && scores.upperBound < 90.1) }
    }
  }
}
