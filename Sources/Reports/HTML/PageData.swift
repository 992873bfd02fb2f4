import Analysis
import Foundation
import Model

/// The data of the page's scripts. Names are short because there is one of each for every point.
struct PageData: Encodable {
  struct Metric: Encodable {
    var id, title, unit: String
    var decimals: Int
    var scale: String
    /// True if lower scores are better, otherwise nil.
    var lower: Bool?
  }

  struct Variant: Encodable {
    var name: String
    /// True for imported files, otherwise nil.
    var imported: Bool?
  }

  struct Mean: Encodable {
    var v: Int
    var metric: String
    /// Score on the curve's scale, bits per pixel, number of images.
    var points: [[Double]]
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
  var metrics: [Metric]
  var variants: [Variant]
  var mean: [Mean]
  var images: [Image]

  /// JSON that may stand inside a script element: no `<` can end it.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    return text.replacing("<", with: "\\u003c")
  }
}
