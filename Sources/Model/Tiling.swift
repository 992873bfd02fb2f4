package import Pixels

/// How tiles are kept.
package enum TileForm: String, Sendable, Hashable, Codable {
  /// Each in a file of its own.
  case files
  /// All of a level in one file that puts them together: a HEIC grid.
  case grid
}

/// How much of a picture is looked at at once, pixels.
package struct TileView: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Columns and rows.
  package let width, height: Int

  /// The sides that a view may have.
  package static let sides = 1...65_535

  /// A view; nil for one that is no rectangle or too large.
  package init?(width: Int, height: Int) {
    guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// Reads what `description` writes; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2 else { return nil }
    self.init(width: sides[0], height: sides[1])
  }

  /// `1920x1080`.
  package var description: String { "\(width)x\(height)" }
}

/// What was asked of tiles besides the cuts themselves: reports that are made again go by it.
package struct TileQuestion: Sendable, Hashable, Codable {
  /// How sources became what was cut, canonically spelled.
  package var preparation: String
  /// What is looked at at once, as `TileView` spells it.
  package var view: String

  /// Asks for the cuts of pictures that were prepared in a way.
  package init(preparation: String, view: TileView) {
    (self.preparation, self.view) = (preparation, view.description)
  }
}

/// One way to cut one picture: what a row of tiles.csv is about.
package struct TilingKey: Sendable, Hashable, Codable {
  /// The picture.
  package var image: ImageIdentity
  /// Codec and settings of the tiles and of the picture without tiles.
  package var variant: CodecVariant
  /// Position on the quality axis.
  package var quality: Quality
  /// Pixels of a tile's side.
  package var tileSize: Int
  /// Pixels that neighbours share on each side.
  package var overlap: Int
  /// How tiles are kept.
  package var form: TileForm
  /// The viewport whose memory is measured, as `TileView` spells it.
  package var view: String
  /// The libraries that take part, canonically spelled; empty where they are not known.
  package var libraries: String

  /// Names a way to cut a picture.
  package init(
    image: ImageIdentity, variant: CodecVariant, quality: Quality, tileSize: Int, overlap: Int,
    form: TileForm, view: String = "", libraries: String = ""
  ) {
    (self.image, self.variant, self.quality) = (image, variant, quality)
    (self.tileSize, self.overlap, self.form) = (tileSize, overlap, form)
    (self.view, self.libraries) = (view, libraries)
  }
}

/// What it takes to have one tile.
package struct TileCost: Sendable, Hashable, Codable {
  /// Bytes to fetch.
  package var bytes: Int
  /// CPU time to decode it, nanoseconds.
  package var cpuNanoseconds: Int64

  /// States a cost.
  package init(bytes: Int, cpuNanoseconds: Int64) {
    (self.bytes, self.cpuNanoseconds) = (bytes, cpuNanoseconds)
  }
}

/// A picture coded without tiles.
package struct WholeFigures: Sendable, Hashable, Codable {
  /// Bytes of the file, and of what in it is not coded picture; nil where the format is not taken apart.
  package var bytes: Int
  /// Bytes around the coded picture: container, tables.
  package var containerBytes: Int?
  /// Score against the picture; nil where it is too small for one.
  package var ssimulacra2: Double?
  /// CPU times, nanoseconds.
  package var encodeNanoseconds, decodeNanoseconds: Int64
  /// How far memory grew in the decode, bytes.
  package var decodePeakBytes: Int?

  /// States figures.
  package init(bytes: Int, encodeNanoseconds: Int64, decodeNanoseconds: Int64) {
    self.bytes = bytes
    (self.encodeNanoseconds, self.decodeNanoseconds) = (encodeNanoseconds, decodeNanoseconds)
  }
}

/// What cutting a picture gave and cost.
package struct TilingMeasurement: Sendable, Hashable, Codable {
  /// How it was cut.
  package var pyramid: TilePyramid
  /// The picture without tiles, same settings.
  package var whole: WholeFigures
  /// Every tile of every level, row by row, level 0 first.
  package var tiles: [[TileCost]]
  /// Bytes of each level that belong to no tile: the head of a grid file.
  package var headerBytes: [Int]
  /// Bytes around the coded pictures of level 0's tiles; nil where the format is not taken apart.
  package var containerBytes: Int?
  /// Score of level 0 put together again; nil where it is too small for one.
  package var ssimulacra2: Double?
  /// Mean error of the step in luma across the borders of level 0's tiles, and at the same places without tiles,
  /// in 255ths; nil for a level of one tile.
  package var seamStep, wholeSeamStep: Double?
  /// CPU time of encoding all levels, nanoseconds.
  package var encodeNanoseconds: Int64
  /// How far memory grew while the tiles of a viewport in the middle of level 0 were decoded, bytes.
  package var viewportPeakBytes: Int?
  /// What else there is to say.
  package var remarks: [String] = []

  /// States what was cut; the rest is filled in.
  package init(pyramid: TilePyramid, whole: WholeFigures) {
    (self.pyramid, self.whole) = (pyramid, whole)
    (tiles, headerBytes, encodeNanoseconds) = ([], [], 0)
  }

  /// Bytes of a level with all around its tiles.
  package func bytes(ofLevel level: Int) -> Int {
    headerBytes[level] + tiles[level].reduce(0) { $0 + $1.bytes }
  }

  /// Bytes of all levels.
  package var totalBytes: Int { tiles.indices.reduce(0) { $0 + bytes(ofLevel: $1) } }

  /// What of it cannot be true of the picture of a key, cut that way; nil for figures that may be.
  package func impossibility(of key: TilingKey) -> String? {
    guard pyramid.tileSize == key.tileSize, pyramid.overlap == key.overlap, pyramid.end == .oneTile,
      TilePyramid(
        width: pyramid.width, height: pyramid.height, tileSize: pyramid.tileSize, overlap: pyramid.overlap)
        != nil
    else { return "how it was cut" }
    let levels = pyramid.levels
    let sizes = [whole.containerBytes ?? 0, containerBytes ?? 0] + headerBytes
    let times = [whole.encodeNanoseconds, whole.decodeNanoseconds, encodeNanoseconds]
    let scores = [whole.ssimulacra2, ssimulacra2, seamStep, wholeSeamStep].compactMap { $0 }
    let rules: [(Bool, String)] = [
      (
        tiles.map(\.count) == levels.map(\.tileCount) && headerBytes.count == levels.count,
        "the number of its tiles"
      ),
      (
        tiles.joined().allSatisfy {
          (1...Self.mostBytes).contains($0.bytes) && (0...Self.longestTime).contains($0.cpuNanoseconds)
        }, "a tile"
      ),
      (
        (1...Self.mostBytes).contains(whole.bytes) && sizes.allSatisfy((0...Self.mostBytes).contains),
        "a size"
      ),
      (times.allSatisfy((0...Self.longestTime).contains), "its times"),
      (
        [whole.decodePeakBytes, viewportPeakBytes].allSatisfy { (0...Self.mostBytes).contains($0 ?? 0) },
        "its memory"
      ),
      (scores.allSatisfy { $0.isFinite || $0 == .infinity }, "a score that is no number"),
    ]
    return rules.first { !$0.0 }?.1
  }

  /// 64 TiB: sums of a million such sizes stay numbers.
  static let mostBytes = 1 << 42
  /// A hundred days, nanoseconds.
  private static let longestTime: Int64 = 10_000_000_000_000_000
}

/// A way to cut a picture, and what became of it.
package struct TilingRecord: Sendable, Hashable, Codable {
  /// What was cut how.
  package var key: TilingKey
  /// What became of it.
  package var outcome: Outcome<TilingMeasurement>
  /// The source's format, and whether it loses something; nil where the header could not be read.
  package var header: ImageHeader?
  /// How the source became the picture that was cut.
  package var downscale: Int

  /// Keeps a record.
  package init(key: TilingKey, outcome: Outcome<TilingMeasurement>, header: ImageHeader?, downscale: Int) {
    (self.key, self.outcome, self.header, self.downscale) = (key, outcome, header, downscale)
  }
}

/// A point of the curve without tiles, for pictures at a quality that is not cut.
package struct WholePoint: Sendable, Hashable, Codable {
  /// The picture.
  package var image: ImageIdentity
  /// Codec and settings.
  package var variant: CodecVariant
  /// Position on the quality axis.
  package var quality: Quality
  /// Bytes of the file.
  package var bytes: Int
  /// Score against the picture; nil where there is none.
  package var ssimulacra2: Double?
  /// The libraries that take part, canonically spelled; empty where they are not known.
  package var libraries: String

  /// States a point.
  package init(
    image: ImageIdentity, variant: CodecVariant, quality: Quality, bytes: Int, ssimulacra2: Double?,
    libraries: String = ""
  ) {
    (self.image, self.variant, self.quality) = (image, variant, quality)
    (self.bytes, self.ssimulacra2, self.libraries) = (bytes, ssimulacra2, libraries)
  }
}
