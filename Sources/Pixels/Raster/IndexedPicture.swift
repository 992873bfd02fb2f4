/// A picture in sRGB with a palette of up to 256 colours, which has a third of the bytes to compress.
package struct IndexedPicture: Sendable, Hashable {
  package static let mostColours = 256

  package let width: Int
  package let height: Int
  /// Red, green and blue of each colour.
  package let palette: [UInt8]
  /// Each pixel's palette index, row by row.
  package let indices: [UInt8]

  /// Wraps pixels; nil unless the counts match and there are 1 to 256 colours. Larger indices become the last one.
  package init?(width: Int, height: Int, palette: [UInt8], indices: [UInt8]) {
    let colours = palette.count / 3
    guard width > 0, height > 0, indices.count == width * height, palette.count == 3 * colours,
      (1...Self.mostColours).contains(colours)
    else { return nil }
    (self.width, self.height, self.palette) = (width, height, palette)
    let last = UInt8(colours - 1)
    self.indices = colours == Self.mostColours ? indices : indices.map { min($0, last) }
  }

  /// An RGB image; nil if too large for one.
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
