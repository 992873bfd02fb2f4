import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

@Suite struct HTMLReportTests {
  /// A run of one image whose name is markup, with a saving of one half at every score.
  private func report(imageName: String, images: [ReportImage] = []) throws -> HTMLReport {
    let metric = MetricTraits(id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2)
    let variants = [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")]
    var builder = AnalysisBuilder(variants: variants, metrics: [metric])
    var (digest, series) = (RunDigest(), PageSeries(variants: variants))
    for (variant, factor) in zip(variants, [2, 1]) {
      for step in 1...9 {
        var row = ResultRow(image: imageName, status: .measured)
        (row.width, row.height, row.variant) = (100, 80, variant)
        row.quality = Quality(thousandths: step * 100)
        row.encodedBytes = factor * step * step * 1000
        row.rawBytes = 24_000
        row.scores = ["ssimulacra2": 10 + Double(step) * 9]
        try builder.add(row)
        digest.add(row)
        series.add(row)
      }
    }
    return HTMLReport(
      report: RunReport(manifest: nil, analysis: builder.finish(), digest: digest), series: series,
      charts: [:], images: images)
  }

  @Test("A figure stays on one line with its unit")
  func figuresKeepTheirUnits() {
    #expect(
      HTMLText.prose("7 ms, (12 kB) & 30 %; 5 ms/MP")
        == "7\u{a0}ms, (12\u{a0}kB) &amp; 30\u{a0}%; 5\u{a0}ms/MP")
    #expect(HTMLText.prose("4 dBx, 3  px, of ms, 2 m") == "4 dBx, 3  px, of ms, 2 m")
  }

  @Test("Names never become markup, neither in the page nor in its data")
  func escaping() throws {
    let page = try report(imageName: "</script><script>alert(1)</script>\"'&.png").html()
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("</script><script>alert"))
    #expect(page.components(separatedBy: "</script>").count == 3)
  }

  @Test("Points stay with their variant if the analysis has the variants in another order")
  func orderOfVariants() throws {
    let variants = [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")]
    var builder = AnalysisBuilder(variants: variants, metrics: [])
    var series = PageSeries(variants: [])
    for (variant, bytes) in zip(variants.reversed(), [10, 20]) {
      var row = ResultRow(image: "a.png", status: .measured)
      (row.width, row.height, row.variant) = (1, 1, variant)
      (row.quality, row.encodedBytes) = (Quality(thousandths: 500), bytes)
      try builder.add(row)
      series.add(row)
    }
    let images = series.images(of: builder.finish(), pictures: [])
    #expect(images.first?.series.map(\.v) == [1, 0])
    #expect(images.first?.series.map(\.b) == [[10], [20]])
  }

  @Test("A table that the page cuts says so")
  func cutTable() {
    let columns: [Column<Int>] = [.count("number", "Number") { $0 }]
    func page(_ rows: Int) -> String {
      ReportTable("Numbers", columns, Array(0..<rows), fold: .closed, note: "A note.", pageRows: 1000).html()
    }
    #expect(page(1001).contains("A note. The first 1,000 of 1,001 rows; summary.md has them all."))
    #expect(!page(1001).contains(">1,000</td>") && page(1000).contains("<p class=\"context\">A note.</p>"))
  }

  @Test("Small scores, and those close to 1, keep their digits on the page")
  func digitsOfScores() {
    var series = PageSeries(variants: [CodecVariant(codec: "jpeg")])
    var row = SampleRows.measured("a.png", variant: CodecVariant(codec: "jpeg"))
    row.scores = ["dssim": 0.000_004, "ssim": 0.999_996_4, "ssimulacra2": 70.123_456_78]
    series.add(row)
    let scores = series.images["a.png"]?.series.first?.s
    #expect(scores == ["dssim": [0.000_004], "ssim": [0.999_996_4], "ssimulacra2": [70.123_46]])
  }

  @Test("A copy takes no image's place on the page")
  func copies() throws {
    let sweep = SampleRows(
      images: 3, change: { row in if row.image == "image1.png" { row.imageHash = "hash0" } })
    var series = PageSeries(variants: sweep.variants, limit: 2)
    for row in sweep.rows() { series.add(row) }
    let analysis = try sweep.analysis(options: AnalysisOptions(detailedImages: 2))
    #expect(series.images(of: analysis, pictures: []).map(\.name) == ["image0.png", "image2.png"])
  }

  @Test("The policy allows this page's own style and scripts by hash, and no network")
  func policy() throws {
    let page = try report(imageName: "a.png").html()
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("script-src 'sha256-"))
    #expect(!page.contains("unsafe-inline"))
    #expect(page.firstRange(of: "https://") == nil)
    #expect(!page.contains("style=\""))
  }

  @Test("The answer can be read without script")
  func readableWithoutScript() throws {
    let page = try report(imageName: "a.png").html()
    let visible = page.replacing(/<script.*?<\/script>/.dotMatchesNewlines(), with: "")
    #expect(visible.contains("50\u{a0}% fewer bytes"))
    #expect(visible.contains("−50"))
    // A codec has the same name in the page's tables as in its charts.
    #expect(visible.contains("<td>HEIC</td>") && !visible.contains("<code>heic</code>"))
  }

  @Test("The headline is the first heading, appears once, and precedes figures, scale and warnings")
  func headlineFirst() throws {
    let page = try report(imageName: "a.png").html()
    let heading = try #require(page.firstMatch(of: /<h1>(At .*?)<\/h1>/))
    #expect(
      page.components(separatedBy: String(heading.1)).count == 2
        && page.components(separatedBy: "<h1").count == 2)
    let order = [
      "<h1>", "class=\"figures\"", "90 = no visible difference even when flickering", "class=\"warning\"",
    ]
    let places = try order.map { try #require(page.firstRange(of: $0)).lowerBound }
    #expect(places == places.sorted())
    // The heading's score does not have a card.
    let cards = try #require(page.firstMatch(of: /<ul class="figures">.*?<\/ul>/)).output
    #expect(!cards.contains("SSIMULACRA2 80") && cards.contains("SSIMULACRA2 90"))
  }

  @Test("Every placeholder of the page is filled")
  func noPlaceholderIsLeft() throws {
    #expect(try !report(imageName: "a.png").html().contains("{{"))
    #expect(throws: HTMLTemplate.TemplateError.self) {
      try HTMLTemplate.filled("{{nothing}}", with: [:])
    }
  }

  @Test("The data contain each point with its scores, and pictures by point")
  func data() throws {
    let picture = ReportImage(
      name: "a.png", reference: "r.png", thumbnail: "t.png", pictures: ["heic": ["0.5": "p.png"]])
    let page = try report(imageName: "a.png", images: [picture]).html()
    let pattern = /<script type="application\/json" id="data">(.*?)<\/script>/
    let data = page.firstMatch(of: pattern)?.1
    let json = try #require(data)
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let images = try #require(parsed?["images"] as? [[String: Any]])
    let series = try #require(images.first?["series"] as? [[String: Any]])
    #expect(series.count == 2)
    #expect((series[1]["b"] as? [Int])?.count == 9)
    let assets = try #require(images.first?["assets"] as? [String: Any])
    let heic = try #require((assets["pictures"] as? [String: [Any]])?["1"])
    #expect(heic[4] as? String == "p.png")
    #expect(heic[3] is NSNull)
  }

  /// Metrics with each kind of scale.
  private static let metrics = [
    MetricTraits(
      id: "ssimulacra2", column: "a", title: "SSIMULACRA2", decimals: 2,
      scale: .init(targets: [70], headline: 70, band: 50...90)),
    MetricTraits(
      id: "ssim", column: "b", title: "SSIM", curveScale: .decibelsBelowOne, decimals: 4,
      scale: .init(targets: [0.95], headline: 0.95, band: 0.9...0.99)),
    MetricTraits(id: "distance", column: "c", title: "Distance", higherIsBetter: false, decimals: 3),
  ]

  private static func rows(_ image: String, _ variant: CodecVariant, bytes: Double) -> [ResultRow] {
    (1...9).map { step in
      let gain = Double(step) / 10
      var row = ResultRow(image: image, status: .measured)
      (row.width, row.height, row.variant) = (100, 80, variant)
      (row.quality, row.encodedBytes) = (Quality(thousandths: step * 100), Int(bytes * exp(3 * gain)))
      row.scores = [
        "ssimulacra2": 10 + 90 * gain, "ssim": 1 - pow(10, -0.5 - 2 * gain), "distance": 9 - 8 * gain,
      ]
      return row
    }
  }

  @Test("The page has each metric's mean curve and saving as the analysis interpolates them")
  func meansOfEveryMetric() throws {
    let variants = [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")]
    var builder = AnalysisBuilder(variants: variants, metrics: Self.metrics)
    // Indexed by image, variant and metric.
    var curves: [[[RateQualityCurve]]] = []
    for (image, hardness) in [
      ("a.png", 1.0), ("b.png", 1.3), ("c.png", 1.1), ("d.png", 0.9), ("e.png", 1.2),
    ] {
      let rows = zip(variants, [2000, 1200]).map { Self.rows(image, $0, bytes: hardness * $1) }
      for row in rows.joined() { try builder.add(row) }
      curves.append(
        try rows.map { rows in
          let samples = rows.compactMap { PointSample($0, metrics: Self.metrics) }
          return try VariantCurves(samples, metrics: Self.metrics).curves.map { try $0.get() }
        })
    }
    let analysis = builder.finish()
    let means = PageData.means(of: analysis)
    for (index, metric) in Self.metrics.enumerated() {
      let mean = try #require(means[metric.id])
      #expect(mean.y.count > 20 && mean.y.count < 200 && mean.n == mean.y.map { _ in 5 })
      #expect(mean.curves.map(\.v) == [0, 1] && mean.curves.map(\.b.count) == [mean.y.count, mean.y.count])
      for curve in mean.curves {
        for (y, rate) in zip(mean.y, curve.b) {
          let bytes = try curves.map { try #require($0[curve.v][index].drawnBytes(at: y)) }
          #expect(abs(exp(bytes.reduce(0) { $0 + log($1) } / 5) * 8 / 8000 - rate) < 2e-5)
        }
      }
      let figure = try #require(analysis.bdRates.first { $0.metric == metric.id }?.percent)
      let change = Numerals.signed(figure.mean, decimals: 1)
      #expect(mean.curves[0].saving == nil)
      #expect(mean.curves[1].saving?.hasPrefix("HEIC \(change) % bytes at equal \(metric.title)") == true)
    }
  }

  @Test("Images are chosen by rule: extremes, median, quarters")
  func selection() throws {
    var analysis = Analysis(
      variants: [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")], metrics: [])
    analysis.imageDetails = (0..<9).map { index in
      let heic = ImageDetail.Variant(
        variant: CodecVariant(codec: "heic"), points: [],
        changeAtTargets: [Double((index * 4) % 9)])
      return ImageDetail(image: "\(index)", width: 1, height: 1, variants: [heic])
    }
    // The changes are 0 4 8 3 7 2 6 1 5, so the lowest is image 0, the highest image 2, and the median image 1.
    #expect(analysis.shownImages(3) == ["0", "1", "2"])
    #expect(analysis.shownImages(0).isEmpty)
    #expect(analysis.shownImages(nil).count == 9)
    #expect(analysis.shownImages(5) == ["0", "1", "2", "5", "6"])
    #expect(analysis.shownImages(99).count == 9)
  }
}
