import Foundation
import Model
import Pixels

/// The pictures that a worker draws of a point while it has the pixels. Drawing them later takes another decode and
/// another pass of SSIMULACRA2.
package enum PointDrawing: String, Codable, Sendable {
  case nothing
  /// The pictures that are expensive to redo, for pages that may show the point: its error map, and its pixels if
  /// decoding takes longer than packing them.
  case dear
  case all

  /// The approximate time to pack a pixel, nanoseconds.
  private static let packingNanoseconds = 10.0

  func includesPixels(_ image: RasterImage, decode: TimingSample?) -> Bool {
    switch self {
    case .nothing: false
    case .dear:
      Double(decode?.cpuNanoseconds ?? 0) > Self.packingNanoseconds * Double(image.pixelCount)
    case .all: true
    }
  }
}

/// The pictures of a point for a page, which the worker that measured it leaves next to its kept file.
package struct PointPictures {
  private let paths: [RenderQuestion.Product: String]

  package init(beside file: String) { paths = [.picture: file + ".png", .errorMap: file + "-map.png"] }

  /// Writes one of them. A picture that cannot be written is made with the page, which reports a full disk.
  func write(_ product: RenderQuestion.Product, _ bytes: () throws -> [UInt8]?) {
    guard let path = paths[product] else { return }
    do {
      if let bytes = try bytes() { try ScratchFile.write(bytes, to: path) }
    } catch {
      // Empties a half-written picture, which then counts as missing.
      try? ScratchFile.write([], to: path)
    }
  }

  /// Moves the pictures that were written and returns which.
  package func move(to target: (RenderQuestion.Product) -> String) -> Set<RenderQuestion.Product> {
    Set(
      paths.filter { product, path in
        guard let size = try? FileSystem.status(of: Array(path.utf8)).size, size > 0 else { return false }
        return rename(path, target(product)) == 0
      }.keys)
  }
}
