package import CodecKit
package import Foundation
package import Model
import Synchronization

/// The PNG files of one image, by variant name and then by the spelling of the quality or the name of an imported file,
/// as paths relative to the output folder.
package struct ExportedPictures: Sendable, Hashable {
  package var name: String
  package var reference: String
  package var thumbnail: String
  package var pictures: [String: [String: String]] = [:]
  /// Error maps; absent for images too small for SSIMULACRA 2.
  package var maps: [String: [String: String]] = [:]
}

/// Makes a report's pictures in a pool's workers: the reference and, for each point, the decoded pixels and the error
/// map. Points whose encoded file was not kept are encoded again.
package struct PictureExporter: Sendable {
  package struct Image: Sendable {
    package var file: ImageFile
    /// The points to show; those that their codec cannot do are left out.
    package var points: [Point]

    package init(file: ImageFile, points: [Point]) { (self.file, self.points) = (file, points) }
  }

  package struct Point: Sendable {
    package enum Source: Sendable {
      case quality(Quality)
      case imported(ImageFile, name: String)
    }

    package var variant: CodecVariant
    package var source: Source

    package init(_ variant: CodecVariant, _ source: Source) {
      (self.variant, self.source) = (variant, source)
    }

    var label: String {
      switch source {
      case .quality(let quality): quality.description
      case .imported(_, let name): name
      }
    }
  }

  private struct Item: Sendable {
    var image: Int
    var file: ImageFile
    var prefix: String
    var point: Point?

    func name(of product: RenderRequest.Product) -> String {
      switch product {
      case .errorMap: prefix + "-map.png"
      case .thumbnail: prefix + "-thumbnail.png"
      default: prefix + (point == nil ? "-reference.png" : ".png")
      }
    }

    func names(of products: Set<RenderRequest.Product>) -> [RenderRequest.Product: String] {
      Dictionary(uniqueKeysWithValues: products.map { ($0, name(of: $0)) })
    }
  }

  private let pool: WorkerPool
  private let registry: CodecRegistry
  private let encoded: EncodedFiles?
  /// The peak memory of a picture per pixel: source, prepared raster, decoded raster, the prepared metric with its
  /// error planes, and a PNG file, with some room.
  private static let bytesPerPixel = 120.0

  /// `encoded` must come from the same run. Kept files and external metrics of the configuration are ignored.
  package init(
    _ configuration: RunnerConfiguration, preparation: Preparation, registry: CodecRegistry,
    encoded: EncodedFiles? = nil
  ) {
    var configuration = configuration
    configuration.keepFolder = nil
    (configuration.externalMetrics, configuration.builds) = ([], [])
    pool = WorkerPool(
      configuration, preparation: preparation, metrics: [], bytesPerPixel: Self.bytesPerPixel)
    (self.registry, self.encoded) = (registry, encoded)
  }

  package var isCancelled: Bool { pool.isCancelled }

  /// Ends the work at once: `export` throws `CancellationError`. May be called from any thread.
  package func cancel() { pool.cancel() }

  /// Writes all pictures of these images into a folder that exists, and returns for each its files or the reason why there are none. Throws
  /// `CocoaError` if a file cannot be written, `WorkerStartError` or `CancellationError`.
  package func export(
    _ images: [Image], into folder: URL,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> [Result<ExportedPictures, Failure>] {
    let items = images.enumerated().flatMap { number, image in
      [Item(image: number, file: image.file, prefix: "\(number + 1)", point: nil)]
        + image.points.enumerated().map { index, point in
          Item(image: number, file: image.file, prefix: "\(number + 1)-\(index)", point: point)
        }
    }
    let done = Mutex(0)
    let made = try pool.map(items, pixels: \.file.pixels, image: \.file.identity) { worker, item in
      let files = try make(item, in: folder, with: worker)
      let count = done.withLock { done in
        done += 1
        return done
      }
      progress(count, items.count)
      return files
    }
    var result = images.map { image in
      Result<ExportedPictures, Failure>.success(
        ExportedPictures(name: image.file.identity.name, reference: "", thumbnail: ""))
    }
    for (item, files) in zip(items, made) {
      result[item.image] = result[item.image].flatMap { pictures in
        files.map { pictures.with($0, of: item.point) }.flatMapError { failure in
          item.point == nil ? .failure(failure) : .success(pictures)
        }
      }
    }
    return result
  }

  private func make(
    _ item: Item, in folder: URL, with worker: WorkerSlot
  ) throws -> Result<[RenderRequest.Product: String], Failure> {
    let drawn = drawnBefore(item, folder)
    let products: [RenderRequest.Product] =
      item.point == nil ? [.picture, .thumbnail] : [.picture, .errorMap]
    let missing = products.filter { !drawn.contains($0) }
    guard !missing.isEmpty else { return .success(item.names(of: drawn)) }
    let request = RenderRequest(item.point.map { subject(of: $0, item.file) } ?? .prepared, missing)
    let response = try worker.render(request, of: item.file)
    guard let image = response.value else {
      guard let failure = response.failure else { throw CancellationError() }
      return .failure(failure)
    }
    for (product, bytes) in image.products {
      // No file needs to be on disk yet: all get their names in the report's folder once they are complete.
      try ScratchFile.write(bytes, to: folder.appending(path: item.name(of: product)).path)
    }
    return .success(item.names(of: drawn.union(image.products.keys)))
  }

  private func subject(of point: Point, _ file: ImageFile) -> RenderRequest.Subject {
    switch point.source {
    case .quality(let quality):
      let kept = encoded?.path(
        image: file.identity.name, variant: point.variant, quality: quality, registry: registry)
      return .encoded(point.variant, quality, kept: kept)
    case .imported(let imported, _): return .file(imported)
    }
  }

  private func drawnBefore(_ item: Item, _ folder: URL) -> Set<RenderRequest.Product> {
    guard let point = item.point, case .encoded(_, _, let kept?) = subject(of: point, item.file) else {
      return []
    }
    return PointPictures(beside: kept).move { folder.appending(path: item.name(of: $0)).path }
  }
}

extension ExportedPictures {
  fileprivate func with(
    _ files: [RenderRequest.Product: String], of point: PictureExporter.Point?
  ) -> ExportedPictures {
    var pictures = self
    if let point {
      let (variant, label) = (point.variant.name, point.label)
      if let file = files[.picture] { pictures.pictures[variant, default: [:]][label] = file }
      if let file = files[.errorMap] { pictures.maps[variant, default: [:]][label] = file }
    } else {
      pictures.reference = files[.picture] ?? ""
      pictures.thumbnail = files[.thumbnail] ?? ""
    }
    return pictures
  }
}
