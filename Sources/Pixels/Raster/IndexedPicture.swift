/// A picture in sRGB of up to 256 colours, as numbers of these: a third of the bytes to pack.
package struct IndexedPicture: Sendable, Hashable {
  /// The most colours.
  package static let mostColours = 256

  /// Columns.
  package let width: Int
  /// Rows.
  package let height: Int
  /// Red, green and blue of each colour.
  package let palette: [UInt8]
  /// The number of each pixel's colour, row after row.
  package let indices: [UInt8]

  /// Wraps pixels; nil where they are not `width × height`, or where there are no colours or too many. A number that no
  /// colour has is the last one's.
  package init?(width: Int, height: Int, palette: [UInt8], indices: [UInt8]) {
    let colours = palette.count / 3
    guard width > 0, height > 0, indices.count == width * height, palette.count == 3 * colours,
      (1...Self.mostColours).contains(colours)
    else { return nil }
    (self.width, self.height, self.palette) = (width, height, palette)
    let last = UInt8(colours - 1)
    self.indices = colours == Self.mostColours ? indices : indices.map { min($0, last) }
  }

  /// The same with a colour for each pixel; nil where that is more than an image may have.
  package var raster: RasterImage? {
    let bytes = [UInt8](unsafeUninitializedCapacity: indices.count * 3) { bytes, count in
      for index in indices {
        for step in 0..<3 { bytes.initializeElement(at: count + step, to: palette[3 * Int(index) + step]) }
        count += 3
      }
    }
    return RasterImage(width: width, height: height, layout: .rgb, bytes: bytes)
  }
}
