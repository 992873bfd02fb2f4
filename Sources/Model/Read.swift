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

/// A read: a picture's own file, or a codec's encode of it, by one route.
package struct ReadKey: Sendable, Hashable, Codable {
  package var image: ImageIdentity
  /// Nil for the file as found.
  package var encoding: ReadEncoding?
  package var route: ReadRoute
  package var wanted: WantedPixels
  /// The library build that reads it; nil for the system's own.
  package var build: String?
  /// The libraries involved, canonically spelled; empty if unknown.
  package var libraries: String

  package init(
    image: ImageIdentity, encoding: ReadEncoding?, route: ReadRoute, wanted: WantedPixels,
    libraries: String = "", build: String? = nil
  ) {
    (self.image, self.encoding, self.route, self.wanted) = (image, encoding, route, wanted)
    (self.libraries, self.build) = (libraries, build)
  }
}

/// The results and costs of a read.
package struct ReadMeasurement: Sendable, Hashable, Codable {
  /// The format by content: `jpeg`.
  package var format: String
  package var fileBytes: Int
  /// Columns of the upright picture.
  package var width: Int
  /// Rows of the upright picture.
  package var height: Int
  /// Dimensions of the decoder's output.
  package var decodedWidth, decodedHeight: Int
  /// Dimensions after reduction to the wanted size; the decoder's if that was not larger.
  package var deliveredWidth, deliveredHeight: Int
  /// Bytes of the decoded samples: columns × rows × channels × bytes per sample; nil in reads of versions without
  /// this figure.
  package var decodedBytes: Int?
  /// Times of the decode without the reduction, in order.
  package var samples: [TimingSample]
  /// CPU time of the reduction in linear light, nanoseconds; 0 if nothing was reduced.
  package var reductionCPUNanoseconds: Int64 = 0
  /// Rise of resident memory during a decode, bytes, including its result but not the file; nil if the system does
  /// not tell.
  package var peakBytes: Int?
  /// The route's formula for `peakBytes`; nil if there is none.
  package var predictedBytes: Int?
  /// Bytes of the file that the route must read.
  package var touchedBytes: Int
  /// SSIMULACRA 2 against the whole picture, reduced in linear light to the delivered size.
  package var ssimulacra2: Double?
  /// The same after the best-fitting shift of less than a pixel; nil if nothing was shifted.
  package var alignedSSIMULACRA2: Double?
  /// The score of another good filter at this size on the same pixels; nil if nothing was reduced.
  package var ceilingSSIMULACRA2: Double?
  /// SSIMULACRA 2 of the whole picture against the encoder's input; nil for files as found.
  package var originalSSIMULACRA2: Double?
  /// Luma PSNR against the same reference as `ssimulacra2`, decibels.
  package var psnrLuma: Double?
  /// Changes, tolerated defects and substitutions.
  package var remarks: [String] = []

  /// Creates a measurement with the other figures still to be filled in.
  package init(format: String, fileBytes: Int, width: Int, height: Int, touchedBytes: Int) {
    self.format = format
    self.fileBytes = fileBytes
    (self.width, self.height, self.touchedBytes) = (width, height, touchedBytes)
    (decodedWidth, decodedHeight, deliveredWidth, deliveredHeight) = (0, 0, 0, 0)
    samples = []
  }

  /// The first figure that is impossible for a read with this number of repeats; nil if all are plausible.
  package func impossibility(repeats: Int? = nil) -> String? {
    let sides = [width, height, decodedWidth, decodedHeight, deliveredWidth, deliveredHeight]
    let times = samples.flatMap { [$0.wallNanoseconds, $0.cpuNanoseconds] } + [reductionCPUNanoseconds]
    let scores = [
      ssimulacra2, alignedSSIMULACRA2, ceilingSSIMULACRA2, originalSSIMULACRA2, psnrLuma,
    ].compactMap { $0 }
    let rules: [(Bool, String)] = [
      (sides.allSatisfy((1...Int(Int32.max)).contains), "the picture's size"),
      ((1...Self.mostBytes).contains(fileBytes), "the file's size"),
      (touchedBytes >= 0 && touchedBytes <= fileBytes, "the bytes that it looked at"),
      (repeats.map { $0 == samples.count } ?? !samples.isEmpty, "\(samples.count) times"),
      (times.allSatisfy((0...Self.longestTime).contains), "its times"),
      (
        [peakBytes, predictedBytes, decodedBytes].allSatisfy { (0...Self.mostBytes).contains($0 ?? 0) },
        "its memory"
      ),
      (scores.allSatisfy { $0.isFinite || $0 == .infinity }, "a score that is no number"),
    ]
    return rules.first { !$0.0 }?.1
  }

  /// A pebibyte.
  private static let mostBytes = 1 << 50
  /// A hundred days, nanoseconds.
  private static let longestTime: Int64 = 10_000_000_000_000_000

  /// The score used for judging: a thumbnail shifted by a part of a pixel shows the picture equally well.
  package var judgedSSIMULACRA2: Double? { alignedSSIMULACRA2 ?? ssimulacra2 }
}

package struct ReadRecord: Sendable, Hashable {
  package var key: ReadKey
  package var outcome: Outcome<ReadMeasurement>
  package var conditions: TimingSeries.Conditions
  /// The format of the picture's own file, if its header gives it.
  package var sourceFormat: String?
  /// The origin of the times; nil in reads of versions without it.
  package var origin: TimesOrigin?

  package init(
    key: ReadKey, outcome: Outcome<ReadMeasurement>, conditions: TimingSeries.Conditions,
    sourceFormat: String? = nil,
    origin: TimesOrigin? = nil
  ) {
    (self.key, self.outcome, self.conditions) = (key, outcome, conditions)
    (self.sourceFormat, self.origin) = (sourceFormat, origin)
  }
}
