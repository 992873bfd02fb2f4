import Model

/// Where SSIMULACRA 2 sees errors: one value per pixel of the full-size image, 0 for none.
///
/// The value is the sum over scales, channels and maps of the map's error there times the two weights of
/// that map's norms, the coarser scales repeated over the pixels that they cover. Its mean is no score, but
/// errors are to each other as they count: a map is best shown relative to its largest value or to that of
/// another map.
package struct ErrorMap: Sendable, Hashable {
  /// Columns.
  package let width: Int
  /// Rows.
  package let height: Int
  /// The values, row after row, `width × height` of them, none negative.
  package let values: [Float]

  /// Adds up planes of halving size, the first one being of full size.
  init(_ planes: [PlanarImage]) {
    let (width, height) = (planes.first?.width ?? 0, planes.first?.height ?? 0)
    self.width = width
    self.height = height
    values = [Float](unsafeUninitializedCapacity: width * height) { buffer, count in
      for y in 0..<height {
        let out = buffer.extracting(y * width..<(y + 1) * width)
        out.initialize(repeating: 0)
        for (scale, plane) in planes.enumerated() {
          let row = plane.row(0, y >> scale)
          for x in 0..<width { out[x] += row[x >> scale] }
        }
      }
      count = width * height
    }
  }
}
