package import Foundation
package import Model
package import Pixels

/// What a view asks of a worker. Files and pixels travel as bytes behind the line, so that a worker needs neither a
/// path nor a file, and any worker can take any picture's next tile.
package enum ViewRequest: Codable, Sendable {
  /// Decode the file that follows, and prepare it in this way.
  case open(Preparation)
  /// Get a small picture out of the file that follows by the cheapest route whose pixels are the file's own; no side
  /// of it longer than this.
  case thumbnail(longestSide: Int)
  /// Encode the samples that follow.
  case encode(RasterShape, CodecVariant, Quality)
  /// Decode what was encoded last.
  case decode
  /// Score what was decoded last against what was encoded.
  case score(metrics: [String])
}

/// What a worker answers a view.
package enum ViewReply: Codable, Sendable {
  /// To `open`; the samples follow, then the pixels for the screen, four bytes each.
  case opened(OpenedPicture)
  /// To `thumbnail`; the pixels for the screen follow. `route` says where they come from, for people.
  case thumbnail(width: Int, height: Int, route: String)
  /// To `encode`; the file follows.
  case encoded(TimingSample)
  /// To `decode`; the pixels for the screen follow.
  case decoded(TimingSample)
  /// To `score`: scores by metric.
  case scored([String: Double])
  /// To anything: why not.
  case failed(Failure)
}

/// A picture that was opened.
package struct OpenedPicture: Codable, Sendable, Hashable {
  /// What the file's header says.
  package var header: ImageHeader
  /// What every codec gets.
  package var shape: RasterShape
  /// The colour profile's description.
  package var profile: String
  /// What was done to the source, a short phrase each.
  package var steps: [String]
}

/// The size, format and profile of a raster whose samples are elsewhere.
package struct RasterShape: Codable, Sendable, Hashable {
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int
  /// Layout and depth.
  package var format: PixelFormat
  /// The ICC profile; nil for sRGB.
  package var profile: Data?

  /// Describes a raster.
  package init(width: Int, height: Int, format: PixelFormat, profile: Data?) {
    (self.width, self.height, self.format, self.profile) = (width, height, format, profile)
  }

  /// The shape of an image.
  package init(_ image: RasterImage) {
    self.init(
      width: image.width, height: image.height, format: image.format,
      profile: image.profile.iccBytes.map { Data($0) })
  }

  /// Bytes of the samples; nil where the numbers are no image's.
  package var sampleBytes: Int? {
    guard (1...65_535).contains(width), (1...65_535).contains(height), (8...16).contains(format.bitDepth)
    else { return nil }
    return width * height * format.bytesPerPixel
  }

  /// The image with these samples in native byte order; nil where they are too few or too many.
  package func image(_ samples: [UInt8]) -> RasterImage? {
    guard samples.count == sampleBytes else { return nil }
    let words = { samples.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) } }
    return RasterImage(
      width: width, height: height, format: format, profile: profile.map { .icc(Array($0)) } ?? .sRGB,
      samples: format.bitDepth > 8 ? .words(words()) : .bytes(samples))
  }
}

extension RasterImage {
  /// The samples as bytes in native order.
  package var sampleBytes: [UInt8] {
    switch samples {
    case .bytes(let bytes): bytes
    case .words(let words): words.withUnsafeBytes { Array($0) }
    }
  }
}
