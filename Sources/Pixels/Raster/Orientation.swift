/// The eight orientations of Exif (CIPA DC-008, tag 274), as transformations of the stored raster.
package enum Orientation: Int, Sendable, Hashable, Codable, CaseIterable {
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

extension Orientation {
  /// The position of the upright image's pixel (x, y) in a stored raster of `width` × `height` pixels.
  func stored(_ x: Int, _ y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .up: (x, y)
    case .upMirrored: (width - 1 - x, y)
    case .down: (width - 1 - x, height - 1 - y)
    case .downMirrored: (x, height - 1 - y)
    case .leftMirrored: (y, x)
    case .right: (y, height - 1 - x)
    case .rightMirrored: (width - 1 - y, height - 1 - x)
    case .left: (width - 1 - y, x)
    }
  }

  /// True if the upright image's columns are the stored raster's rows.
  package var swapsSides: Bool { rawValue > Orientation.downMirrored.rawValue }

  /// The step that makes the stored raster upright, as in `fits when turned by 180°`.
  package var phrase: String {
    switch self {
    case .up: "left as it is"
    case .upMirrored: "mirrored left to right"
    case .down: "rotated by 180°"
    case .downMirrored: "mirrored top to bottom"
    case .leftMirrored: "mirrored along the diagonal from its top left corner"
    case .right: "rotated by 90° clockwise"
    case .rightMirrored: "mirrored along the diagonal from its top right corner"
    case .left: "rotated by 90° counter-clockwise"
    }
  }

  package var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}

extension RasterImage {
  /// The upright image of a raster stored in `orientation`.
  package func oriented(_ orientation: Orientation) -> RasterImage {
    guard orientation != .up else { return self }
    let turn = Turn(orientation, width: width, height: height, channels: format.layout.channels)
    return transformed(turn, width: turn.width, height: turn.height)
  }
}

/// Maps an upright image's pixel (x, y) to its stored position: `start + x·right + y·down`.
private struct Turn: SampleTransform {
  let width, height: Int
  private let start, right, down: Int
  private let channels: Int

  init(_ orientation: Orientation, width w: Int, height h: Int, channels: Int) {
    func index(_ x: Int, _ y: Int) -> Int {
      let place = orientation.stored(x, y, width: w, height: h)
      return place.y * w + place.x
    }
    start = index(0, 0)
    (right, down) = (index(1, 0) - start, index(0, 1) - start)
    (width, height) = orientation.swapsSides ? (h, w) : (w, h)
    self.channels = channels
  }

  func apply<Sample: FixedWidthInteger>(_ stored: [Sample]) -> [Sample] {
    var upright = [Sample](repeating: 0, count: stored.count)
    // Square tiles keep 90-degree turns in the cache in both directions.
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
