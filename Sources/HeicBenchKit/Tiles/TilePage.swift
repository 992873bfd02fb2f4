import Foundation
package import Model
import Pixels
import Reports

/// `index.html` of a folder of tiles, for zooming and paging through its pictures without a network.
package enum TilePage {
  package static let fileName = "index.html"

  /// A picture as the page's script knows it.
  private struct Picture: Encodable {
    var name, layout, `extension`: String
    var width, height, tileSize, overlap: Int
    var origin: [Int]
    var tiles: [[Int]]

    init(_ set: TileSet) {
      (name, layout, `extension`) = (set.name, set.recipe.layout.rawValue, set.fileExtension)
      let pyramid = set.recipe.pyramid
      (width, height) = (pyramid.width, pyramid.height)
      (tileSize, overlap) = (pyramid.tileSize, pyramid.overlap)
      (origin, tiles) = (set.recipe.origin, set.tileBytes)
    }
  }

  package static func html(_ sets: [TileSet]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(sets.map(Picture.init)), as: UTF8.self)
    let (style, script) = (
      String(decoding: PackageResources.tiles_css, as: UTF8.self),
      String(decoding: PackageResources.tiles_js, as: UTF8.self)
    )
    return try HTMLTemplate.filled(
      String(decoding: PackageResources.tiles_html, as: UTF8.self),
      with: [
        "title": HTMLText.escaped(sets.map(\.name).joined(separator: ", ")),
        "policy": HTMLTemplate.contentSecurityPolicy(style: style, script: script),
        "style": style, "script": script,
        // No end tag may appear in a script element.
        "data": json.replacingOccurrences(of: "<", with: "\\u003c"),
      ])
  }
}
