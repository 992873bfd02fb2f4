import TestSupport
import Testing

@testable import Pixels

@Suite("Orientation")
struct OrientationTests {
  /// Pixels 0 to 5 in two columns and three rows, and how Exif orientations show them.
  static let expected: [(Orientation, [[UInt8]])] = [
    (.up, [[0, 1], [2, 3], [4, 5]]),
    (.upMirrored, [[1, 0], [3, 2], [5, 4]]),
    (.down, [[5, 4], [3, 2], [1, 0]]),
    (.downMirrored, [[4, 5], [2, 3], [0, 1]]),
    (.leftMirrored, [[0, 2, 4], [1, 3, 5]]),
    (.right, [[4, 2, 0], [5, 3, 1]]),
    (.rightMirrored, [[5, 3, 1], [4, 2, 0]]),
    (.left, [[1, 3, 5], [0, 2, 4]]),
  ]

  @Test("a labelled raster is rotated as the standard says", arguments: expected)
  func labelled(orientation: Orientation, rows: [[UInt8]]) throws {
    let image = try #require(RasterImage(width: 2, height: 3, layout: .gray, bytes: [0, 1, 2, 3, 4, 5]))
    let turned = image.oriented(orientation)
    #expect(turned.width == rows[0].count)
    #expect(turned.height == rows.count)
    #expect(turned.samples == .bytes(rows.flatMap { $0 }))
  }

  @Test(
    "every layout and depth rotates pixel by pixel, across tiles", arguments: ChannelLayout.allCases, [8, 16])
  func layouts(layout: ChannelLayout, bitDepth: Int) throws {
    let image = try #require(
      SyntheticImage.waves(width: 67, height: 41, layout: layout, bitDepth: bitDepth))
    for value in 1...8 {
      let orientation = try #require(Orientation(rawValue: value))
      let turned = image.oriented(orientation)
      #expect(turned.format == image.format)
      for (x, y) in [(0, 0), (33, 31), (40, 40), (5, 38)] {
        let source: (Int, Int) =
          switch orientation {
          case .up: (x, y)
          case .upMirrored: (66 - x, y)
          case .down: (66 - x, 40 - y)
          case .downMirrored: (x, 40 - y)
          case .leftMirrored: (y, x)
          case .right: (y, 40 - x)
          case .rightMirrored: (66 - y, 40 - x)
          case .left: (66 - y, x)
          }
        #expect(pixel(turned, x, y) == pixel(image, source.0, source.1))
      }
    }
  }

  private func pixel(_ image: RasterImage, _ x: Int, _ y: Int) -> [Int] {
    let channels = image.format.layout.channels
    let start = (y * image.width + x) * channels
    return switch image.samples {
    case .bytes(let samples): samples[start..<start + channels].map(Int.init)
    case .words(let samples): samples[start..<start + channels].map(Int.init)
    }
  }
}
