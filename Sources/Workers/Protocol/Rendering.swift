package import Model
package import Pixels

/// Asks for files and pictures made of the open image.
package struct RenderRequest: Codable, Sendable, Hashable {
  /// What the pictures show.
  package enum Subject: Codable, Sendable, Hashable {
    /// The pixels that go into every codec.
    case prepared
    /// What a codec makes of them. `kept` is the path of a file that holds the encode already; where it cannot be
    /// read the image is encoded again.
    case encoded(CodecVariant, Quality, kept: String?)
    /// What several codecs make of them, side by side on a sheet; a picture is all that comes of it.
    case sheet(ComparisonSheet)
    /// What is in a file that another encoder made of them.
    case file(ImageFile)
  }

  /// What comes back.
  package enum Product: String, Codable, Sendable, Hashable {
    /// The encoded file; of prepared pixels there is none.
    case file
    /// The pixels as PNG.
    case picture
    /// Every so-manieth of them as PNG, about 112 rows.
    case thumbnail
    /// Where SSIMULACRA 2 sees errors, as PNG; none of prepared pixels and of images too small for the metric.
    case errorMap
  }

  /// What is shown.
  package var subject: Subject
  /// What comes back, in this order.
  package var products: [Product]
  /// The part of the prepared pixels that is encoded and shown; nil for all.
  package var region: PixelRegion?
  /// Whether the decoded pixels are scored by the pool's metrics, against the same part of the image.
  package var isScored: Bool

  /// Asks for pictures.
  package init(
    _ subject: Subject, _ products: [Product], region: PixelRegion? = nil, isScored: Bool = false
  ) {
    (self.subject, self.products, self.region, self.isScored) = (subject, products, region, isScored)
  }

  /// Bytes that no product of this many pixels comes near, with room for profiles.
  static func mostBytes(pixels: Int) -> Int { 64 << 20 + 24 * min(pixels, 1 << 40) }
}

/// What a worker made of the open image; the products follow in order.
package struct Rendering: Codable, Sendable, Hashable {
  /// Columns of what is shown.
  package var width: Int
  /// Its rows.
  package var height: Int
  /// Size of the encoded file; nil for prepared pixels.
  package var encodedBytes: Int?
  /// What the encode took; nil where it was not made.
  package var encode: TimingSample?
  /// What the decode took.
  package var decode: TimingSample?
  /// The scores that were asked for.
  package var scores: [String: Double] = [:]
  /// The size of each product, nil for one that there is not.
  var sizes: [Int?] = []
}

/// A rendering with its products.
package struct RenderedImage: Sendable {
  /// Sizes, times and scores.
  package let figures: Rendering
  /// The bytes of what was asked for, as far as there is such a thing.
  package let products: [RenderRequest.Product: [UInt8]]

  /// Cuts the products out of what followed the reply.
  init(_ figures: Rendering, of request: RenderRequest, payload: [UInt8]) {
    self.figures = figures
    var found: [RenderRequest.Product: [UInt8]] = [:]
    var start = 0
    for (product, size) in zip(request.products, figures.sizes) {
      guard let size else { continue }
      found[product] = Array(payload[start..<start + size])
      start += size
    }
    products = found
  }
}
