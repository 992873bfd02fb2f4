/// A method of getting pixels out of a file.
package enum ReadRoute: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole file is decoded.
  case full
  /// The whole file is decoded, but not converted to RGB.
  case ycbcr
  /// The decoder itself downscales, as JPEG's inverse DCT does.
  case scaled
  /// An embedded thumbnail is decoded.
  case thumbnail
  /// A region in the middle is decoded.
  case region
  /// The first tile of a tiled picture is decoded.
  case firstTile = "first-tile"
}

/// The requested part or size of a picture.
package enum WantedPixels: Sendable, Hashable, Codable, CustomStringConvertible {
  case all
  /// The whole picture at this longest side, pixels.
  case side(Int)
  /// A region in the middle, in pixels.
  case part(width: Int, height: Int)

  /// Parses the spelling of `description`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard text != "full" else {
      self = .all
      return
    }
    guard parts.allSatisfy({ $0 > 0 }) else { return nil }
    switch parts.count {
    case 1: self = .side(parts[0])
    case 2: self = .part(width: parts[0], height: parts[1])
    default: return nil
    }
  }

  /// `full`, `320` or `512x512`.
  package var description: String {
    switch self {
    case .all: "full"
    case .side(let side): "\(side)"
    case .part(let width, let height): "\(width)x\(height)"
    }
  }
}

/// The encode that produced a file to be read.
package struct ReadEncoding: Sendable, Hashable, Codable {
  package var variant: CodecVariant
  package var quality: Quality

  package init(variant: CodecVariant, quality: Quality) {
    (self.variant, self.quality) = (variant, quality)
  }
}

extension Case {
  /// A read of a picture's own file, or of a codec's encode of it, by one route.
  /// - Parameters:
  ///   - format: The format of the file as found; empty if its header does not give it.
  ///   - preparation: The preparation of pictures for codecs, canonically spelled.
  package init(
    image: ImageIdentity, encoding: ReadEncoding?, format: String = "", preparation: String = "",
    route: ReadRoute, wanted: WantedPixels, libraries: String = "", build: String? = nil
  ) {
    self.init(
      image: image, preparation: encoding == nil ? "" : preparation,
      variant: encoding?.variant ?? CodecVariant(codec: format, build: build),
      encodedAt: encoding?.quality, way: .read(route, wanted), libraries: libraries)
  }

  /// The encode of the file; nil for a file as found.
  package var encoding: ReadEncoding? { encodedAt.map { ReadEncoding(variant: variant, quality: $0) } }

  package var route: ReadRoute { if case .read(let route, _) = way { route } else { .full } }
  package var wanted: WantedPixels { if case .read(_, let wanted) = way { wanted } else { .all } }
}

/// The figures of a read.
extension Figures {
  /// Creates figures of a read with the others still to be filled in. Width and height are of the upright picture.
  package init(format: String, fileBytes: Int, width: Int, height: Int, touchedBytes: Int) {
    self.init(
      nativeQuality: 0, encodedBytes: fileBytes, encodedHash: "",
      timing: TimingSeries(conditions: .contended, encode: [], decode: []),
      figures: [
        .width: width, .height: height, .decodedWidth: 0, .decodedHeight: 0, .deliveredWidth: 0,
        .deliveredHeight: 0, .touchedBytes: touchedBytes,
      ])
    self.format = format
  }

  package var fileBytes: Int {
    get { encodedBytes }
    set { encodedBytes = newValue }
  }
  package var width: Int {
    get { self[.width] }
    set { self[.width] = newValue }
  }
  package var height: Int {
    get { self[.height] }
    set { self[.height] = newValue }
  }
  /// Dimensions of the decoder's output.
  package var decodedWidth: Int {
    get { self[.decodedWidth] }
    set { self[.decodedWidth] = newValue }
  }
  package var decodedHeight: Int {
    get { self[.decodedHeight] }
    set { self[.decodedHeight] = newValue }
  }
  /// Dimensions after reduction to the wanted size; the decoder's if that was not larger.
  package var deliveredWidth: Int {
    get { self[.deliveredWidth] }
    set { self[.deliveredWidth] = newValue }
  }
  package var deliveredHeight: Int {
    get { self[.deliveredHeight] }
    set { self[.deliveredHeight] = newValue }
  }
  /// Bytes of the file that the route must read.
  package var touchedBytes: Int {
    get { self[.touchedBytes] }
    set { self[.touchedBytes] = newValue }
  }
  /// Bytes of the decoded samples: columns × rows × channels × bytes per sample.
  package var decodedBytes: Int? {
    get { figures[.decodedBytes] }
    set { figures[.decodedBytes] = newValue }
  }
  /// CPU time of the reduction in linear light, nanoseconds; 0 if nothing was reduced.
  package var reductionCPUNanoseconds: Int64 {
    get { Int64(self[.reductionCPU]) }
    set { self[.reductionCPU] = Int(newValue) }
  }
  /// Rise of resident memory during a decode, including its result but not the file; nil if the system does not tell.
  package var peakBytes: Int? {
    get { figures[.decodePeak] }
    set { figures[.decodePeak] = newValue }
  }
  /// The route's formula for `peakBytes`; nil if there is none.
  package var predictedBytes: Int? {
    get { figures[.predictedPeak] }
    set { figures[.predictedPeak] = newValue }
  }
  /// Times of the decode without the reduction, in order.
  package var samples: [TimingSample] {
    get { timing.decode }
    set { timing.decode = newValue }
  }
  /// SSIMULACRA 2 against the whole picture, reduced in linear light to the delivered size.
  package var ssimulacra2: Double? {
    get { scores[Self.metric] }
    set { scores[Self.metric] = newValue }
  }
  /// The same after the best-fitting shift of less than a pixel; nil if nothing was shifted.
  package var alignedSSIMULACRA2: Double? {
    get { scores[Self.metric + " aligned"] }
    set { scores[Self.metric + " aligned"] = newValue }
  }
  /// The score of another good filter at this size on the same pixels; nil if nothing was reduced.
  package var ceilingSSIMULACRA2: Double? {
    get { scores[Self.metric + " ceiling"] }
    set { scores[Self.metric + " ceiling"] = newValue }
  }
  /// SSIMULACRA 2 of the whole picture against the encoder's input; nil for files as found.
  package var originalSSIMULACRA2: Double? {
    get { scores[Self.metric + " original"] }
    set { scores[Self.metric + " original"] = newValue }
  }
  /// Luma PSNR against the same reference as `ssimulacra2`, decibels.
  package var psnrLuma: Double? {
    get { scores["psnr-y"] }
    set { scores["psnr-y"] = newValue }
  }
  /// The score used for judging: a thumbnail shifted by a part of a pixel shows the picture equally well.
  package var judgedSSIMULACRA2: Double? { alignedSSIMULACRA2 ?? ssimulacra2 }

  private static let metric = "ssimulacra2"
  /// The names of all scores that a read may have.
  static let readScores: Set = [
    metric, metric + " aligned", metric + " ceiling", metric + " original", "psnr-y",
  ]

  private subscript(quantity: Quantity) -> Int {
    get { figures[quantity] ?? 0 }
    set { figures[quantity] = newValue }
  }
}
