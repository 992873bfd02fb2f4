package import Analysis
import Foundation
import Model

/// The data of the page's scripts. Names are short because they repeat for every point.
struct PageData: Encodable {
  struct Variant: Encodable {
    var name: String
    var colour: Int
    var dash: String
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
  var verdictVariant: Int?
  var mean: [String: Mean]
  var images: [Image]
}

extension PageData {
  /// Rounds to fewer digits than a double has, which halves the size of the page.
  static func rounded(_ value: Double, decimals: Int) -> Double {
    let factor = decimals == 2 ? 100.0 : 100_000.0
    // Numbers too large to scale have no decimals.
    let scaled = value * factor
    return scaled.isFinite ? scaled.rounded() / factor : value
  }

  /// Rounds a score or its position to seven digits: decimals would erase the differences between small numbers, such
  /// as DSSIM's, and SSIM's close to 1.
  static func rounded(score value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    let factor = pow(10, 6 - log10(abs(value)).rounded(.down))
    let scaled = value * factor
    return scaled.isFinite ? scaled.rounded() / factor : value
  }

  /// The mean curves by metric. The curves of a metric share positions and images.
  static func means(of analysis: Analysis) -> [String: Mean] {
    let indices = Dictionary(analysis.variants.enumerated().map { ($1, $0) }) { first, _ in first }
    let titles = analysis.metricTitles
    return Dictionary(grouping: analysis.drawnCurves, by: \.metric).mapValues { curves in
      Mean(
        y: curves[0].points.map { rounded(score: $0.score) }, n: curves[0].points.map(\.images),
        curves: curves.compactMap { curve in
          guard let index = indices[curve.variant] else { return nil }
          let rate = analysis.bdRates.first {
            $0.variant == curve.variant && $0.metric == curve.metric && $0.percent != nil
          }
          return Mean.Curve(
            v: index, b: curve.points.map { rounded($0.bitsPerPixel, decimals: 5) },
            saving: rate.flatMap { saving($0, titles, headline: analysis.options.headlineMetric) })
        })
    }
  }

  private static func saving(
    _ rate: BDRateSummary, _ titles: [String: String], headline: String
  ) -> String? {
    guard let percent = rate.percent, let interval = percent.interval else { return nil }
    let range = BDRateColumns.spelling(of: rate, titles: titles, headlineID: headline)
    return "\(rate.variant.title) \(Numerals.signed(percent.mean, decimals: 1)) % bytes at equal "
      + "\(titles[rate.metric] ?? rate.metric) (BD-rate, \(range), 95 % interval "
      + "\(interval.ends(decimals: 1)) %, \(percent.images) of \(percent.outOf) images)"
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

extension Analysis {
  /// The names of the `count` images that a report shows, in the order of the run; all images if nil.
  ///
  /// A rule chooses them: images are ranked by the change in bytes at the verdict's target, those without a figure
  /// last, and ranks are picked by halving: first, last, middle, quarters, eighths.
  package func shownImages(_ count: Int?) -> [String] {
    let ranked = rankedImages
    let wanted = min(max(count ?? .max, 0), ranked.count)
    var chosen: Set<Int> = []
    var steps = 1
    while chosen.count < wanted {
      for part in 0...steps where chosen.count < wanted {
        chosen.insert((ranked.count - 1) * part / steps)
      }
      steps *= 2
    }
    let names = Set(chosen.map { ranked[$0] })
    return imageDetails.map(\.image).filter(names.contains)
  }

  private var rankedImages: [String] {
    let target = verdicts.first?.target
    let index = options.targets.firstIndex { $0 == target } ?? 0
    let changes = imageDetails.map { detail in
      let changes = detail.variants.first { $0.variant != reference }?.changeAtTargets ?? []
      return (name: detail.image, change: changes.indices.contains(index) ? changes[index] : nil)
    }
    let known = changes.filter { $0.change != nil }.sorted { ($0.change ?? 0) < ($1.change ?? 0) }
    return (known + changes.filter { $0.change == nil }).map(\.name)
  }
}
