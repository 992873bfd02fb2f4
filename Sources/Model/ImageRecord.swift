package import Pixels

/// Which image a measurement is about: its name in the corpus and the hash of its bytes.
package struct ImageIdentity: Sendable, Hashable, Codable {
  /// The path below its corpus root, with `/` between folders, as printable text (see `ImageName`).
  package let name: String
  /// SHA-256 of the file's bytes, 64 hexadecimal digits.
  package let contentHash: String

  /// Names an image.
  package init(name: String, contentHash: String) {
    self.name = name
    self.contentHash = contentHash
  }
}

/// What a source file holds, as its header tells, before anything was prepared.
package struct ImageHeader: Sendable, Hashable, Codable {
  /// The file's format by content: `png`, `pnm`, `jpeg`, `heic` or `avif`.
  package var format: String
  /// Columns as stored, before orientation.
  package var width: Int
  /// Rows as stored, before orientation.
  package var height: Int
  /// Bits per sample as stored, 1 to 16.
  package var bitDepth: Int
  /// Channels that the decoded image will have.
  package var layout: ChannelLayout
  /// Whether the format lost something already, which favours a codec of its own kind.
  package var isLossy: Bool

  /// Describes a file.
  package init(
    format: String, width: Int, height: Int, bitDepth: Int, layout: ChannelLayout, isLossy: Bool
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.layout = layout
    self.isLossy = isLossy
  }

  /// Width times height, or the largest number there is where a hostile header's product would exceed it.
  package var pixelCount: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }
}

/// How every source of a sweep is turned into the raster that all its codecs get.
package struct Preparation: Sendable, Hashable, Codable {
  /// Whether alpha survives: true only where every variant of the sweep keeps it.
  package var keepsAlpha: Bool
  /// The deepest samples that every variant of the sweep takes, 8 to 16.
  package var maximumBitDepth: Int
  /// The colour under transparent pixels when alpha is flattened: red, green, blue, 0 to 255.
  package var background: [UInt8]
  /// Box filter in linear light, this many pixels to one in each direction; 1 leaves the image alone.
  package var downscale: Int

  /// The preparation of a sweep; the default is 8 bits, flattened on white.
  package init(
    keepsAlpha: Bool = false, maximumBitDepth: Int = 8, background: [UInt8] = [255, 255, 255],
    downscale: Int = 1
  ) {
    self.keepsAlpha = keepsAlpha
    self.maximumBitDepth = maximumBitDepth
    self.background = background
    self.downscale = downscale
  }

  /// The preparation in one line: part of a measurement's key, since other pixels give other sizes.
  package var canonicalSpelling: String {
    let colour = background.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }
    let alpha = keepsAlpha ? "kept" : "on-\(colour.joined())"
    return "alpha=\(alpha) depth=\(maximumBitDepth) downscale=\(downscale)"
  }
}

/// One image of a sweep: what it was, what was done to it, or why it cannot be used.
package struct ImageRecord: Sendable, Hashable, Codable {
  /// Name and hash.
  package var identity: ImageIdentity
  /// The preparation that was asked for, in its canonical spelling.
  package var preparation: String
  /// Bytes of the source file.
  package var fileBytes: Int
  /// What the header says; nil when not even that could be read.
  package var header: ImageHeader?
  /// Size of the prepared raster in pixels, columns then rows; nil until it was prepared.
  package var preparedWidth: Int?
  /// Rows of the prepared raster.
  package var preparedHeight: Int?
  /// Layout and depth of the prepared raster.
  package var preparedFormat: PixelFormat?
  /// The colour profile's description, `sRGB` where there is none.
  package var profile: String?
  /// What was done, in order, a short phrase each: `orientation 6 applied`, `alpha flattened on #ffffff`.
  package var steps: [String]

  /// Stands among the steps of a file that holds a gain map.
  package static let gainMapStep = "gain map left out: measured is the base picture"
  /// Why the image cannot be measured at all; nil for a usable one.
  package var problem: Failure?

  /// Describes an image.
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

  /// Pixels of the prepared raster; nil until it was prepared, and where no number holds their product.
  package var preparedPixels: Int? {
    guard let preparedWidth, let preparedHeight else { return nil }
    return Self.product(preparedWidth, preparedHeight)
  }

  /// Raw bytes of the prepared raster; nil as `preparedPixels` is.
  package var rawBytes: Int? {
    guard let preparedPixels, let preparedFormat else { return nil }
    return Self.product(preparedPixels, preparedFormat.bytesPerPixel)
  }

  private static func product(_ a: Int, _ b: Int) -> Int? {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? nil : product
  }
}
