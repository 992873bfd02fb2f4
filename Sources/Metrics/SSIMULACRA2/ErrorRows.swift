/// A temporary view of the errors that SSIMULACRA 2 sees, which the next comparison overwrites: one value per pixel of the
/// full-size image, none negative, 0 for none.
///
/// The value is the sum over scales, channels and maps of the local error times the two weights of that map's norms,
/// coarser scales repeated over the pixels they cover. Its mean is not a score, but errors are in proportion to their
/// weight in it: show a map relative to its largest value or to that of another map.
package struct ErrorRows {
  private let full: PlanarImage

  /// Adds up planes that halve in size, starting at full size; nil for none. Each plane is overwritten by its sum with
  /// the coarser ones.
  init?(_ planes: [PlanarImage]) {
    guard let full = planes.first else { return nil }
    for (coarse, fine) in zip(planes.dropFirst(), planes).reversed() { Self.add(coarse, to: fine) }
    self.full = full
  }

  package var width: Int { full.width }
  package var height: Int { full.height }

  /// The values of a row; the pointer must not outlive the view.
  package subscript(y: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: full.row(0, y), count: full.width)
  }

  /// Adds each value of a plane to the up to four pixels it covers in one of twice the size.
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
