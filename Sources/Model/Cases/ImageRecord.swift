package import Pixels

package struct ImageIdentity: Sendable, Hashable, Codable {
  /// The path below its corpus root, with `/` as separator, as printable text (see `ImageName`).
  package let name: String
  /// SHA-256 of the file's bytes, 64 hexadecimal digits.
  package let contentHash: String

  package init(name: String, contentHash: String) {
    self.name = name
    self.contentHash = contentHash
  }
}

/// Names of images by their contents, so that copies under other names count once. Both are kept as 64-bit hashes: the
/// probability that any two of a million collide is three in a hundred million.
package struct ContentOwners: Sendable {
  package enum Entry: Sendable { case new, known, copy }

  private var names: [Int: Int] = [:]

  package init() {}

  /// Enters an image: new, the same one again, or a copy of another. An image with unknown content is never a copy.
  package mutating func enter(_ name: String, contentHash: String?) -> Entry {
    let owner = name.hashValue
    let content = contentHash.flatMap { $0.isEmpty ? nil : $0.hashValue } ?? owner
    guard let earlier = names[content] else {
      names[content] = owner
      return .new
    }
    return earlier == owner ? .known : .copy
  }
}

/// The data in a source file's header, before preparation.
package struct ImageHeader: Sendable, Hashable, Codable {
  /// The format, determined by content: `png`, `pnm`, `jpeg`, `heic` or `avif`.
  package var format: String
  /// Columns as stored, before orientation.
  package var width: Int
  /// Rows as stored, before orientation.
  package var height: Int
  /// Bits per sample as stored, 1 to 16.
  package var bitDepth: Int
  package var layout: ChannelLayout
  /// True if the file is already lossy, which favours codecs of its own kind.
  package var isLossy: Bool
  /// The code points of PQ or HLG in the header; nil if it states neither.
  package var hdr: CodePoints?

  package init(
    format: String, width: Int, height: Int, bitDepth: Int, layout: ChannelLayout, isLossy: Bool,
    hdr: CodePoints? = nil
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.layout = layout
    self.isLossy = isLossy
    self.hdr = hdr
  }

  /// Width times height, saturated in case a hostile header makes it overflow.
  package var pixelCount: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }
}

/// The processing that turns every source of a sweep into the raster that all codecs get.
package struct Preparation: Sendable, Hashable, Codable {
  /// True if alpha is kept, which every variant of the sweep must support.
  package var keepsAlpha: Bool
  /// The greatest bit depth that every variant of the sweep accepts, 8 to 16.
  package var maximumBitDepth: Int
  /// The colour that alpha is flattened onto: red, green, blue, 0 to 255.
  package var background: [UInt8]
  /// The factor of a box filter in linear light, in source pixels per output pixel in each direction; 1 for none.
  package var downscale: Int
  /// The light of an HDR run's sources; nil in an SDR run.
  package var light: HDRViewing?

  /// The light of an HDR run, in words.
  package var lightTitle: String? { light?.title }

  /// Creates a preparation; the default is 8 bits, flattened on white.
  package init(
    keepsAlpha: Bool = false, maximumBitDepth: Int = 8, background: [UInt8] = [255, 255, 255],
    downscale: Int = 1, light: HDRViewing? = nil
  ) {
    self.keepsAlpha = keepsAlpha
    self.maximumBitDepth = maximumBitDepth
    self.background = background
    self.downscale = downscale
    self.light = light
  }

  /// The preparation on one line. It is part of a measurement's key, since different pixels give different sizes.
  package var canonicalSpelling: String {
    let alpha = keepsAlpha ? "kept" : "on-" + background.hexadecimal
    return "alpha=\(alpha) depth=\(maximumBitDepth) downscale=\(downscale)"
      + (light.map { " \($0.canonicalSpelling)" } ?? "")
  }
}

/// An image of a sweep: its source, its preparation, or the reason it cannot be used.
package struct ImageRecord: Sendable, Hashable, Codable {
  package var identity: ImageIdentity
  /// The requested preparation in its canonical spelling.
  package var preparation: String
  package var fileBytes: Int
  package var header: ImageHeader?
  /// Columns of the prepared raster; nil until it is prepared.
  package var preparedWidth: Int?
  package var preparedHeight: Int?
  package var preparedFormat: PixelFormat?
  /// The colour profile's description; `sRGB` without a profile.
  package var profile: String?
  /// The steps of the preparation, each a short phrase: `orientation 6 applied`, `alpha flattened on #ffffff`.
  package var steps: [String]

  package static let gainMapStep = "gain map left out: measured is the base picture"

  package static let opaqueAlphaStep = "opaque alpha dropped"
  package static func orientationStep(_ orientation: Orientation) -> String {
    "orientation \(orientation.rawValue) applied"
  }

  /// True for a step that needs no report, since it neither removes nor changes anything in the picture.
  package static func losesNothing(_ step: String) -> Bool {
    step == opaqueAlphaStep || step.hasPrefix("orientation ") && step.hasSuffix(" applied")
  }

  /// The reason the image cannot be measured at all; nil for a usable one.
  package var problem: Failure?

  package init(
    identity: ImageIdentity, preparation: String, fileBytes: Int, header: ImageHeader? = nil,
    preparedWidth: Int? = nil, preparedHeight: Int? = nil, preparedFormat: PixelFormat? = nil,
    profile: String? = nil, steps: [String] = [], problem: Failure? = nil
  ) {
    self.identity = identity
    self.preparation = preparation
    self.fileBytes = fileBytes
    self.header = header
    self.preparedWidth = preparedWidth
    self.preparedHeight = preparedHeight
    self.preparedFormat = preparedFormat
    self.profile = profile
    self.steps = steps
    self.problem = problem
  }

  /// Pixels of the prepared raster; nil until it is prepared, and on overflow.
  package var preparedPixels: Int? {
    guard let preparedWidth, let preparedHeight else { return nil }
    return Self.product(preparedWidth, preparedHeight)
  }

  /// Bytes of the prepared raster; nil under the same conditions as `preparedPixels`.
  package var rawBytes: Int? {
    guard let preparedPixels, let preparedFormat else { return nil }
    return Self.product(preparedPixels, preparedFormat.bytesPerPixel)
  }

  private static func product(_ a: Int, _ b: Int) -> Int? {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? nil : product
  }
}
