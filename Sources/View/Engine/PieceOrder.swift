package import Pixels

/// The pieces in which a picture is encoded while its slider moves: squares of 512 pixels, as in phones' HEIC files.
/// Pieces on the screen come first, from its middle outwards.
///
/// A slow encoder takes half a second for a square, so the one in the middle is cut into four to show something
/// earlier.
package enum PieceOrder {
  package static let side = 512

  package struct Piece: Sendable, Hashable {
    package var region: PixelRegion
    package var isVisible: Bool
  }

  /// All pieces of a picture in the order in which to encode them; together they cover the picture.
  package static func pieces(
    width: Int, height: Int, visible: PixelRegion, isSlow: Bool
  ) -> [Piece] {
    let middle = (x: visible.x + visible.width / 2, y: visible.y + visible.height / 2)
    func distance(_ region: PixelRegion) -> Int {
      let (x, y) = (region.x + region.width / 2 - middle.x, region.y + region.height / 2 - middle.y)
      return x * x + y * y
    }
    func sorted(_ regions: [PixelRegion]) -> [Piece] {
      let pieces = regions.map { Piece(region: $0, isVisible: $0.intersection(visible) != nil) }
      return pieces.sorted { a, b in
        if a.isVisible != b.isVisible { return a.isVisible }
        return (distance(a.region), a.region.y, a.region.x) < (distance(b.region), b.region.y, b.region.x)
      }
    }
    var squares = sorted(grid(PixelRegion(x: 0, y: 0, width: width, height: height), side: side))
    guard isSlow, let first = squares.first else { return squares }
    squares.removeFirst()
    return sorted(grid(first.region, side: side / 2)) + squares
  }

  private static func grid(_ whole: PixelRegion, side: Int) -> [PixelRegion] {
    stride(from: whole.y, to: whole.maximumY, by: side).flatMap { y in
      stride(from: whole.x, to: whole.maximumX, by: side).map { x in
        PixelRegion(
          x: x, y: y, width: min(side, whole.maximumX - x), height: min(side, whole.maximumY - y))
      }
    }
  }
}
