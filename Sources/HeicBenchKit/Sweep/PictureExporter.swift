import Foundation
import Model
import Reports
import Store
import Synchronization
import Workers

/// Makes a report's pictures in a pool's workers: the reference and, for each point, the decoded pixels and the error
/// map. Points whose encoded file was not kept are encoded again.
struct PictureExporter: Sendable {
  struct Image: Sendable {
    var file: ImageFile
    /// The points to show, without those that their codec does not support.
    var points: [Point]
  }

  struct Point: Sendable {
    var variant: CodecVariant
    /// The spelling of the quality, or the name of an imported file.
    var label: String
    var subject: RenderQuestion.Subject
  }

  private struct Item: Sendable {
    var image: Int
    var file: ImageFile
    var prefix: String
    var point: Point?

    func name(of product: RenderQuestion.Product) -> String {
      switch product {
      case .errorMap: prefix + "-map.png"
      case .thumbnail: prefix + "-thumbnail.png"
      default: prefix + (point == nil ? "-reference.png" : ".png")
      }
    }

    func add(_ products: Set<RenderQuestion.Product>, to image: inout ReportImage) {
      guard let point else {
        return (image.reference, image.thumbnail) = (name(of: .picture), name(of: .thumbnail))
      }
      for product in products {
        let list = product == .errorMap ? \ReportImage.maps : \.pictures
        image[keyPath: list][point.variant.name, default: [:]][point.label] = name(of: product)
      }
    }
  }

  private let pool: WorkerPool
  /// The peak memory per pixel of a picture: source, prepared raster, decoded raster, the prepared metric with its
  /// error planes, and a PNG file, with some room to spare.
  private static let bytesPerPixel = 120.0

  /// Ignores the configuration's kept files and external metrics.
  init(_ configuration: RunnerConfiguration, preparation: Preparation) {
    var configuration = configuration
    configuration.keepFolder = nil
    (configuration.externalMetrics, configuration.builds) = ([], [])
    pool = WorkerPool(configuration, preparation: preparation, bytesPerPixel: Self.bytesPerPixel)
  }

  var isCancelled: Bool { pool.isCancelled }

  /// Ends the work at once: `export` throws `CancellationError`. Callable from any thread.
  func cancel() { pool.cancel() }

  /// Writes all pictures of these images into an existing folder, and returns for each image the files' names or the
  /// reason why there are none. Throws `OutputError` if a file cannot be written, `WorkerStartError` or
  /// `CancellationError`.
  func export(
    _ images: [Image], into folder: URL,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> [Result<ReportImage, Failure>] {
    let items = images.enumerated().flatMap { number, image in
      [Item(image: number, file: image.file, prefix: "\(number + 1)", point: nil)]
        + image.points.enumerated().map { index, point in
          Item(image: number, file: image.file, prefix: "\(number + 1)-\(index)", point: point)
        }
    }
    let done = Mutex(0)
    let made = try pool.map(items, pixels: \.file.pixels, image: \.file.identity) { worker, item in
      let products = try make(item, in: folder, with: worker)
      let count = done.withLock { done in
        done += 1
        return done
      }
      progress(count, items.count)
      return products
    }
    var result = images.map { image in
      Result<ReportImage, Failure>.success(
        ReportImage(name: image.file.identity.name, reference: "", thumbnail: ""))
    }
    for (item, products) in zip(items, made) {
      guard case .success(var image) = result[item.image] else { continue }
      switch products {
      case .success(let products):
        item.add(products, to: &image)
        result[item.image] = .success(image)
      case .failure(let failure): if item.point == nil { result[item.image] = .failure(failure) }
      }
    }
    return result
  }

  private func make(
    _ item: Item, in folder: URL, with worker: WorkerSlot
  ) throws -> Result<Set<RenderQuestion.Product>, Failure> {
    let path = { product in folder.appending(path: item.name(of: product)).path }
    var made: Set<RenderQuestion.Product> = []
    if case .encoded(_, _, let kept?) = item.point?.subject {
      made = PointPictures(beside: kept).move(to: path)
    }
    let products: [RenderQuestion.Product] =
      item.point == nil ? [.picture, .thumbnail] : [.picture, .errorMap]
    let missing = products.filter { !made.contains($0) }
    guard !missing.isEmpty else { return .success(made) }
    let response = try worker.render(
      RenderQuestion(item.point?.subject ?? .prepared, missing), of: item.file)
    guard let drawn = response.value else {
      guard let failure = response.failure else { throw CancellationError() }
      return .failure(failure)
    }
    for (product, bytes) in drawn {
      // The files need not be synced yet: they get their names in the report's folder once they are complete.
      try OwnedFolder.prepare(bytes, at: path(product))
    }
    return .success(made.union(drawn.keys))
  }
}
