internal import Analysis
internal import Foundation
internal import Model

/// What the page's scripts work on. The names are short because there is one of each for every point.
struct PageData: Encodable {
  struct Metric: Encodable {
    var id, title, unit: String
    var decimals: Int
    var scale: String
    /// True where lower scores are better; else nil.
    var lower: Bool?
  }

  struct Variant: Encodable {
    var name: String
    /// True where it stands for imported files; else nil.
    var imported: Bool?
  }

  struct Mean: Encodable {
    var v: Int
    var metric: String
    /// Score on the curve's scale, bits per pixel, images.
    var points: [[Double]]
  }

  struct Series: Encodable {
    /// Index of the variant.
    var v: Int
    /// Qualities (nil for imported files), encoded bytes, scores by metric, CPU milliseconds of encode: one of each for every point.
    var q: [Double?] = []
    var b: [Int] = []
    var s: [String: [Double?]] = [:]
    var e: [Double?] = []
    /// The names of imported files; nil for a codec's points.
    var f: [String]?
    /// Change in bytes against the reference at each target, percent.
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

  /// JSON that may stand inside a script element: no `<` that could end it.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    return text.replacing("<", with: "\\u003c")
  }
}
