import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Workers

package enum TilesEvent: Sendable, Hashable {
  /// The number of a picture's tiles that exist.
  case progress(picture: String, tiles: Int)
  /// A picture's tiles are complete, with sentences on them and their cost.
  case made(picture: String, sentences: [String])
  case failed(picture: String, reason: String)
}

/// Tiles of pictures at halving sizes in one folder, with a page to view them. Final names are given only to finished
/// files, which later calls keep.
package struct TilesRequest: Request {
  package enum Layout: String, Sendable, Hashable, CaseIterable {
    /// Deep Zoom.
    case dzi
    /// IIIF Image API 3.0, level 0.
    case iiif
    /// `NAME_SIZE_LEVEL_COLUMN_ROW`.
    case names
  }

  package var images: ImageSource
  package var output: String
  package var layout = Layout.dzi
  /// The codec of the tiles; nil for JPEG, or that of the file if its own tiles are taken.
  package var codec: CodecVariant?
  /// Other builds of the libraries, one of which the codec names, such as `heic@new`; the system's decode the pictures.
  package var builds: [LibraryBuild] = []
  package var quality: Quality = 0.8
  /// Side of a tile in pixels, without overlap.
  package var tileSize = 512
  /// Pixels that neighbouring tiles share on each side.
  package var overlap = 0
  /// Factor by which pictures are shrunk in each direction first, in linear light, 1 to 64.
  package var downscale = 1
  /// True if the coded tiles of a HEIC grid are taken as they are for the largest level.
  package var rewraps = false
  /// True if only the largest level is made, without a page.
  package var isBaseOnly = false
  /// True if tiles at the right and lower edges are coded at full size.
  package var padsEdges = false
  /// For IIIF: the address that the folder will be served under, with a final slash.
  package var address = ""
  /// Worker settings; `jobs` counts tiles encoded side by side.
  package var workers = WorkerSettings()

  package init(images: [InputPath], output: String) {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes what is missing; the same request continues from it.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (TilesEvent) -> Void = { _ in }
  ) throws -> TilesOutcome {
    try HeicBenchError.mapping {
      let recipe = try TileRecipe(self)
      defer { cancellation.release() }
      return try TilesRun(recipe, cancellation, events).run()
    }
  }
}

package struct TilesOutcome: Sendable {
  /// The page that shows all pictures of the folder; nil if there is none.
  package let page: String?
  package let failed: Int
  package let wasInterrupted: Bool
}
