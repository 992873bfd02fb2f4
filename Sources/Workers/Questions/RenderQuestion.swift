import CodecKit
import Metrics
package import Model
import Pixels

package struct RenderQuestion: Question, Hashable {
  package enum Subject: Codable, Sendable, Hashable {
    case prepared
    /// The decoded output of a codec. `kept` is the path of its file; if that cannot be read, the image is encoded
    /// again.
    case encoded(CodecVariant, Quality, kept: String?)
    case file(ImageFile)
  }

  package enum Product: String, Codable, Sendable, Hashable {
    case picture
    /// Subsampled pixels as PNG, about 112 rows.
    case thumbnail
    /// The error map of SSIMULACRA2 as PNG; absent for prepared pixels and images too small for the metric.
    case errorMap
  }

  package var subject: Subject
  package var products: [Product]

  package init(_ subject: Subject, _ products: [Product]) {
    (self.subject, self.products) = (subject, products)
  }

  /// An upper bound for the bytes of a product, with room for profiles.
  package static func mostBytes(pixels: Int) -> Int { 64 << 20 + 24 * min(pixels, 1 << 40) }

  package func remarks(in _: Answer) -> [String: [String]] { [:] }
}

package struct Rendering: Codable, Sendable, Hashable {
  package var width: Int
  package var height: Int
  var sizes: [Int?] = []
}

extension RenderQuestion {
  private static let thumbnailHeight = 112

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> Attached<Rendering> {
    guard let image = session.image else { throw Refusal.noImage }
    let shown = try shown(image, session)
    var figures = Rendering(width: shown.width, height: shown.height)
    var attachment: [UInt8] = []
    let writer = session.registry.writer
    for product in products {
      let bytes: [UInt8]? =
        switch product {
        case .picture: try writer.preview(shown)
        case .thumbnail: try writer.preview(shown.subsampled(by: shown.height / Self.thumbnailHeight))
        case .errorMap:
          subject == .prepared
            ? nil : try session.reference()?.errors(shown, ErrorMapPicture.picture)?.map(writer.preview)
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
    try check.require(rendering.sizes.count == products.count, "\(rendering.sizes.count) pictures")
    let most = Self.mostBytes(pixels: rendering.width * rendering.height)
    try check.require(rendering.sizes.allSatisfy { (0...most).contains($0 ?? 0) }, "the size of a picture")
  }

  package func attachment(of answer: Attached<Rendering>, by _: AnswerCheck) -> ClosedRange<Int> {
    let bytes = answer.body.sizes.reduce(0) { $0 + ($1 ?? 0) }
    return bytes...bytes
  }

  /// The products, by what was requested.
  func products(in answer: Attached<Rendering>) -> [Product: [UInt8]] {
    var rest = answer.bytes[...]
    var found: [Product: [UInt8]] = [:]
    for case (let product, let size?) in zip(products, answer.body.sizes) {
      found[product] = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return found
  }

  private func shown(_ image: OpenImage, _ session: WorkerSession) throws -> RasterImage {
    switch subject {
    case .prepared: return image.raster
    case .file(let imported):
      return try OpenImage.open(imported, setup: session.setup, registry: session.registry).raster
    case .encoded(let variant, let quality, let kept):
      var measurer = try session.measurer(variant, quality, of: image.raster, file: image.file)
      if let kept, let file = try? SourceFile.bytes(at: Array(kept.utf8)) {
        return try measurer.decode(file) { _ in true }.first
      }
      guard variant.build == nil else {
        throw Failure(kind: .codec, message: "a build's result can be shown only if its file was kept")
      }
      let encoded = try measurer.encode { _ in true }
      return try measurer.decode(encoded.first) { _ in true }.first
    }
  }
}
