import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Sweep
import Workers

/// What goes on while tiles are made.
package enum TilesEvent: Sendable, Hashable {
  /// So many tiles of a picture are there.
  case progress(picture: String, tiles: Int)
  /// A picture's tiles are complete: what they are and what they took, a sentence each.
  case made(picture: String, sentences: [String])
  /// A picture has no tiles.
  case failed(picture: String, reason: String)
}

/// Tiles of pictures at halving sizes below one folder, with a page to look at them. The folder holds nothing half-made
/// under a final name, and what was finished before is kept.
package struct TilesRequest: Sendable {
  /// How tiles are named.
  package enum Layout: String, Sendable, Hashable, CaseIterable {
    /// Deep Zoom.
    case dzi
    /// IIIF Image API 3.0, level 0.
    case iiif
    /// `NAME_SIZE_LEVEL_COLUMN_ROW`.
    case names
  }

  /// Which pictures.
  package var images: ImageSource
  /// The folder that tiles go to.
  package var output: String
  /// How tiles are named.
  package var layout = Layout.dzi
  /// The codec of the tiles; nil for JPEG, or that of the file where its own tiles are taken.
  package var codec: CodecVariant?
  /// Other builds of the libraries, of which the codec names one, as `heic@new` does; pictures are decoded by the system's.
  package var builds: [LibraryBuild] = []
  /// Position on the quality axis.
  package var quality: Quality = 0.8
  /// Pixels of a tile's side, without its overlap.
  package var tileSize = 512
  /// Pixels that neighbouring tiles share on each side.
  package var overlap = 0
  /// How many pixels become one in each direction before anything else, in linear light, 1 to 64.
  package var downscale = 1
  /// Whether the coded tiles of a HEIC grid are taken as they are for the largest level.
  package var rewraps = false
  /// Whether the largest level alone is made, without a page.
  package var isBaseOnly = false
  /// Whether tiles at the right and lower edge are coded at the full size.
  package var padsEdges = false
  /// With IIIF: the address that the folder will be served under, with a slash at its end.
  package var address = ""
  /// How the work is done; its jobs are tiles encoded side by side.
  package var workers = WorkerSettings()

  /// Cuts pictures into tiles in a folder.
  package init(images: [InputPath], output: String) {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes what is missing. Blocks the calling thread.
  /// - Parameters:
  ///   - cancellation: stops early; tiles that are made by then stay, and the same request goes on with them.
  ///   - events: told what goes on.
  /// - Throws: `HeicBenchError` where the request, the pictures or the folder cannot be used, or no worker can be
  ///   started. A picture without tiles is no error.
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

/// What became of tiles.
package struct TilesOutcome: Sendable {
  /// The page that shows all pictures of the folder; nil where there is none.
  package let page: String?
  /// How many pictures have no tiles.
  package let failed: Int
  /// Whether the run was stopped before all were made.
  package let wasInterrupted: Bool
}
