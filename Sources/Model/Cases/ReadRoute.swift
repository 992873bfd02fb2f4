/// A method of getting pixels out of a file.
package enum ReadRoute: String, Sendable, Hashable, Codable, CaseIterable {
  case full
  /// The whole file is decoded, but not converted to RGB.
  case ycbcr
  /// The decoder itself downscales, as JPEG's inverse DCT does.
  case scaled
  case thumbnail
  case region
  case firstTile = "first-tile"
  /// The base picture and its gain map are decoded, and the map is applied in full.
  case gainMap = "gain-map"
}

/// The requested part or size of a picture.
public enum WantedPixels: Sendable, Hashable, Codable, CustomStringConvertible {
  /// All pixels, at full size.
  case all
  /// The whole picture with this longest side, in pixels.
  case side(Int)
  /// A region in the middle, with its size in pixels.
  case part(width: Int, height: Int)

  package init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard text != "full" else {
      self = .all
      return
    }
    // The product of larger sides could overflow.
    guard parts.allSatisfy(Bound.side.contains) else { return nil }
    switch parts.count {
    case 1: self = .side(parts[0])
    case 2: self = .part(width: parts[0], height: parts[1])
    default: return nil
    }
  }

  /// `full`, `320` or `512x512`.
  public var description: String {
    switch self {
    case .all: "full"
    case .side(let side): "\(side)"
    case .part(let width, let height): "\(width)x\(height)"
    }
  }
}

package struct ReadEncoding: Sendable, Hashable, Codable {
  package var variant: CodecVariant
  package var quality: Quality

  package init(variant: CodecVariant, quality: Quality) {
    (self.variant, self.quality) = (variant, quality)
  }
}

extension Case {
  /// A read of a picture's source file, or of a codec's encode of it, by one route.
  /// - Parameters:
  /// - format: The format of the source file; empty if its header does not say.
  /// - preparation: The preparation of pictures for codecs, in canonical spelling.
  package init(
    image: ImageIdentity, encoding: ReadEncoding?, format: String = "", preparation: String = "",
    route: ReadRoute, wanted: WantedPixels, libraries: String = "", build: String? = nil
  ) {
    self.init(
      image: image, preparation: encoding == nil ? "" : preparation,
      variant: encoding?.variant ?? CodecVariant(codec: format, build: build),
      encodedAt: encoding?.quality, way: .read(route, wanted), libraries: libraries)
  }

  package var encoding: ReadEncoding? { encodedAt.map { ReadEncoding(variant: variant, quality: $0) } }

  package var route: ReadRoute { if case .read(let route, _) = way { route } else { .full } }
  package var wanted: WantedPixels { if case .read(_, let wanted) = way { wanted } else { .all } }
}

/// A kind of score of a read, by what was compared. It is stored under the headline metric's name followed by this
/// word.
package enum ReadScore: String, Sendable, CaseIterable {
  /// Against the whole picture, reduced in linear light to the delivered size.
  case plain = ""
  /// The same after the best-fitting shift of less than a pixel; absent without a shift.
  case aligned = " aligned"
  /// Another good filter at this size on the same pixels; absent without a reduction.
  case ceiling = " ceiling"
  /// The whole picture against the encoder's input; absent for source files.
  case original = " original"

  package var name: String { "ssimulacra2" + rawValue }
}

/// The figures of a read: `encodedBytes` is the file's size, and `timing.decode` has the decode's times without the
/// reduction.
extension Figures {
  /// The metrics that decide which routes show the picture; every read has their scores.
  package static let readMetrics = ["ssimulacra2", "psnr-y"]

  /// Creates a read's figures, with the rest still to be filled in. Width and height are those of the upright picture.
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

  /// A figure in its stored unit; 0 if it is unknown.
  package subscript(quantity: Quantity) -> Int {
    get { figures[quantity] ?? 0 }
    set { figures[quantity] = newValue }
  }

  package subscript(score: ReadScore) -> Double? {
    get { scores[score.name] }
    set { scores[score.name] = newValue }
  }

  /// The score used for judging: a thumbnail shifted by a fraction of a pixel shows the picture equally well.
  package var judgedScore: Double? { self[.aligned] ?? self[.plain] }

  /// True if the pixels equal those of the whole decode, for which PSNR is reported as 100 decibels.
  package var isExact: Bool { scores["psnr-y"].map { $0 >= 100 } ?? false }

  /// The first score that a read cannot have: one under an unknown name, or a failure of a metric that cannot fail.
  var impossibleReadScore: String? {
    let known = Set(Self.readMetrics + ReadScore.allCases.map(\.name))
    func isOther(_ name: String) -> Bool {
      !known.contains(name) && name.utf8.first.map { (0x61...0x7a).contains($0) } == true
        && name.utf8.allSatisfy {
          (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || [0x2d, 0x40, 0x5f].contains($0)
        }
    }
    return scores.keys.first { !known.contains($0) && !isOther($0) }
      ?? failedScores.keys.first { !isOther($0) }
  }
}

extension CaseRecord {
  /// True if a read gave the wanted size, or all pixels there are, and looks like the picture; without a score it must
  /// be identical.
  package func isHonest(at score: Double) -> Bool {
    guard let figures else { return false }
    if case .side(let side) = key.wanted {
      let wanted = min(side, max(figures[.width], figures[.height]))
      guard max(figures[.deliveredWidth], figures[.deliveredHeight]) >= wanted else { return false }
    }
    return figures.judgedScore.map { $0 >= score } ?? figures.isExact
  }
}

/// The parameters of a read report, kept so that it can be written again.
package struct ReadScope: Sendable, Hashable, Codable {
  package static let honestScore = 70.0

  /// The lowest SSIMULACRA2 against the whole picture at which a route is good enough.
  package var score: Double
  /// Bandwidth for fetching files, in Mbit/s; nil leaves out transfer time.
  package var bandwidth: Double?
  /// The roots of the files, printable.
  package var roots: [String]
  /// Metrics in addition to those of every read, in the order of their columns; nil in stores of earlier versions.
  package var metrics: [MetricTraits]?

  /// Creates a question; values out of range are replaced by the defaults.
  package init(
    score: Double = honestScore, bandwidth: Double? = nil, roots: [String] = [], metrics: [MetricTraits] = []
  ) {
    self.score = score > 0 && score <= 100 ? score : Self.honestScore
    self.bandwidth = bandwidth.flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil }
    self.roots = roots
    self.metrics = metrics.isEmpty ? nil : metrics
  }
}
