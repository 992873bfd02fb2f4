import CodecKit
import Foundation
import Metrics
import Model
import Pixels

extension PointDrawing {
  /// What packing takes of a pixel, about, nanoseconds.
  private static let packingNanoseconds = 10.0

  /// Whether the pixels are drawn whose decode took so long.
  func includesPixels(_ image: RasterImage, decode: TimingSample?) -> Bool {
    switch self {
    case .nothing: false
    case .dear:
      Double(decode?.cpuNanoseconds ?? 0) > Self.packingNanoseconds * Double(image.pixelCount)
    case .all: true
    }
  }
}

/// The pictures that a page shows of a point, left beside its kept file by the worker that measured it.
struct PointPictures {
  private let paths: [RenderRequest.Product: String]

  /// The pictures of a point whose file is kept under this path.
  init(beside file: String) { paths = [.picture: file + ".png", .errorMap: file + "-map.png"] }

  /// Writes one of them. What cannot be written is made with the page, where a full disk is told.
  func write(_ product: RenderRequest.Product, _ bytes: () throws -> [UInt8]?) {
    guard let path = paths[product] else { return }
    do {
      if let bytes = try bytes() { try ScratchFile.write(bytes, to: path) }
    } catch {
      // Half a picture is none.
      try? ScratchFile.write([], to: path)
    }
  }

  /// Moves them to other paths, and returns which there are.
  func move(to target: (RenderRequest.Product) -> String) -> Set<RenderRequest.Product> {
    Set(
      paths.filter { product, path in
        guard let size = try? FileSystem.status(of: Array(path.utf8)).size, size > 0 else { return false }
        return rename(path, target(product)) == 0
      }.keys)
  }
}
