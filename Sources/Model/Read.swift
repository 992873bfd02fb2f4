/// A way to get pixels out of a file.
package enum ReadRoute: String, Sendable, Hashable, Codable, CaseIterable {
  /// Everything is decoded.
  case full
  /// Everything is decoded, but not converted to RGB.
  case ycbcr
  /// The decoder itself reduces, as JPEG's inverse DCT does.
  case scaled
  /// An embedded thumbnail is decoded.
  case thumbnail
  /// A part in the middle is decoded.
  case region
  /// The first pixels of a picture that is coded in tiles.
  case firstTile = "first-tile"
}

/// How much of a picture is wanted.
package enum WantedPixels: Sendable, Hashable, Codable, CustomStringConvertible {
  /// All pixels.
  case all
  /// All of the picture, at this longest side.
  case side(Int)
  /// A part in the middle, of so many columns and rows.
  case part(width: Int, height: Int)

  /// Reads what `description` writes; nil for anything else.
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

/// How the file that is read came to be.
package struct ReadEncoding: Sendable, Hashable, Codable {
  /// Codec and settings.
  package var variant: CodecVariant
  /// Position on the quality axis.
  package var quality: Quality

  /// Names an encode.
  package init(variant: CodecVariant, quality: Quality) {
    (self.variant, self.quality) = (variant, quality)
  }
}

/// One thing to read: a picture's file, or what a codec makes of the picture, by a route.
package struct ReadKey: Sendable, Hashable, Codable {
  /// The picture.
  package var image: ImageIdentity
  /// How the file came to be; nil for the file as it was found.
  package var encoding: ReadEncoding?
  /// The way in.
  package var route: ReadRoute
  /// How much is wanted.
  package var wanted: WantedPixels
  /// The build of the libraries that reads it; nil for the system's own.
  package var build: String?
  /// The libraries that take part, canonically spelled; empty where they are not known.
  package var libraries: String

  /// Names a read.
  package init(
    image: ImageIdentity, encoding: ReadEncoding?, route: ReadRoute, wanted: WantedPixels,
    libraries: String = "", build: String? = nil
  ) {
    (self.image, self.encoding, self.route, self.wanted) = (image, encoding, route, wanted)
    (self.libraries, self.build) = (libraries, build)
  }
}

/// What a read gave and cost.
package struct ReadMeasurement: Sendable, Hashable, Codable {
  /// The format by content: `jpeg`.
  package var format: String
  /// Bytes of the file.
  package var fileBytes: Int
  /// Columns of the upright picture.
  package var width: Int
  /// Rows of the upright picture.
  package var height: Int
  /// Columns and rows that the decoder gave.
  package var decodedWidth, decodedHeight: Int
  /// Columns and rows after the reduction to the wanted size; those of the decoder where it gave no more.
  package var deliveredWidth, deliveredHeight: Int
  /// Bytes of the decoded samples: columns × rows × channels × bytes of a sample; nil in reads of versions that did
  /// not keep them.
  package var decodedBytes: Int?
  /// Times of the decode, without the reduction, in order.
  package var samples: [TimingSample]
  /// CPU time of the reduction in linear light, nanoseconds; 0 where nothing had to be reduced.
  package var reductionCPUNanoseconds: Int64 = 0
  /// How far resident memory rose in a decode, its result included, the file's bytes not; nil where the system
  /// does not tell.
  package var peakBytes: Int?
  /// What the formula of the route predicts for that; nil where there is none.
  package var predictedBytes: Int?
  /// How much of the file the route has to look at.
  package var touchedBytes: Int
  /// SSIMULACRA 2 against the whole picture, reduced in linear light to the delivered size.
  package var ssimulacra2: Double?
  /// The same after the shift within one pixel that fits best; nil where nothing was shifted.
  package var alignedSSIMULACRA2: Double?
  /// What another good filter scores at this size on the same pixels; nil where nothing was reduced.
  package var ceilingSSIMULACRA2: Double?
  /// SSIMULACRA 2 of the whole picture against what was encoded; nil for files as they were found.
  package var originalSSIMULACRA2: Double?
  /// PSNR of luma against the same, decibels.
  package var psnrLuma: Double?
  /// What was changed, overlooked or done instead.
  package var remarks: [String] = []

  /// A read of `fileBytes` bytes, to be filled in.
  package init(format: String, fileBytes: Int, width: Int, height: Int, touchedBytes: Int) {
    self.format = format
    self.fileBytes = fileBytes
    (self.width, self.height, self.touchedBytes) = (width, height, touchedBytes)
    (decodedWidth, decodedHeight, deliveredWidth, deliveredHeight) = (0, 0, 0, 0)
    samples = []
  }

  /// What of it cannot be true of any read of so many repeats; nil for one that may be.
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

  /// The score that counts: a thumbnail that is only moved by a part of a pixel shows the picture as well as one
  /// that is not.
  package var judgedSSIMULACRA2: Double? { alignedSSIMULACRA2 ?? ssimulacra2 }
}

/// A read and what became of it.
package struct ReadRecord: Sendable, Hashable {
  /// What was to be read.
  package var key: ReadKey
  /// What became of it.
  package var outcome: Outcome<ReadMeasurement>
  /// What else the machine was doing.
  package var conditions: TimingSeries.Conditions
  /// The format of the picture's own file, where its header tells.
  package var sourceFormat: String?
  /// Where the times come from; nil in reads of versions that did not keep it.
  package var origin: TimesOrigin?

  /// Puts a record together.
  package init(
    key: ReadKey, outcome: Outcome<ReadMeasurement>, conditions: TimingSeries.Conditions,
    sourceFormat: String? = nil,
    origin: TimesOrigin? = nil
  ) {
    (self.key, self.outcome, self.conditions) = (key, outcome, conditions)
    (self.sourceFormat, self.origin) = (sourceFormat, origin)
  }
}
