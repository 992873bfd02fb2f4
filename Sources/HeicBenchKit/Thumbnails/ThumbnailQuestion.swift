import CodecKit
import Foundation
import Metrics
import Model
import Pixels
import Workers

struct ThumbnailStyle: Codable, Sendable {
  /// The longest sides in pixels, one for each thumbnail. Smaller pictures keep their size.
  var sides: [Int]
  /// Nil for PNG.
  var encoding: ReadEncoding?
  /// The lowest SSIMULACRA2 against the whole picture at which an embedded thumbnail is accepted.
  var score: Double

  /// The longest side, for which the picture is decoded.
  var side: Int { sides.max() ?? 1 }

  /// True if the bytes begin like a file of the requested format. Nothing else examines them before a viewer does.
  func isFile(_ bytes: Data) -> Bool {
    func has(_ text: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    return switch encoding?.variant.codec {
    case nil: bytes.starts(with: [0x89] + Array("PNG\r\n\u{1A}\n".utf8))
    case "jpeg": bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case "webp": has("RIFF", at: 0) && has("WEBP", at: 8)
    case "heic", "avif": has("ftyp", at: 4)
    default: !bytes.isEmpty
    }
  }
}

struct MadeThumbnails: Codable, Sendable {
  /// A kind of file, and the score of one of its embedded thumbnails.
  struct Judgement: Codable, Sendable {
    /// The format, the picture's size and the thumbnail's, camera and software: another phone may make thumbnails of
    /// the same size differently.
    var kind: String
    /// SSIMULACRA2 against the whole picture, after the best shift within a pixel.
    var score: Double
  }

  struct File: Codable, Sendable {
    /// The requested longest side.
    var side: Int
    /// The file, base 64 in the message.
    var bytes: Data
    var width, height: Int
  }

  /// The most bytes of all files together.
  static let largest = 11 << 20

  /// A file for each side of the style.
  var files: [File]
  /// The route that gave its pixels.
  var route: ReadRoute
  /// Remarks on the picture.
  var remarks: [String]
  /// A new finding about the kind of file, if any.
  var judgement: Judgement?
}

/// Makes a thumbnail, without opening an image, by the cheapest route that shows the picture well enough: from the
/// embedded thumbnail, at the decoder's own reduced size, or from the whole picture.
struct ThumbnailQuestion: Question {
  /// The path's bytes, base 64 in the message, because paths need not be text.
  var path: Data
  /// The file's display name.
  var name: String
  var style: ThumbnailStyle
  /// The known scores of embedded thumbnails, by kind of file.
  var known: [String: Double]
  /// True if embedded thumbnails of an unknown kind should be judged, since more files of the kind follow.
  var judges: Bool

  func reply(in session: WorkerSession, _: [UInt8]) throws -> MadeThumbnails {
    session.image = nil
    do { return try make(session.registry, session.setup.limits) } catch {
      throw Failure(error, memoryLimit: session.setup.memoryLimit).recorded
    }
  }

  func remarks(in answer: Answer) -> [String: [String]] { [name: answer.remarks] }

  func verify(_ thumbnail: inout MadeThumbnails, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(thumbnail.files.map(\.side) == style.sides, "the thumbnail's sizes")
    let bytes = thumbnail.files.reduce(0) { $0 + $1.bytes.count }
    try check.require((1...MadeThumbnails.largest).contains(bytes), "the thumbnail's bytes")
    for file in thumbnail.files {
      try check.require(style.isFile(file.bytes), "the thumbnail's format")
      let sides = 1...max(1, file.side)
      try check.require(sides.contains(file.width) && sides.contains(file.height), "the thumbnail's size")
    }
    try check.require([.full, .scaled, .thumbnail].contains(thumbnail.route), "the thumbnail's route")
    try check.require(thumbnail.judgement?.score.isFinite ?? true, "a score that is not a number")
    thumbnail.remarks = try check.clean(thumbnail.remarks)
    if let kind = thumbnail.judgement?.kind { thumbnail.judgement?.kind = check.clean(kind) }
  }

  private func make(_ registry: CodecRegistry, _ limits: ReadLimits) throws -> MadeThumbnails {
    let bytes = try SourceFile.bytes(at: [UInt8](path))
    let reader = try registry.imageReader(for: bytes)
    let header = try reader.header(of: bytes)
    var notes: [ReadRoute: [String]] = [:]
    let found = try pixels(header, making: { (try? reader.contents(of: bytes))?.making }) { request in
      let decoded = try reader.decode(bytes, request, limits: limits)
      notes[Self.route(of: request)] = decoded.notes
      return decoded.raster
    }
    let leftOut = reader.mayHaveGainMap(bytes) ? reader.stepsLeftOut(of: bytes) : []
    var made = MadeThumbnails(
      files: [], route: found.route, remarks: (notes[found.route] ?? []) + leftOut,
      judgement: found.judgement)
    for side in style.sides {
      // A reduced picture's sides are rounded. The whole picture has its own shape, whatever its header says.
      let size =
        found.route == .full
        ? found.image.size(fitting: side) : size(of: found.image, showing: header, fitting: side)
      let small = try found.image.reduced(toWidth: size.width, height: size.height, by: .lanczos)
      let (file, steps) = try file(of: small, registry)
      made.files.append(.init(side: side, bytes: Data(file), width: small.width, height: small.height))
      made.remarks += steps.filter { !made.remarks.contains($0) }
    }
    let total = made.files.reduce(0) { $0 + $1.bytes.count }
    guard total <= MadeThumbnails.largest else {
      throw Failure(
        kind: .limit,
        message: style.sides.count == 1
          ? "the thumbnail has \(total) bytes; use a smaller --size"
          : "its thumbnails have \(total) bytes together; use smaller or fewer sizes with --size")
    }
    return made
  }

  private static func route(of request: DecodePart) -> ReadRoute {
    switch request {
    case .thumbnail: .thumbnail
    case .scaled: .scaled
    default: .full
    }
  }

  private func pixels(
    _ header: ImageHeader, making: () -> FileMaking?, _ decode: (DecodePart) throws -> RasterImage?
  ) throws -> (image: RasterImage, route: ReadRoute, judgement: MadeThumbnails.Judgement?) {
    let wanted = min(style.side, max(header.width, header.height))
    let embedded = try? decode(.thumbnail(longestSide: wanted))
    if let small = embedded, max(small.width, small.height) >= wanted {
      let made = making()?.summary ?? ""
      let kind =
        "\(header.format) \(header.width)×\(header.height)\(made.isEmpty ? "" : " (\(made))"), "
        + "thumbnail \(small.width)×\(small.height)"
      if let score = known[kind] {
        if score >= style.score { return (small, .thumbnail, nil) }
      } else if judges {
        let side = Self.judgedScale * max(small.width, small.height)
        let (picture, route) = try whole(atLeast: side, decode)
        let judgement = MadeThumbnails.Judgement(kind: kind, score: judge(small, against: picture))
        return judgement.score >= style.score
          ? (small, .thumbnail, judgement) : (picture, route, judgement)
      }
    }
    let (picture, route) = try whole(atLeast: style.side, decode)
    return (picture, route, nil)
  }

  private func whole(
    atLeast side: Int, _ decode: (DecodePart) throws -> RasterImage?
  ) throws -> (RasterImage, ReadRoute) {
    // If this fails, the full decode reports the file's defects.
    if let scaled = try? decode(.scaled(longestSide: side)) { return (scaled, .scaled) }
    guard let picture = try decode(.full) else {
      throw Failure(kind: .source, message: "contains no picture")
    }
    return (picture, .full)
  }

  /// The size of the picture used to judge a thumbnail, as a multiple of the thumbnail's.
  private static let judgedScale = 4

  /// The score of a thumbnail against a picture, −1000 if they cannot be compared. Shifts are tried only if it is not
  /// good enough without.
  private func judge(_ thumbnail: RasterImage, against picture: RasterImage) -> Double {
    let noScore = -1000.0
    do {
      let headline = MetricTraits.headline.id
      // Averaging areas first, and working from the result, saves three passes over the picture.
      let (width, height) = (Self.judgedScale * thumbnail.width, Self.judgedScale * thumbnail.height)
      let base =
        width < picture.width && height < picture.height
        ? try picture.reduced(toWidth: width, height: height) : picture
      let reference = try ReducedReference(
        .init(width: thumbnail.width, height: thumbnail.height), of: base, try MetricSuite([headline]))
      let plain = try reference.prepared.score(thumbnail)[headline] ?? noScore
      guard plain < style.score else { return plain }
      return max(plain, try reference.alignedScore(of: thumbnail, base) ?? noScore)
    } catch {
      return noScore
    }
  }

  /// The size with the picture's proportions, never larger than the image.
  private func size(
    of image: RasterImage, showing header: ImageHeader, fitting side: Int
  ) -> (width: Int, height: Int) {
    let isTurned = (header.width > header.height) != (image.width > image.height)
    let (w, h) = isTurned ? (header.height, header.width) : (header.width, header.height)
    let scale = min(1, Double(side) / Double(max(w, h, 1)))
    func length(_ whole: Int, _ most: Int) -> Int {
      min(most, max(1, Int((Double(whole) * scale).rounded())))
    }
    return (length(w, image.width), length(h, image.height))
  }

  /// A thumbnail's file, and the steps that prepared it.
  private func file(
    of image: RasterImage, _ registry: CodecRegistry
  ) throws -> (bytes: [UInt8], steps: [String]) {
    guard let encoding = style.encoding else {
      let preparer = Preprocessor(Preparation(keepsAlpha: true, maximumBitDepth: 8))
      let prepared = try preparer.prepare(SourceImage(image: image))
      // A profile that PNG cannot store must not cost the thumbnail: a preview has its colours in sRGB instead.
      if let bytes = try? registry.writer.write(prepared.image) { return (bytes, prepared.steps) }
      return (try registry.writer.preview(prepared.image), prepared.steps + ["colours converted to sRGB"])
    }
    let codec = try registry.usableCodec(encoding.variant.codec)
    let preparer = Preprocessor(Preparation(for: [encoding.variant], registry: registry))
    let prepared = try preparer.prepare(SourceImage(image: image))
    let settings = EncodeSettings(variant: encoding.variant, quality: encoding.quality, traits: codec.traits)
    return (try codec.encode(prepared.image, settings), prepared.steps)
  }
}
