package import Pixels

/// A picture that was cut into tiles, as `NAME.tiles.json` keeps it and the page shows it.
package struct TileSet: Sendable, Hashable, Codable {
  /// What decides on the content of every tile. Tiles of an equal recipe are kept.
  package struct Recipe: Sendable, Hashable, Codable {
    /// SHA-256 of the source.
    package var source: String
    /// How the source became the picture that was cut.
    package var preparation: String
    /// How tiles are named.
    package var layout: TileLayout
    /// How the picture is cut.
    package var pyramid: TilePyramid
    /// Padding in front of the picture, pixels: columns and rows.
    package var origin: [Int]
    /// Codec and settings.
    package var variant: CodecVariant
    /// Position on the quality axis.
    package var quality: Quality
    /// The libraries that the tiles were made with.
    package var libraries: String
    /// Whether tiles of level 0 are those of the source file.
    package var isRewrapped: Bool
    /// Whether tiles at the edge are coded at the full size.
    package var padsEdges: Bool
    /// Whether there is level 0 alone.
    package var isBaseOnly: Bool

    /// States a recipe.
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

  /// The first part of all its names.
  package var name: String
  /// File extension of the tiles, without the dot.
  package var fileExtension: String
  /// How the tiles were made.
  package var recipe: Recipe
  /// Bytes of the tiles, level by level from the largest and row by row; of levels that are not there, none.
  package var tileBytes: [[Int]]
  /// Whether all tiles are there.
  package var isComplete: Bool

  /// Describes a set.
  package init(
    name: String, fileExtension: String, recipe: Recipe, tileBytes: [[Int]] = [], isComplete: Bool = false
  ) {
    (self.name, self.fileExtension, self.recipe) = (name, fileExtension, recipe)
    (self.tileBytes, self.isComplete) = (tileBytes, isComplete)
  }

  /// Whether it can be what a file that may come from anywhere says: names without folders, and as many sizes as
  /// tiles.
  package var isPossible: Bool {
    let isName = !name.isEmpty && !name.hasPrefix(".") && !name.contains("/")
    guard isName, !fileExtension.contains("/"), recipe.origin.count == 2,
      recipe.origin.allSatisfy({ (0...Self.mostPadding).contains($0) })
    else { return false }
    return tileBytes.count <= levels.count && zip(tileBytes, levels).allSatisfy { $0.count == $1.tileCount }
      && tileBytes.joined().allSatisfy { (0...TilingMeasurement.mostBytes).contains($0) }
  }

  private static let mostPadding = 1 << 24

  /// The file that keeps this.
  package var fileName: String { Self.fileName(name) }

  /// The file that keeps a set of a name.
  package static func fileName(_ name: String) -> String { name + fileSuffix }

  /// How the names of such files end.
  package static let fileSuffix = ".tiles.json"

  /// Levels that tiles are made of.
  package var levels: [TilePyramid.Level] {
    recipe.isBaseOnly ? Array(recipe.pyramid.levels.prefix(1)) : recipe.pyramid.levels
  }

  /// The path of a tile below the folder.
  package func path(_ place: TilePyramid.Place) -> String {
    recipe.layout.path(name, place, of: recipe.pyramid, fileExtension: fileExtension)
  }

  /// The path of the picture in one file; nil where there is none.
  package var wholePath: String? {
    recipe.layout.wholePath(name, of: recipe.pyramid, fileExtension: fileExtension)
  }

  /// The paths of all that belongs to it but the file that keeps this.
  package var paths: [String] {
    let tiles = levels.flatMap { level in recipe.pyramid.places(of: level).map(path) }
    let descriptor = recipe.layout.descriptor(name, of: recipe.pyramid, fileExtension: fileExtension)?.path
    return tiles + [wholePath, descriptor].compactMap { $0 }
  }
}
