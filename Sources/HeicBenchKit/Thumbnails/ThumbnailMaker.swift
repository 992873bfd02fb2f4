import CodecKit
import Foundation
import Metrics
import Model
import Pixels
import Workers

/// Makes thumbnails by the cheapest route that shows the picture well enough: from the embedded thumbnail, at the
/// decoder's own reduced size, or from the whole picture.
struct ThumbnailMaker {
  let setup: WorkerSetup
  let registry: CodecRegistry

  private struct Source {
    var bytes: [UInt8]
    var reader: any ImageReader
    var header: ImageHeader
  }

  private struct Found {
    var image: RasterImage
    var route: ReadRoute
    var judgement: MadeThumbnail.Judgement?
  }

  func make(_ request: ThumbnailRequest) throws -> MadeThumbnail {
    let bytes = try SourceFile.bytes(at: [UInt8](request.path))
    guard let reader = registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "not an image of a known format")
    }
    let source = Source(bytes: bytes, reader: reader, header: try reader.header(of: bytes))
    let found = try pixels(of: source, request)
    let size = Self.size(of: found.image, showing: source.header, side: request.style.side)
    let small = try found.image.reduced(toWidth: size.width, height: size.height, by: .lanczos)
    let file = try file(of: small, request.style)
    guard file.count <= MadeThumbnail.largest else {
      throw Failure(kind: .limit, message: "the thumbnail has \(file.count) bytes; ask for a smaller --size")
    }
    return MadeThumbnail(
      bytes: Data(file), width: small.width, height: small.height, route: found.route,
      judgement: found.judgement)
  }

  private func pixels(of source: Source, _ request: ThumbnailRequest) throws -> Found {
    let style = request.style
    let wanted = min(style.side, max(source.header.width, source.header.height))
    if let small = embedded(in: source, atLeast: wanted) {
      let kind = Self.kind(of: source.header, small)
      if let score = request.known[kind] {
        if score >= style.score { return Found(image: small, route: .thumbnail) }
      } else if let picture = try source.reader.decode(source.bytes, .full, limits: setup.limits).raster {
        let score = judge(small, against: picture, enough: style.score)
        let judgement = MadeThumbnail.Judgement(kind: kind, score: score)
        let isHonest = score >= style.score
        return Found(
          image: isHonest ? small : picture, route: isHonest ? .thumbnail : .full, judgement: judgement)
      }
    }
    // Decoding all of a file will report its defects.
    let scaled = try? source.reader.decode(
      source.bytes, .scaled(longestSide: style.side), limits: setup.limits)
    if let image = scaled?.raster { return Found(image: image, route: .scaled) }
    guard let picture = try source.reader.decode(source.bytes, .full, limits: setup.limits).raster else {
      throw Failure(kind: .source, message: "holds no picture")
    }
    return Found(image: picture, route: .full)
  }

  /// The embedded thumbnail, if it is large enough and intact.
  private func embedded(in source: Source, atLeast side: Int) -> RasterImage? {
    let found = try? source.reader.decode(
      source.bytes, .thumbnail(longestSide: side), limits: setup.limits)
    guard let image = found?.raster, max(image.width, image.height) >= side else { return nil }
    return image
  }

  private static func kind(of header: ImageHeader, _ thumbnail: RasterImage) -> String {
    "\(header.format) \(header.width)×\(header.height), thumbnail \(thumbnail.width)×\(thumbnail.height)"
  }

  /// The score of a thumbnail that cannot be compared.
  private static let noScore = -1000.0

  /// The score of a thumbnail against a picture; shifts are tried only if it is below `enough`.
  private func judge(_ thumbnail: RasterImage, against picture: RasterImage, enough: Double) -> Double {
    do {
      let suite = try MetricSuite([MetricTraits.headline.id])
      let reference = try ReducedReference(
        .init(width: thumbnail.width, height: thumbnail.height), of: picture, suite)
      let plain = try reference.prepared.score(thumbnail)[MetricTraits.headline.id] ?? Self.noScore
      guard plain < enough else { return plain }
      return max(plain, try reference.alignedScore(of: thumbnail, picture) ?? Self.noScore)
    } catch {
      return Self.noScore
    }
  }

  /// The size with the picture's proportions, never larger than the image.
  static func size(
    of image: RasterImage, showing header: ImageHeader, side: Int
  ) -> (width: Int, height: Int) {
    let isTurned = (header.width > header.height) != (image.width > image.height)
    let (w, h) = isTurned ? (header.height, header.width) : (header.width, header.height)
    let scale = min(1, Double(side) / Double(max(w, h, 1)))
    func length(_ whole: Int, _ most: Int) -> Int {
      min(most, max(1, Int((Double(whole) * scale).rounded())))
    }
    return (length(w, image.width), length(h, image.height))
  }

  private func file(of image: RasterImage, _ style: ThumbnailStyle) throws -> [UInt8] {
    switch style.format {
    case .png:
      let preparer = Preprocessor(Preparation(keepsAlpha: true, maximumBitDepth: 8))
      let prepared = try preparer.prepare(SourceImage(image: image)).image
      // A profile that PNG cannot hold must not cost the thumbnail: a preview has its colours in sRGB instead.
      return try (try? registry.writer.write(prepared)) ?? registry.writer.preview(prepared)
    case .encoded(let encoding):
      guard let codec = registry.codec(encoding.variant.codec) else {
        throw Failure(kind: .codec, message: "this program has no codec “\(encoding.variant.codec)”")
      }
      let preparer = Preprocessor(Preparation(for: [encoding.variant], registry: registry))
      return try codec.encode(
        preparer.prepare(SourceImage(image: image)).image,
        EncodeSettings(variant: encoding.variant, quality: encoding.quality, traits: codec.traits))
    }
  }
}
