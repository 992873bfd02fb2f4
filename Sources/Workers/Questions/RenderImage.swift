import CodecKit
import Metrics
package import Model
package import Pixels

package struct RenderRequest: Question, Hashable {
  package enum Subject: Codable, Sendable, Hashable {
    case prepared
    /// The decoded output of a codec. `kept` is the path of its file; if that cannot be read, it is encoded again.
    case encoded(CodecVariant, Quality, kept: String?)
    case file(ImageFile)
  }

  package enum Product: String, Codable, Sendable, Hashable {
    /// The encoded file; absent for prepared pixels.
    case file
    case picture
    /// Subsampled pixels as PNG, about 112 rows.
    case thumbnail
    /// The error map of SSIMULACRA 2 as PNG; absent for prepared pixels and images too small for the metric.
    case errorMap
  }

  package var subject: Subject
  package var products: [Product]
  /// The part of the prepared pixels that is encoded and shown; nil for all.
  package var region: PixelRegion?
  /// True to score the decoded pixels by the pool's metrics, against the same part of the image.
  package var isScored: Bool

  package init(
    _ subject: Subject, _ products: [Product], region: PixelRegion? = nil, isScored: Bool = false
  ) {
    (self.subject, self.products, self.region, self.isScored) = (subject, products, region, isScored)
  }

  /// An upper bound for the bytes of a product, with room for profiles.
  package static func mostBytes(pixels: Int) -> Int { 64 << 20 + 24 * min(pixels, 1 << 40) }
}

package struct Rendering: Codable, Sendable, Hashable {
  package var width: Int
  package var height: Int
  /// Size of the encoded file; nil for prepared pixels.
  package var encodedBytes: Int?
  package var encode: TimingSample?
  package var decode: TimingSample?
  package var scores: [String: Double] = [:]
  var sizes: [Int?] = []
}

extension RenderRequest {
  private static let thumbnailHeight = 112

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> Attached<Rendering> {
    guard let image = session.image else { throw Refusal.noImage }
    let original = try image.raster.part(region)
    var figures = Rendering(width: original.width, height: original.height)
    let (file, shown) = try shown(original, session, &figures)
    // Prepared on first use; for the whole open image, once for all requests.
    lazy var part = Result { try region == nil ? session.reference() : session.suite.prepare(original) }
    if isScored { figures.scores = try part.get()?.score(shown) ?? [:] }
    var attachment: [UInt8] = []
    let writer = session.registry.writer
    for product in products {
      let bytes: [UInt8]? =
        switch product {
        case .file: file
        case .picture: try writer.preview(shown)
        case .thumbnail: try writer.preview(shown.subsampled(by: shown.height / Self.thumbnailHeight))
        case .errorMap:
          try file == nil
            ? nil : part.get()?.errors(shown, ErrorMapPicture.picture)?.map(writer.preview)
        }
      figures.sizes.append(bytes?.count)
      attachment += bytes ?? []
    }
    return Attached(figures, attachment)
  }

  package func verify(
    _ answer: inout Attached<Rendering>, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) {
    let rendering = answer.body
    try check.check(width: rendering.width, height: rendering.height)
    try check.require(rendering.encodedBytes.map(Bound.bytes.contains) ?? true, "the encoded size")
    for sample in [rendering.encode, rendering.decode].compactMap({ $0 }) {
      try check.check([sample], repeats: 1...1)
    }
    try check.check(rendering.scores, asked: isScored ? check.setup.metrics : [])
    try check.require(rendering.sizes.count == products.count, "\(rendering.sizes.count) pictures")
    let most = Self.mostBytes(pixels: rendering.width * rendering.height)
    try check.require(rendering.sizes.allSatisfy { (0...most).contains($0 ?? 0) }, "the size of a picture")
  }

  package func attachment(of answer: Attached<Rendering>, by _: AnswerCheck) -> ClosedRange<Int> {
    let bytes = answer.body.sizes.reduce(0) { $0 + ($1 ?? 0) }
    return bytes...bytes
  }

  private func shown(
    _ original: RasterImage, _ session: WorkerSession, _ figures: inout Rendering
  ) throws -> (file: [UInt8]?, shown: RasterImage) {
    switch subject {
    case .prepared: return (nil, original)
    case .encoded(let variant, let quality, let kept):
      return try roundTrip(original, variant, quality, kept: kept, session, &figures)
    case .file(let imported):
      let opened = try OpenImage.open(imported, setup: session.setup, registry: session.registry)
      let file = try SourceFile.bytes(at: [UInt8](imported.path))
      figures.encodedBytes = file.count
      return (file, try opened.raster.part(region))
    }
  }

  private func roundTrip(
    _ image: RasterImage, _ variant: CodecVariant, _ quality: Quality, kept: String?,
    _ session: WorkerSession,
    _ figures: inout Rendering
  ) throws -> ([UInt8], RasterImage) {
    var measurer = try session.measurer(
      variant, quality, of: image, file: region == nil ? session.image?.file : nil)
    let file: [UInt8]
    if let kept, let bytes = try? SourceFile.bytes(at: Array(kept.utf8)) {
      file = bytes
    } else {
      guard variant.build == nil else {
        throw Failure(kind: .codec, message: "what a build encoded is shown only where its file was kept")
      }
      let encoded = try measurer.encode { _ in true }
      (file, figures.encode) = (encoded.first, encoded.samples.first)
    }
    let decoded = try measurer.decode(file) { _ in true }
    (figures.encodedBytes, figures.decode) = (file.count, decoded.samples.first)
    return (file, decoded.first)
  }
}

extension RasterImage {
  fileprivate func part(_ region: PixelRegion?) throws(Failure) -> RasterImage {
    guard let region else { return self }
    guard let part = cropped(to: region) else {
      throw Failure(kind: .limit, message: "the region is not inside the \(width)×\(height) pixels")
    }
    return part
  }
}
