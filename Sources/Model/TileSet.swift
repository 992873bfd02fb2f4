package import Pixels

/// A picture cut into tiles, as stored in `NAME.tiles.json` and shown by the page.
package struct TileSet: Sendable, Hashable, Codable {
  /// Everything that determines the content of the tiles. Tiles of an equal recipe are kept.
  package struct Recipe: Sendable, Hashable, Codable {
    /// SHA-256 of the source.
    package var source: String
    /// The preparation of the source, canonically spelled.
    package var preparation: String
    package var layout: TileLayout
    package var pyramid: TilePyramid
    /// Padding before the picture, pixels: columns and rows.
    package var origin: [Int]
    package var variant: CodecVariant
    package var quality: Quality
    package var libraries: String
    /// True if the tiles of level 0 are those of the source file.
    package var isRewrapped: Bool
    /// True if edge tiles are coded at full size.
    package var padsEdges: Bool
    /// True if only level 0 exists.
    package var isBaseOnly: Bool

    package init(
      source: String, preparation: String, layout: TileLayout, pyramid: TilePyramid, origin: [Int],
      variant: CodecVariant, quality: Quality, libraries: String, isRewrapped: Bool, padsEdges: Bool,
      isBaseOnly: Bool
    ) {
      (self.source, self.preparation, self.layout, self.pyramid) = (source, preparation, layout, pyramid)
      (self.origin, self.variant, self.quality, self.libraries) = (origin, variant, quality, libraries)
      (self.isRewrapped, self.padsEdges, self.isBaseOnly) = (isRewrapped, padsEdges, isBaseOnly)
    }
  }

  /// The common prefix of all its file names.
  package var name: String
  /// Without the dot.
  package var fileExtension: String
  package var recipe: Recipe
  /// Bytes of the tiles, row by row, from the largest level down; empty for missing levels.
  package var tileBytes: [[Int]]
  /// True if all tiles exist.
  package var isComplete: Bool

  package init(
    name: String, fileExtension: String, recipe: Recipe, tileBytes: [[Int]] = [], isComplete: Bool = false
  ) {
    (self.name, self.fileExtension, self.recipe) = (name, fileExtension, recipe)
    (self.tileBytes, self.isComplete) = (tileBytes, isComplete)
  }

  /// True if the contents of an untrusted file are plausible: names without folders, and as many sizes as tiles.
  package var isPossible: Bool {
    let isName = !name.isEmpty && !name.hasPrefix(".") && !name.contains("/")
    guard isName, !fileExtension.contains("/"), recipe.origin.count == 2,
      recipe.origin.allSatisfy({ (0...Self.mostPadding).contains($0) })
    else { return false }
    return tileBytes.count <= levels.count && zip(tileBytes, levels).allSatisfy { $0.count == $1.tileCount }
      && tileBytes.joined().allSatisfy { (0...TilingMeasurement.mostBytes).contains($0) }
  }

  private static let mostPadding = 1 << 24

  package var fileName: String { Self.fileName(name) }

  /// The file name for a set named `name`.
  package static func fileName(_ name: String) -> String { name + fileSuffix }

  package static let fileSuffix = ".tiles.json"

  /// The levels that have tiles.
  package var levels: [TilePyramid.Level] {
    recipe.isBaseOnly ? Array(recipe.pyramid.levels.prefix(1)) : recipe.pyramid.levels
  }

  package func path(_ place: TilePyramid.Place) -> String {
    recipe.layout.path(name, place, of: recipe.pyramid, fileExtension: fileExtension)
  }

  package var wholePath: String? {
    recipe.layout.wholePath(name, of: recipe.pyramid, fileExtension: fileExtension)
  }

  /// The paths of all its files except `fileName`.
  package var paths: [String] {
    let tiles = levels.flatMap { level in recipe.pyramid.places(of: level).map(path) }
    let descriptor = recipe.layout.descriptor(name, of: recipe.pyramid, fileExtension: fileExtension)?.path
    return tiles + [wholePath, descriptor].compactMap { $0 }
  }
}
