package import Model
package import Pixels

/// A file decoded row by row from the first; decoded parts are released, so memory need not hold the whole file.
package protocol RowReader: AnyObject {
  var header: ImageHeader { get }

  /// The picture's size, format and colours, as `ImageReader.read` would give them.
  var layout: RowLayout { get }

  /// Returns the next rows as stored; `count` is from 1 to the number left.
  /// - Throws: The file's fault as soon as it is found, at the latest with the last rows.
  func next(_ count: Int) throws(CodecError) -> RasterImage

  /// Repairs in the rows read so far, other than those in `layout.notes`.
  var remarks: [String] { get }
}

extension RowReader {
  package var remarks: [String] { [] }
}

package struct RowLayout: Sendable {
  package var width, height: Int
  package var format: PixelFormat
  package var profile: ColorProfile
  /// The orientation still to be applied.
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
