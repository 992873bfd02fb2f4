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

  /// Copies rows.
  package init(_ rows: ErrorRows) {
    (width, height) = (rows.width, rows.height)
    values = [Float](unsafeUninitializedCapacity: width * height) { buffer, count in
      for y in 0..<rows.height {
        _ = buffer.extracting(y * rows.width..<(y + 1) * rows.width).initialize(fromContentsOf: rows[y])
      }
      count = rows.width * rows.height
    }
  }
}

/// The values of an error map where they were summed up, for one look at them: they give way to the next map.
package struct ErrorRows {
  private let full: PlanarImage

  /// Adds up planes of halving size, the first one being of full size; nil for none. They are used up: each gets what is
  /// coarser.
  init?(_ planes: [PlanarImage]) {
    guard let full = planes.first else { return nil }
    for (coarse, fine) in zip(planes.dropFirst(), planes).reversed() { Self.add(coarse, to: fine) }
    self.full = full
  }

  /// Columns.
  package var width: Int { full.width }
  /// Rows.
  package var height: Int { full.height }

  /// The values of a row, which must not outlive the look.
  package subscript(y: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: full.row(0, y), count: full.width)
  }

  /// Adds each value of a plane to the up to four that it covers in one of twice the size.
  private static func add(_ coarse: PlanarImage, to fine: PlanarImage) {
    for y in 0..<fine.height {
      let (from, to) = (coarse.row(0, y / 2), fine.row(0, y))
      for x in 0..<fine.width / 2 {
        to[2 * x] += from[x]
        to[2 * x + 1] += from[x]
      }
      if fine.width % 2 == 1 { to[fine.width - 1] += from[fine.width / 2] }
    }
  }
}
