package import Model
package import Pixels

/// A file that is decoded from its first row to its last, so that neither its samples nor its bytes need all be in memory: what
/// has been decoded is let go.
package protocol RowReader: AnyObject {
  /// What the file says before its image data.
  var header: ImageHeader { get }

  /// Size and format of the picture, and what its samples mean, as `ImageReader.read` would give them.
  var layout: RowLayout { get }

  /// The next rows, 1 to as many as are left, as they are stored.
  /// - Throws: what is wrong with the file, where it is seen: with the last rows at the latest.
  func next(_ count: Int) throws(CodecError) -> RasterImage
}

/// What a file's rows are.
package struct RowLayout: Sendable {
  /// Pixels, as stored.
  package var width, height: Int
  /// Channels and depth.
  package var format: PixelFormat
  /// What samples mean as colours.
  package var profile: ColorProfile
  /// How the picture has to be turned.
  package var orientation: Orientation
  /// What the reader changes, a short phrase each.
  package var notes: [String]

  /// Describes rows.
  package init(
    width: Int, height: Int, format: PixelFormat, profile: ColorProfile, orientation: Orientation,
    notes: [String]
  ) {
    (self.width, self.height, self.format, self.profile) = (width, height, format, profile)
    (self.orientation, self.notes) = (orientation, notes)
  }

  /// Some of the rows; nil where the samples are not as many.
  package func image(rows: Int, _ samples: RasterImage.Samples) -> RasterImage? {
    RasterImage(width: width, height: rows, format: format, profile: profile, samples: samples)
  }
}

extension ImageReader {
  /// Most formats are decoded as a whole.
  package func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)? { nil }
}
