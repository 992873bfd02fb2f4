import BenchModel
import CodecKit

/// Turns and mirrors a raster as one of Exif's eight orientations asks for (CIPA DC-008, tag 274).
enum OrientationTurn {
  /// The upright image, or nil when samples and size disagree.
  static func apply(_ orientation: Orientation, to image: RasterImage) -> RasterImage? {
    let walk = Walk(orientation, width: image.width, height: image.height)
    let channels = image.format.layout.channels
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(walk.reordered(bytes, channels: channels))
      case .words(let words): .words(walk.reordered(words, channels: channels))
      }
    return RasterImage(
      width: walk.width, height: walk.height, format: image.format, profile: image.profile, samples: samples)
  }

  /// Where the stored pixels of an upright image lie: pixel (x, y) at `start + x·right + y·down`.
  private struct Walk {
    let width, height: Int
    let start, right, down: Int

    init(_ orientation: Orientation, width w: Int, height h: Int) {
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
    }

    func reordered<Sample: FixedWidthInteger>(_ stored: [Sample], channels: Int) -> [Sample] {
      var upright = [Sample](repeating: 0, count: stored.count)
      // In square tiles, so that turning by 90 degrees stays within the cache in both directions.
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
}
