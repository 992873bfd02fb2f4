package import Pixels

/// The part of a file to decode. Sizes and positions refer to the upright picture.
package enum DecodePart: Sendable, Hashable {
  case full
  /// All samples as coded, without conversion to RGB.
  case ycbcr
  /// The whole picture at the smallest size that the decoder offers with at least this longest side, in pixels.
  case scaled(longestSide: Int)
  /// The smallest embedded thumbnail with at least this longest side, in pixels; the largest one if all are smaller.
  case thumbnail(longestSide: Int)
  /// A region, decoding no more of the file than needed.
  case region(PixelRegion)
  /// The coded part that contains the upright picture's first pixel.
  case firstTile
}

/// A plane of samples, with rows from top to bottom without padding.
package struct SamplePlane: Sendable, Hashable {
  package var width: Int
  package var height: Int
  package var samples: RasterImage.Samples

  package var byteCount: Int {
    switch samples {
    case .bytes(let samples): samples.count
    case .words(let samples): samples.count * 2
    }
  }

  package init(width: Int, height: Int, samples: RasterImage.Samples) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }
}

package struct RequestedPixels: Sendable {
  package enum Pixels: Sendable {
    case raster(RasterImage)
    /// Luma and chroma as coded, neither turned nor converted.
    case planes([SamplePlane])
  }

  package var pixels: Pixels
  package var touchedBytes: Int
  /// The decoded part of the upright picture; nil for all of it.
  package var region: PixelRegion?
  /// Short phrases about changes, ignored problems and substitutes.
  package var notes: [String]

  package init(_ pixels: Pixels, touchedBytes: Int, region: PixelRegion? = nil, notes: [String] = []) {
    (self.pixels, self.touchedBytes, self.region, self.notes) = (pixels, touchedBytes, region, notes)
  }

  package var raster: RasterImage? {
    if case .raster(let image) = pixels { image } else { nil }
  }
}

extension ImageReader {
  /// Decodes the whole picture, and parts of it by decoding everything. Throws `unsupported` with a reason for the
  /// rest.
  package func decode(
    _ bytes: [UInt8], _ request: DecodePart, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    try decodeWhole(bytes, request, limits: limits)
  }

  package func predictedMemory(of bytes: [UInt8], for request: DecodePart) throws(CodecError) -> Int? {
    nil
  }

  /// Serves a request by decoding everything; a fallback for readers with faster methods.
  package func decodeWhole(
    _ bytes: [UInt8], _ request: DecodePart, limits: ReadLimits
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
    case .scaled: throw .unsupported("the decoder does not offer a reduced size")
    case .thumbnail: throw .unsupported("there is no embedded thumbnail")
    case .firstTile: throw .unsupported("the picture is not coded in tiles")
    }
  }
}
