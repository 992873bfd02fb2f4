package import CodecKit
import Foundation
package import Model
import Synchronization

/// The PNG files of one image, by variant name and then by the spelling of the quality, or the name of an imported file,
/// as paths relative to the folder that they were written into.
package struct ExportedPictures: Sendable, Hashable {
  /// The image's printable name.
  package var name: String
  /// The pixels that went into every codec.
  package var reference: String
  /// A small version of it.
  package var thumbnail: String
  /// Decoded pixels.
  package var pictures: [String: [String: String]] = [:]
  /// Error maps; absent for images too small for SSIMULACRA 2.
  package var maps: [String: [String: String]] = [:]
}

/// Makes the pictures that a report shows in a pool's workers: the reference and, for each point, the decoded pixels
/// and where the errors are. Points whose encoded file is not kept are encoded again.
package struct PictureExporter: Sendable {
  /// An image to show.
  package struct Image: Sendable {
    /// The file, which has to be what it was when it was measured.
    package var file: ImageFile
    /// What is shown of it. Points that their codec cannot do are left out.
    package var points: [Point]

    /// Shows these points of an image.
    package init(file: ImageFile, points: [Point]) { (self.file, self.points) = (file, points) }
  }

  /// A point of an image.
  package struct Point: Sendable {
    /// What its pictures are made from.
    package enum Source: Sendable {
      /// An encode at a quality.
      case quality(Quality)
      /// A file that another encoder made, and its name.
      case imported(ImageFile, name: String)
    }

    /// The variant.
    package var variant: CodecVariant
    /// What its pictures are made from.
    package var source: Source

    /// Shows a variant's point.
    package init(_ variant: CodecVariant, _ source: Source) {
      (self.variant, self.source) = (variant, source)
    }

    /// What tells it from the variant's other points.
    var label: String {
      switch source {
      case .quality(let quality): quality.description
      case .imported(_, let name): name
      }
    }
  }

  /// A file to be made: a point's pictures, or those of the reference.
  private struct Item: Sendable {
    var image: Int
    var file: ImageFile
    var prefix: String
    var point: Point?

    /// The name of one of its files.
    func name(of product: RenderRequest.Product) -> String {
      switch product {
      case .errorMap: prefix + "-map.png"
      case .thumbnail: prefix + "-thumbnail.png"
      default: prefix + (point == nil ? "-reference.png" : ".png")
      }
    }

    /// The names of some of its files.
    func names(of products: Set<RenderRequest.Product>) -> [RenderRequest.Product: String] {
      Dictionary(uniqueKeysWithValues: products.map { ($0, name(of: $0)) })
    }
  }

  private let pool: WorkerPool
  /// What workers score points by.
  let metrics: [String]
  private let registry: CodecRegistry
  private let encoded: EncodedFiles?
  private let folder: URL

  /// What a picture takes at its peak for each pixel: source, prepared raster, decoded raster, the prepared metric
  /// with its error planes, and a PNG file, with some room.
  private static let bytesPerPixel = 120.0

  /// Exports into `folder`, which has to exist. `encoded` has to come from the same run, `metrics` are what points are
  /// scored by. A configuration's kept files and external metrics are not needed here and do not count.
  package init(
    _ configuration: RunnerConfiguration, preparation: Preparation, registry: CodecRegistry,
    encoded: EncodedFiles? = nil, metrics: [String] = [], folder: String
  ) throws {
    var configuration = configuration
    let external = Set(configuration.externalMetrics.map(\.id))
    self.metrics = metrics.filter { !external.contains($0) }
    configuration.keepFolder = nil
    configuration.externalMetrics = []
    configuration.builds = []
    pool = try WorkerPool(
      configuration, preparation: preparation, metrics: self.metrics, bytesPerPixel: Self.bytesPerPixel)
    (self.registry, self.encoded, self.folder) = (registry, encoded, URL(filePath: folder))
  }

  /// Ends the work at once: `export` throws `CancellationError`. May be called from any thread.
  package func cancel() { pool.cancel() }

  /// Writes all pictures of these images, and returns for each what there is, or why there is nothing.
  ///
  /// - Parameter progress: Told how many points are drawn, references among them, and of how many.
  /// - Throws: `CocoaError` where a file cannot be written, `WorkerStartError`, `CancellationError`.
  package func export(
    _ images: [Image], progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> [Result<ExportedPictures, Failure>] {
    let items = images.enumerated().flatMap { number, image in
      [Item(image: number, file: image.file, prefix: "\(number + 1)", point: nil)]
        + image.points.enumerated().map { index, point in
          Item(image: number, file: image.file, prefix: "\(number + 1)-\(index)", point: point)
        }
    }
    let done = Guarded(0)
    let made = try pool.map(items, pixels: \.file.pixels, image: \.file.identity) { worker, item in
      let files = try make(item, with: worker)
      let count = done.value.withLock { done in
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

  /// A sheet that is being drawn.
  package struct Drawing: Sendable {
    fileprivate let drawn = Guarded<Result<Result<[UInt8], Failure>, any Error>?>(nil)
    fileprivate let pool: WorkerPool

    /// Waits until it is drawn, and all else that was handed in before: PNG, or why there is none.
    ///
    /// - Throws: `WorkerStartError`, `CancellationError`.
    package func result() throws -> Result<[UInt8], Failure> {
      try pool.wait()
      guard let drawn = drawn.value.withLock({ $0 }) else { throw CancellationError() }
      return try drawn.get()
    }
  }

  /// Begins to draw a sheet of an image, beside what else is made. Points whose file is kept are not encoded again.
  /// - Parameters:
  ///   - score: what all sides are to have of the metric, as near as codecs go.
  ///   - candidates: the sides, with what is known of them.
  ///   - sheet: makes the sheet of the points that are to be shown; nil where a side has none.
  package func draw(
    _ file: ImageFile, at score: Double, of metric: String, _ candidates: [Candidate],
    sheet: @escaping @Sendable ([ScoredPoint]?) -> ComparisonSheet
  ) -> Drawing {
    let drawing = Drawing(pool: pool)
    pool.submit(pixels: file.pixels, image: file.identity) { [self, drawn = drawing.drawn] worker in
      let result = Result {
        let points = try equalScores(candidates, of: file, metric: metric, near: score, with: worker)
        let request = RenderRequest(.sheet(withKept(sheet(points), of: file)), [.picture])
        return try Self.picture(request, of: file, with: worker)
      }
      drawn.value.withLock { $0 = result }
    }
    return drawing
  }

  private func withKept(_ sheet: ComparisonSheet, of file: ImageFile) -> ComparisonSheet {
    var sheet = sheet
    for index in sheet.sides.indices {
      let side = sheet.sides[index]
      sheet.sides[index].kept = encoded?.path(
        image: file.identity.name, variant: side.variant, quality: side.quality, registry: registry)
    }
    return sheet
  }

  private static func picture(
    _ request: RenderRequest, of file: ImageFile, with worker: WorkerSlot
  ) throws -> Result<[UInt8], Failure> {
    let response = try worker.render(request, of: file)
    if let image = response.value { return .success(image.products[.picture] ?? []) }
    guard let failure = response.failure else { throw CancellationError() }
    return .failure(failure)
  }

  /// Makes and writes the files of an item, and returns their names.
  private func make(
    _ item: Item, with worker: WorkerSlot
  ) throws -> Result<[RenderRequest.Product: String], Failure> {
    let drawn = drawnBefore(item)
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
      // They get their names in the report's folder once all are made: none has to be on the disk before.
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

  /// Takes what was drawn when the point was measured, and returns what that is.
  private func drawnBefore(_ item: Item) -> Set<RenderRequest.Product> {
    guard let point = item.point, case .encoded(_, _, let kept?) = subject(of: point, item.file) else {
      return []
    }
    return PointPictures(beside: kept).move { folder.appending(path: item.name(of: $0)).path }
  }
}

extension ExportedPictures {
  /// The same with the files of a point, or of the reference.
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
