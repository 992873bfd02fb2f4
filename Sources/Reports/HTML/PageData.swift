import Analysis
import Foundation
import Model

/// The data of the page's scripts. Names are short because there is one of each for every point.
struct PageData: Encodable {
  struct Variant: Encodable {
    var name: String
    var imported: Bool?
  }

  struct Mean: Encodable {
    struct Curve: Encodable {
      var v: Int
      var b: [Double] = []
      /// The variant's saving against the reference; nil for the reference and without a figure.
      var saving: String?
    }

    /// Positions on the curve scale, and the number of images that reach each of them.
    var y: [Double]
    var n: [Int]
    var curves: [Curve]
  }

  struct Series: Encodable {
    var v: Int
    /// One per point: quality (nil for imported files), encoded bytes, scores by metric, CPU milliseconds of the
    /// encode.
    var q: [Double?] = []
    var b: [Int] = []
    var s: [String: [Double?]] = [:]
    var e: [Double?] = []
    /// Names of imported files; nil for a codec's points.
    var f: [String]?
    /// Change in bytes against the reference at each target, in percent.
    var c: [Double?] = []
  }

  struct Assets: Encodable {
    var reference, thumbnail: String
    /// By index of the variant, then of the point.
    var pictures: [String: [String?]]
    var maps: [String: [String?]]
  }

  struct Image: Encodable {
    var name: String
    var w, h: Int
    var raw: Int?
    var series: [Series]
    var assets: Assets?
  }

  var headline: String
  var verdictTarget: Double?
  var targets: [Double]
  var metrics: [MetricTraits]
  var variants: [Variant]
  var mean: [String: Mean]
  var images: [Image]

  /// JSON that may stand inside a script element: no `<` can end it.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    return text.replacing("<", with: "\\u003c")
  }
}

extension PageData {
  /// Rounds to fewer digits than a double has, which halves the page.
  static func rounded(_ value: Double, decimals: Int) -> Double {
    let factor = decimals == 2 ? 100.0 : 100_000.0
    // Numbers too large to scale have no decimals.
    let scaled = value * factor
    return scaled.isFinite ? scaled.rounded() / factor : value
  }

  /// The mean curves by metric. Those of one metric have the same positions and images.
  static func means(of analysis: Analysis) -> [String: Mean] {
    let indices = Dictionary(analysis.variants.enumerated().map { ($1, $0) }) { first, _ in first }
    let titles = analysis.metricTitles
    return Dictionary(grouping: analysis.drawnCurves, by: \.metric).mapValues { curves in
      Mean(
        y: curves[0].points.map { rounded($0.score, decimals: 5) }, n: curves[0].points.map(\.images),
        curves: curves.compactMap { curve in
          guard let index = indices[curve.variant] else { return nil }
          let rate = analysis.bdRates.first {
            $0.variant == curve.variant && $0.metric == curve.metric && $0.percent != nil
          }
          return Mean.Curve(
            v: index, b: curve.points.map { rounded($0.bitsPerPixel, decimals: 5) },
            saving: rate.map { saving($0, titles, headline: analysis.options.headlineMetric) })
        })
    }
  }

  private static func saving(
    _ rate: BDRateSummary, _ titles: [String: String], headline: String
  ) -> String {
    guard let percent = rate.percent else { return "" }
    let range = BDRateColumns.spelling(of: rate, titles: titles, headlineID: headline)
    return "\(rate.variant.name) \(Numerals.signed(percent.mean, decimals: 1)) % bytes at equal "
      + "\(titles[rate.metric] ?? rate.metric) (BD-rate, \(range), \(percent.images) of \(percent.outOf) images)"
  }
}

/// The pictures of one image in a report: addresses of PNG files relative to the page, or data URLs.
package struct ReportImage: Sendable, Hashable, Codable {
  package var name: String
  package var reference: String
  package var thumbnail: String
  package var pictures: [String: [String: String]]
  package var maps: [String: [String: String]]

  package init(
    name: String, reference: String, thumbnail: String, pictures: [String: [String: String]] = [:],
    maps: [String: [String: String]] = [:]
  ) {
    (self.name, self.reference, self.thumbnail) = (name, reference, thumbnail)
    (self.pictures, self.maps) = (pictures, maps)
  }
}
