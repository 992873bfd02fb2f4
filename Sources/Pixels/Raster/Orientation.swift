/// The eight orientations of Exif (CIPA DC-008, tag 274), as transformations of the stored raster.
package enum Orientation: Int, Sendable, Hashable, Codable {
  case up = 1
  /// Mirrored left to right.
  case upMirrored
  /// Rotated by 180 degrees.
  case down
  /// Mirrored top to bottom.
  case downMirrored
  /// Mirrored along the main diagonal.
  case leftMirrored
  /// Upright after a rotation by 90 degrees clockwise.
  case right
  /// Mirrored along the other diagonal.
  case rightMirrored
  /// Upright after a rotation by 90 degrees counter-clockwise.
  case left
}

extension RasterImage {
  /// The upright image of a raster that was stored in `orientation`.
  package func oriented(_ orientation: Orientation) -> RasterImage {
    guard orientation != .up else { return self }
    let turn = Turn(orientation, width: width, height: height, channels: format.layout.channels)
    return transformed(turn, width: turn.width, height: turn.height)
  }
}

/// Stored position of an upright image's pixel (x, y): `start + x·right + y·down`.
private struct Turn: SampleTransform {
  let width, height: Int
  private let start, right, down: Int
  private let channels: Int

  init(_ orientation: Orientation, width w: Int, height h: Int, channels: Int) {
    let last = w * h - 1
    (start, right, down) =
      switch orientation {
      case .up: (0, 1, w)
      case .upMirrored: (w - 1, -1, w)
      case .down: (last, -1, -w)
      case .downMirrored: (last - w + 1, 1, -w)
      case .leftMirrored: (0, w, 1)
      case .right: (last - w + 1, -w, 1)
      case .rightMirrored: (last, -w, -1)
      case .left: (w - 1, w, -1)
      }
    let isUpright = orientation.rawValue <= Orientation.downMirrored.rawValue
    (width, height) = isUpright ? (w, h) : (h, w)
    self.channels = channels
  }

  func apply<Sample: FixedWidthInteger>(_ stored: [Sample]) -> [Sample] {
    var upright = [Sample](repeating: 0, count: stored.count)
    // Square tiles keep 90-degree turns within the cache in both directions.
    let tile = 32
    for top in stride(from: 0, to: height, by: tile) {
      for left in stride(from: 0, to: width, by: tile) {
        for y in top..<min(top + tile, height) {
          var from = (start + left * right + y * down) * channels
          var to = (y * width + left) * channels
          for _ in left..<min(left + tile, width) {
            for channel in 0..<channels { upright[to + channel] = stored[from + channel] }
            from += right * channels
            to += channels
          }
        }
      }
    }
    return upright
  }
}
