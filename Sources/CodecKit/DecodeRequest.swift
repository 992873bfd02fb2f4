package import Pixels

/// What is wanted out of a file. Sizes and places are those of the upright picture.
package enum DecodeRequest: Sendable, Hashable {
  /// All pixels.
  case full
  /// All samples as they are coded, without the conversion to RGB.
  case ycbcr
  /// All of the picture at the smallest size that the decoder itself reduces to and that is no smaller than this
  /// longest side, in pixels.
  case scaled(longestSide: Int)
  /// The smallest embedded thumbnail whose longest side is no smaller than this, in pixels; where all are
  /// smaller, the largest.
  case thumbnail(longestSide: Int)
  /// A part, decoding no more of the file than that takes.
  case region(PixelRegion)
  /// The part that holds the upright picture's first pixel, of a file that is coded in parts.
  case firstTile
}

/// A plane of samples, rows from top to bottom without padding.
package struct SamplePlane: Sendable, Hashable {
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int
  /// The samples.
  package var samples: RasterImage.Samples

  /// Bytes of the samples.
  package var byteCount: Int {
    switch samples {
    case .bytes(let samples): samples.count
    case .words(let samples): samples.count * 2
    }
  }

  /// Wraps `width × height` samples.
  package init(width: Int, height: Int, samples: RasterImage.Samples) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }
}

/// What came of a request.
package struct RequestedPixels: Sendable {
  /// The pixels, upright.
  package enum Pixels: Sendable {
    /// An image, its profile attached.
    case raster(RasterImage)
    /// Luma and chroma as coded, neither turned nor converted.
    case planes([SamplePlane])
  }

  /// The pixels.
  package var pixels: Pixels
  /// How much of the file the request had to look at, bytes.
  package var touchedBytes: Int
  /// The part of the upright picture that came out; nil for all of it.
  package var region: PixelRegion?
  /// What was changed, overlooked or done instead, a short phrase each.
  package var notes: [String]

  /// Wraps pixels.
  package init(_ pixels: Pixels, touchedBytes: Int, region: PixelRegion? = nil, notes: [String] = []) {
    (self.pixels, self.touchedBytes, self.region, self.notes) = (pixels, touchedBytes, region, notes)
  }

  /// The image, where there is one.
  package var raster: RasterImage? {
    if case .raster(let image) = pixels { image } else { nil }
  }
}

extension ImageReader {
  /// Serves what every reader can: all of the picture, and parts of it by decoding all. Throws `unsupported`
  /// with a reason for the rest.
  package func decode(
    _ bytes: [UInt8], _ request: DecodeRequest, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    try decodeWhole(bytes, request, limits: limits)
  }

  /// No formula.
  package func predictedMemory(of bytes: [UInt8], for request: DecodeRequest) throws(CodecError) -> Int? {
    nil
  }

  /// What `decode` does for readers that have no shorter way: for others to fall back to.
  package func decodeWhole(
    _ bytes: [UInt8], _ request: DecodeRequest, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    switch request {
    case .full:
      let source = try read(bytes, limits: limits)
      return RequestedPixels(
        .raster(source.image.oriented(source.orientation)), touchedBytes: bytes.count, notes: source.notes)
    case .region(let region):
      let source = try read(bytes, limits: limits)
      guard let part = source.image.oriented(source.orientation).cropped(to: region) else {
        throw .unsupported("the region is not inside the picture")
      }
      return RequestedPixels(
        .raster(part), touchedBytes: bytes.count, region: region,
        notes: source.notes + ["decoded whole, then cropped"])
    case .ycbcr: throw .unsupported("the samples are not coded as luma and chroma")
    case .scaled: throw .unsupported("the decoder has no reduced size")
    case .thumbnail: throw .unsupported("there is no embedded thumbnail")
    case .firstTile: throw .unsupported("the picture is not coded in tiles")
    }
  }
}
