import Model
import SampleData
import Store
import Testing

@testable import Analysis

@Suite struct ImageValuesTests {
  /// Values around a center, most of them near it.
  private static func values(_ count: Int, around center: Double, seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let place = generator.unit() - 0.5
      return center + 40 * place * place * place
    }
  }

  @Test("Mean and interval are exact, and up to a thousand values are kept")
  func moments() throws {
    for (count, center, seed) in [
      (5, -0.3, 1), (50, 3, 2), (51, -31, 3), (1000, -31, 4), (1001, -31, 5), (1001, 1e6, 6),
      (20_000, -0.3, 7),
    ] as [(Int, Double, UInt64)] {
      let all = Self.values(count, around: center, seed: seed)
      let values = ImageValues(all)
      let mean = all.reduce(0, +) / Double(count)
      #expect(values.count == count && values.mean == mean)
      #expect(values.few == (count <= 1000 ? all : []))
      let variance = all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)
      #expect(try abs(#require(values.variance) / variance - 1) < 1e-9, "\(count) around \(center)")
      let interval = try #require(Bootstrap.interval(of: values, resamples: 200, seed: 1))
      guard count > 1000 else { continue }
      let margin = 1.959964 * (variance / Double(count)).squareRoot()
      #expect(interval.method == .normal)
      #expect(abs(interval.lower - (mean - margin)) <= 1e-12 * abs(mean))
      #expect(abs(interval.upper - (mean + margin)) <= 1e-12 * abs(mean))
    }
  }

  @Test func noValuesHaveNoMean() {
    #expect(ImageValues().mean == nil && ImageValues().variance == nil)
    #expect(ImageValues([3]).mean == 3 && ImageValues([3]).variance == nil)
  }

  @Test(
    "The median is exact for up to a thousand values, and has 24 bits beyond",
    arguments: [999, 1000, 1001, 4096])
  func agreesWithTheMedianOfAllValues(count: Int) throws {
    let all = Self.values(count, around: -31, seed: UInt64(count))
    var column = FigureColumn(.plain)
    for value in all { column.add(value, image: NamedImage(name: "")) }
    let figure = try #require(column.figure(outOf: count, options: AnalysisOptions(resamples: 2)))
    let exact = try #require(all.median)
    if count <= 1000 {
      #expect(figure.median == exact)
    } else {
      #expect(figure.median == all.map { Double(Float($0)) }.median)
      #expect(abs(figure.median - exact) <= abs(exact) * Double(Float.ulpOfOne))
    }
    #expect(figure.mean == all.reduce(0, +) / Double(count) && figure.images == count)
    #expect(figure.best.value == all.min() && figure.worst.value == all.max())
  }

  @Test("Agreement of metrics uses images with both figures, however many there are", arguments: [900, 1300])
  func agreement(count: Int) throws {
    let rates = Self.values(count, around: -20, seed: 11)
    let headlineRates = Self.values(count, around: -31, seed: 12)
    var column = AgreementColumn()
    for image in 0..<count {
      column.add(image % 5 == 0 ? nil : rates[image], headline: image % 7 == 0 ? nil : headlineRates[image])
    }
    let both = (0..<count).filter { $0 % 5 > 0 && $0 % 7 > 0 }
    let view = try #require(column.view("other", outOf: count, options: AnalysisOptions(resamples: 200)))
    #expect(view.images == both.count && view.opinion == .less)
    #expect(view.rate.mean == both.reduce(0) { $0 + rates[$1] } / Double(both.count))
    #expect(view.headlineRate.mean == both.reduce(0) { $0 + headlineRates[$1] } / Double(both.count))
    #expect(
      view.difference.mean == both.reduce(0) { $0 + (rates[$1] - headlineRates[$1]) } / Double(both.count))
    #expect(view.difference.interval.method == (both.count > 1000 ? .normal : .bootstrap))
    #expect(column.view("other", outOf: both.count * 2 + 1, options: AnalysisOptions()) == nil)
  }

  @Test("For very many images, an analysis keeps four bytes per figure and sixteen per name")
  func kept() throws {
    let rows = SampleRows(images: 1).rows()
    var builder = AnalysisBuilder(
      variants: SampleRows().variants, metrics: [.sampleHeadline, .sampleSSIM],
      options: AnalysisOptions(detailedImages: 1))
    func add(_ images: Range<Int>) throws {
      for image in images {
        for var row in rows {
          (row.image, row.imageHash) = ("\(image)", "\(image)")
          try builder.add(row)
        }
      }
    }
    try add(0..<1010)
    let before = Self.bytes(of: builder)
    try add(1010..<1110)
    let added = Self.bytes(of: builder) - before
    let analysis = builder.finish()
    let targets = analysis.matchedQualities.count { $0.bytes?.images == 1110 }
    let rates = analysis.bdRates.count { $0.percent?.images == 1110 }
    // Bytes at targets, BD-rates, and which qualities reach targets.
    #expect(targets >= 3 && rates == 4 && analysis.settings.count { $0.images == 1110 } >= 2 * targets)
    #expect(added <= 100 * (4 * (4 + rates + 2 * 4) + 16))
  }

  /// The bytes of a value, including its arrays, sets and tables; approximate for texts and the like.
  private static func bytes(of value: Any) -> Int {
    switch value {
    case is Float: return 4
    case is Bool: return 1
    case let text as String: return 16 + text.utf8.count
    default:
      let children = Mirror(reflecting: value).children
      return children.isEmpty ? 8 : children.reduce(0) { $0 + bytes(of: $1.value) }
    }
  }
}
