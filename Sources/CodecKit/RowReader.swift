package import Model
package import Pixels

/// A file decoded from its first row on; decoded parts are released, so that memory need not hold all of it.
package protocol RowReader: AnyObject {
  var header: ImageHeader { get }

  /// Size, format and colours of the picture, as `ImageReader.read` would give them.
  var layout: RowLayout { get }

  /// The next rows as stored, from 1 to the number left.
  /// - Throws: the file's fault as soon as it shows, with the last rows at the latest.
  func next(_ count: Int) throws(CodecError) -> RasterImage
}

package struct RowLayout: Sendable {
  package var width, height: Int
  package var format: PixelFormat
  package var profile: ColorProfile
  /// Orientation still to be applied.
  package var orientation: Orientation
  package var notes: [String]

  package init(
    width: Int, height: Int, format: PixelFormat, profile: ColorProfile, orientation: Orientation,
    notes: [String]
  ) {
    (self.width, self.height, self.format, self.profile) = (width, height, format, profile)
    (self.orientation, self.notes) = (orientation, notes)
  }
}

extension ImageReader {
  package func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)? { nil }
}
