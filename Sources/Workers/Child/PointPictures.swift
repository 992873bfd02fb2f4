import CodecKit
import Foundation
import Metrics
import Model
import Pixels

/// The pictures that a page shows of a point, drawn by the worker that measures it while it has the pixels, and left
/// beside the kept file: making them later takes another decode and another walk of SSIMULACRA 2.
struct PointPictures {
  private let picture, map: String

  /// The pictures of a point whose file is kept under this path.
  init(beside file: String) { (picture, map) = (file + ".png", file + "-map.png") }

  /// Writes them. What cannot be written is made with the page, where a full disk is told.
  func write(_ decoded: RasterImage, _ errors: ErrorMap?, with writer: any ImageWriter) {
    do {
      if let raster = errors.flatMap(ErrorMapPicture.raster) {
        try ScratchFile.write(writer.preview(raster), to: map)
      }
      try ScratchFile.write(writer.preview(decoded), to: picture)
    } catch {
      // Half a picture is none.
      try? ScratchFile.write([], to: picture)
    }
  }

  /// Moves them to other paths, and returns which there are; nil where they were not written.
  func move(to path: (RenderRequest.Product) -> String) -> [RenderRequest.Product]? {
    guard let size = try? FileSystem.status(of: Array(picture.utf8)).size, size > 0,
      rename(picture, path(.picture)) == 0
    else { return nil }
    return rename(map, path(.errorMap)) == 0 ? [.picture, .errorMap] : [.picture]
  }
}
