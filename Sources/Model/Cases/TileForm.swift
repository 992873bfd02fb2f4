package import Pixels

package enum TileForm: String, Sendable, Hashable, Codable {
  case files
  /// All tiles of a level in one file: a HEIC grid.
  case grid
}

/// A size in pixels.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Number of columns.
  public var width: Int
  /// Number of rows.
  public var height: Int

  /// Creates a size from columns and rows.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Parses `1920x1080`; nil if it is not the size of a picture.
  package init?(_ text: some StringProtocol) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy((1...65_535).contains) else { return nil }
    self.init(width: sides[0], height: sides[1])
  }

  /// The size as `1920x1080`.
  public var description: String { "\(width)x\(height)" }
}

/// The parameters of a tile report, kept so that it can be written again.
package struct TileScope: Sendable, Hashable, Codable {
  /// The preparation of the sources, in canonical spelling.
  package var preparation: String
  /// The viewport as `PixelSize` spells it.
  package var view: String

  package init(preparation: String, view: PixelSize) {
    (self.preparation, self.view) = (preparation, view.description)
  }
}

package struct TileCut: Sendable, Hashable, CustomStringConvertible {
  /// Side of a tile, in pixels.
  package var tileSize: Int
  /// Pixels shared by neighbours on each side.
  package var overlap: Int
  package var form: TileForm
  /// The viewport whose memory is measured, as `PixelSize` spells it.
  package var view: String

  package init(tileSize: Int, overlap: Int, form: TileForm, view: String) {
    (self.tileSize, self.overlap, self.form, self.view) = (tileSize, overlap, form, view)
  }

  package init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let form = TileForm(rawValue: String(parts[1])), PixelSize(parts[2]) != nil
    else { return nil }
    let sizes = parts[0].split(separator: "+", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard sizes.count == 2 else { return nil }
    self.init(tileSize: sizes[0], overlap: sizes[1], form: form, view: String(parts[2]))
  }

  /// `256+0 files 1920x1080`.
  package var description: String { "\(tileSize)+\(overlap) \(form.rawValue) \(view)" }
}

extension Case {
  /// How the picture is cut into tiles; a cut without tiles for other cases.
  package var cut: TileCut {
    if case .tiles(let cut) = way { cut } else { TileCut(tileSize: 0, overlap: 0, form: .files, view: "") }
  }

  /// The same picture without tiles, which is a point.
  package func untiled(at quality: Quality?) -> Case {
    var point = self
    (point.way, point.encodedAt) = (.point, quality)
    return point
  }

  /// The downscale factor, which comes last in the spelling of a preparation.
  package var downscale: Int {
    preparation.split(separator: "=").last.flatMap { Int($0) } ?? 1
  }
}

package struct TileCost: Sendable, Hashable, Codable {
  package var bytes: Int
  /// CPU time of the decode, in nanoseconds.
  package var cpuNanoseconds: Int64

  package init(bytes: Int, cpuNanoseconds: Int64) {
    (self.bytes, self.cpuNanoseconds) = (bytes, cpuNanoseconds)
  }
}

/// The tiles of a picture on all levels. The other figures of a cut are quantities, times and scores: bytes of all levels,
/// CPU time of encoding them, memory of a viewport in the middle of level 0, scores of level 0 reassembled.
package struct TiledLevels: Sendable, Hashable, Codable {
  package var pyramid: TilePyramid
  /// Every tile of every level, row by row, level 0 first.
  package var tiles: [[TileCost]] = []
  /// Bytes of each level outside its tiles: the head of a grid file.
  package var headerBytes: [Int] = []
  /// Mean error of the luma step across the borders of level 0's tiles, and at the same places without tiles, in
  /// 255ths; nil for a level with a single tile.
  package var seamStep, wholeSeamStep: Double?

  package init(pyramid: TilePyramid) { self.pyramid = pyramid }

  /// Bytes of a level, including the bytes around its tiles.
  package func bytes(ofLevel level: Int) -> Int {
    headerBytes[level] + tiles[level].reduce(0) { $0 + $1.bytes }
  }

  package var totalBytes: Int { tiles.indices.reduce(0) { $0 + bytes(ofLevel: $1) } }

  /// The first figure that is impossible for a picture cut this way; nil if all are plausible.
  package func impossibility(of cut: TileCut) -> String? {
    guard pyramid.tileSize == cut.tileSize, pyramid.overlap == cut.overlap, pyramid.end == .oneTile,
      TilePyramid(
        width: pyramid.width, height: pyramid.height, tileSize: pyramid.tileSize, overlap: pyramid.overlap)
        != nil
    else { return "how it was cut" }
    let levels = pyramid.levels
    let rules: [(Bool, String)] = [
      (
        tiles.map(\.count) == levels.map(\.tileCount) && headerBytes.count == levels.count,
        "the number of its tiles"
      ),
      (
        tiles.joined().allSatisfy {
          (1...Self.mostBytes).contains($0.bytes) && Bound.time.contains($0.cpuNanoseconds)
        }, "a tile"
      ),
      (headerBytes.allSatisfy((0...Self.mostBytes).contains), "a size"),
      (
        [seamStep, wholeSeamStep].allSatisfy { $0.map { $0.isFinite || $0 == .infinity } ?? true },
        "a score that is not a number"
      ),
    ]
    return rules.first { !$0.0 }?.1
  }

  /// 4 TiB: sums of a million such sizes do not overflow.
  package static let mostBytes = 1 << 42
}

extension Figures {
  package init(tiles: TiledLevels) {
    self.init(encodedBytes: tiles.totalBytes)
    self.tiles = tiles
  }
}
