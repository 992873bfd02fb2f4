import CodecKit
import Foundation
import Metrics
import Model
import Pixels

extension WorkerSession {
  /// Rows of a thumbnail, about.
  private static let thumbnailHeight = 112

  /// Makes files and pictures of the open image.
  func render(_ request: RenderRequest) -> (reply: WorkerReply, files: [UInt8]) {
    guard let image else { return (.refused("no image is open"), []) }
    if case .sheet(let sheet) = request.subject { return draw(sheet, of: image.raster, request) }
    do {
      var (figures, payload) = (Rendering(width: 0, height: 0), [UInt8]())
      let original = try image.raster.part(request.region)
      (figures.width, figures.height) = (original.width, original.height)
      var file: [UInt8]?
      var shown = original
      switch request.subject {
      case .prepared, .sheet: break
      case .encoded(let variant, let quality, let kept):
        (file, shown) = try roundTrip(
          original, variant, quality, kept: kept, isWhole: request.region == nil, &figures)
      case .file(let imported):
        shown = try OpenImage.open(imported, setup: setup, registry: registry).raster.part(request.region)
        file = try SourceFile.bytes(at: [UInt8](imported.path))
        figures.encodedBytes = file?.count
      }
      // Prepared when it is first needed; all of the open image once for all requests.
      lazy var part = Result { try request.region == nil ? reference() : suite.prepare(original) }
      if request.isScored { figures.scores = try part.get()?.score(shown) ?? [:] }
      for product in request.products {
        let bytes: [UInt8]? =
          switch product {
          case .file: file
          case .picture: try registry.writer.preview(shown)
          case .thumbnail:
            try registry.writer.preview(shown.subsampled(by: shown.height / Self.thumbnailHeight))
          case .errorMap:
            try file == nil
              ? nil
              : part.get()?.errors(shown, ErrorMapPicture.picture)?.map(registry.writer.preview)
          }
        figures.sizes.append(bytes?.count)
        payload += bytes ?? []
      }
      return (.rendered(figures), payload)
    } catch {
      return (.failed(failure(error)), [])
    }
  }

  /// Draws a sheet with what codecs make of the image.
  private func draw(
    _ sheet: ComparisonSheet, of image: RasterImage, _ request: RenderRequest
  ) -> (reply: WorkerReply, files: [UInt8]) {
    do {
      guard let region = sheet.region(of: image) else {
        throw Failure(kind: .limit, message: "no part of it can be shown")
      }
      let pictures = try sheet.sides.map { side in
        var figures = Rendering(width: 0, height: 0)
        let (_, shown) = try roundTrip(
          image, side.variant, side.quality, kept: side.kept, isWhole: true, &figures)
        return try shown.part(region)
      }
      guard let drawn = sheet.drawn(pictures) else {
        throw Failure(kind: .limit, message: "the sheet has no pictures")
      }
      var figures = Rendering(width: drawn.width, height: drawn.height)
      let picture = try registry.writer.preview(drawn)
      figures.sizes = request.products.map { $0 == .picture ? picture.count : nil }
      return (.rendered(figures), request.products.contains(.picture) ? picture : [])
    } catch {
      return (.failed(failure(error)), [])
    }
  }

  /// Scores another file against the open image.
  func compare(_ file: ImageFile) -> WorkerReply {
    guard image != nil else { return .refused("no image is open") }
    // The first file is decoded while metrics prepare the reference.
    let distorted = PlainThread.Meanwhile { [setup, registry] in
      Result { () throws(UnusableImage) in try OpenImage.open(file, setup: setup, registry: registry).raster }
    }
    do {
      let (prepared, candidate) = (Result { try reference() }, distorted.value())
      return .scores(try prepared.get()?.score(candidate.get()) ?? [:])
    } catch {
      return .failed(failure(error))
    }
  }

  /// Scores a file against another, both of which are decoded at the same time.
  func pair(_ request: PairRequest) -> WorkerReply {
    image = nil
    let distorted = PlainThread.Meanwhile { [setup, registry] in
      Result { () throws(UnusableImage) in
        try OpenImage.open(request.distorted, setup: setup, registry: registry).raster
      }
    }
    let reference = Result { () throws(UnusableImage) in
      try OpenImage.open(request.reference, setup: setup, registry: registry).raster
    }
    let candidate = distorted.value()
    if case .failure(let unusable) = reference { return .image(unusable.record) }
    do {
      return .scores(
        try suite.score(
          candidate.get(), against: reference.get(),
          beside: request.usesTwoThreads ? PlainThread.beside : nil))
    } catch {
      return .failed(failure(error))
    }
  }

  /// Encodes an image unless a file of it is kept, and decodes what came out.
  private func roundTrip(
    _ image: RasterImage, _ variant: CodecVariant, _ quality: Quality, kept: String?, isWhole: Bool,
    _ figures: inout Rendering
  ) throws -> ([UInt8], RasterImage) {
    var measurer = try PointMeasurer(
      variant: variant, quality: quality, image: image, file: isWhole ? self.image?.file : nil,
      registry: registry,
      memoryLimit: setup.memoryLimit)
    let file: [UInt8]
    if let kept, let bytes = try? SourceFile.bytes(at: Array(kept.utf8)) {
      file = bytes
    } else {
      guard variant.build == nil else {
        throw Failure(kind: .codec, message: "what a build encoded is shown only where its file was kept")
      }
      let encoded = try measurer.encode { _ in true }
      (file, figures.encode) = (encoded.first, encoded.samples.first)
    }
    let decoded = try measurer.decode(file) { _ in true }
    (figures.encodedBytes, figures.decode) = (file.count, decoded.samples.first)
    return (file, decoded.first)
  }

  private func failure(_ error: any Error) -> Failure {
    switch error {
    case let failure as Failure: failure
    case let problem as PointProblem: problem.failure
    case let unusable as UnusableImage: unusable.record.problem ?? Failure(kind: .source, message: "unusable")
    case let error as MetricError: Failure(kind: .metric, message: error.description)
    case let error as CodecError: Failure(kind: .codec, message: error.description)
    default: Failure(kind: .codec, message: "\(error)")
    }
  }
}

extension RasterImage {
  /// A part of the image, or all of it.
  fileprivate func part(_ region: PixelRegion?) throws(Failure) -> RasterImage {
    guard let region else { return self }
    guard let part = cropped(to: region) else {
      throw Failure(kind: .limit, message: "the region is not inside the \(width)×\(height) pixels")
    }
    return part
  }
}
