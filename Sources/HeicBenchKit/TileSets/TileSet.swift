import CPages
import Foundation
import Model
import Pixels
import Reports
import Store

/// A picture cut into tiles, as stored in `NAME.tiles.json` and shown by the page.
struct TileSet: Sendable, Hashable, Codable {
  /// Everything that determines the content of the tiles. Tiles with the same recipe are kept.
  struct Recipe: Sendable, Hashable, Codable {
    /// SHA-256 of the source.
    var source: String
    /// The preparation of the source, canonically spelled.
    var preparation: String
    var layout: TileLayout
    var pyramid: TilePyramid
    /// Padding before the picture, pixels: columns and rows.
    var origin: [Int]
    var variant: CodecVariant
    var quality: Quality
    var libraries: String
    /// True if level 0 consists of the source file's own tiles.
    var isRewrapped: Bool
    /// True if edge tiles are coded at full size.
    var padsEdges: Bool
    var isBaseOnly: Bool
  }

  var name: String
  /// Shown on the page instead of the name.
  var title: String?
  /// The line on the page that credits the picture.
  var licence: String?
  /// The extension without the dot.
  var fileExtension: String
  var recipe: Recipe
  /// Bytes of the tiles, row by row, from the largest level down; empty for missing levels.
  var tileBytes: [[Int]] = []
  var isComplete = false

  /// True if the contents of an untrusted file are plausible: names without folders, and as many sizes as tiles.
  var isPossible: Bool {
    let isName = !name.isEmpty && !name.hasPrefix(".") && !name.contains("/")
    guard isName, !fileExtension.contains("/"), recipe.origin.count == 2,
      recipe.origin.allSatisfy({ (0...Self.mostPadding).contains($0) })
    else { return false }
    return tileBytes.count <= levels.count && zip(tileBytes, levels).allSatisfy { $0.count == $1.tileCount }
      && tileBytes.joined().allSatisfy { (0...TiledLevels.mostBytes).contains($0) }
  }

  private static let mostPadding = 1 << 24

  var fileName: String { Self.fileName(name) }

  static func fileName(_ name: String) -> String { name + fileSuffix }

  static let fileSuffix = ".tiles.json"

  /// The set that one of heicbench's own files describes; nil if there is none, or if it is impossible.
  static func read(_ file: String, in folder: OwnedFolder) -> TileSet? {
    guard folder.standing(of: file) == .ours, let bytes = folder.beginning(of: file, count: 1 << 28),
      let set = try? JSONDecoder().decode(TileSet.self, from: Data(bytes)), set.isPossible,
      set.fileName == file
    else { return nil }
    return set
  }

  func write(to folder: OwnedFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try folder.write(String(decoding: try encoder.encode(self), as: UTF8.self) + "\n", to: fileName)
  }

  var levels: [TilePyramid.Level] {
    recipe.isBaseOnly ? Array(recipe.pyramid.levels.prefix(1)) : recipe.pyramid.levels
  }

  func path(_ place: TilePyramid.Place) -> String {
    recipe.layout.path(name, place, of: recipe.pyramid, fileExtension: fileExtension)
  }

  var wholePath: String? {
    recipe.layout.wholePath(name, of: recipe.pyramid, fileExtension: fileExtension)
  }

  /// The paths of all its files except `fileName`.
  var paths: [String] {
    let tiles = levels.flatMap { level in recipe.pyramid.places(of: level).map(path) }
    let descriptor = recipe.layout.descriptor(name, of: recipe.pyramid, fileExtension: fileExtension)?.path
    return tiles + [wholePath, descriptor].compactMap { $0 }
  }
}

/// The `index.html` of a folder of tiles, for zooming and paging through its pictures offline.
enum TilePage {
  static let fileName = "index.html"

  private struct Picture: Encodable {
    var name, layout, `extension`: String
    var title, licence: String?
    var width, height, tileSize, overlap: Int
    var origin: [Int]
    var tiles: [[Int]]

    init(_ set: TileSet) {
      (name, layout, `extension`) = (set.name, set.recipe.layout.rawValue, set.fileExtension)
      (title, licence) = (set.title, set.licence)
      let pyramid = set.recipe.pyramid
      (width, height) = (pyramid.width, pyramid.height)
      (tileSize, overlap) = (pyramid.tileSize, pyramid.overlap)
      (origin, tiles) = (set.recipe.origin, set.tileBytes)
    }
  }

  static func html(_ sets: [TileSet]) throws -> String {
    let (style, script) = (String(cString: hb_tiles_css()), String(cString: hb_tiles_js()))
    return try HTMLTemplate.filled(
      String(cString: hb_tiles_html()),
      with: [
        "title": HTMLText.escaped(sets.map { $0.title ?? $0.name }.joined(separator: ", ")),
        "policy": HTMLTemplate.contentSecurityPolicy(style: style, script: script),
        "style": style, "script": script,
        "data": HTMLText.script(sets.map(Picture.init)),
      ])
  }
}
