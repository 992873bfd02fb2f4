package import CodecKit
import Foundation
import Metrics
package import Model
import Pixels

/// The PNG files of one image, by variant name and then by the spelling of the quality, as paths relative to
/// the folder that they were written into.
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

/// Writes the pictures that a report shows: the reference and, for each point, the decoded pixels and where
/// the errors are. Points whose encoded file is not kept are encoded again.
package struct PictureExporter: Sendable {
  private let registry: CodecRegistry
  private let preparation: Preparation
  private let limits: ReadLimits
  private let encoded: EncodedFiles?
  private let folder: URL

  /// Exports into `folder`, which is made where it is missing. `encoded` has to come from the same run.
  package init(
    registry: CodecRegistry, preparation: Preparation, limits: ReadLimits = .init(),
    encoded: EncodedFiles? = nil, folder: String
  ) {
    self.registry = registry
    self.preparation = preparation
    self.limits = limits
    self.encoded = encoded
    self.folder = URL(filePath: folder)
  }

  /// How many of these images may be exported side by side in so many bytes, at least 1.
  package static func concurrency(for files: [ImageFile], within bytes: Int) -> Int {
    let largest = files.map { Double($0.pixels) }.max() ?? 0
    let fitting = Double(bytes) / max(largest * bytesPerPixel, 1)
    return max(1, min(files.count, MachineCores.count, Int(min(fitting, 1e6))))
  }

  /// What an export takes at its peak: source, prepared raster, decoded raster, the prepared metric with its
  /// error planes, and a PNG file, with some room.
  private static let bytesPerPixel = 120.0
  /// Rows of a thumbnail on the page, about.
  private static let thumbnailHeight = 112

  /// Writes all pictures of an image. Points that its codec cannot do are left out.
  ///
  /// - Parameters:
  ///   - file: The image; its file has to be what it was when it was measured.
  ///   - prefix: What the files' names begin with, unique among the images of the folder.
  ///   - points: Variants and qualities.
  /// - Throws: A `Failure` where the image cannot be read, `CocoaError` where a file cannot be written.
  package func export(
    _ file: ImageFile, prefix: String, points: [(variant: CodecVariant, quality: Quality)]
  ) throws -> ExportedPictures {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let image = try prepared(file)
    let small = image.subsampled(by: image.height / Self.thumbnailHeight)
    var result = ExportedPictures(
      name: file.identity.name, reference: try write(image, as: "\(prefix)-reference"),
      thumbnail: try write(small, as: "\(prefix)-thumbnail"))
    let errors = try MetricSuite(["ssimulacra2"]).prepare(image)
    for (index, point) in points.enumerated() {
      guard let decoded = try? roundTrip(image, of: file.identity.name, point) else { continue }
      let quality = point.quality.description
      result.pictures[point.variant.name, default: [:]][quality] = try write(
        decoded, as: "\(prefix)-\(index)")
      guard let map = try errors.errorMap(decoded), let picture = ErrorMapPicture.raster(of: map) else {
        continue
      }
      result.maps[point.variant.name, default: [:]][quality] = try write(
        picture, as: "\(prefix)-\(index)-map")
    }
    return result
  }

  private func prepared(_ file: ImageFile) throws -> RasterImage {
    let bytes = try SourceFile.bytes(at: [UInt8](file.path))
    guard SHA256.hexDigest(of: bytes) == file.identity.contentHash else {
      throw Failure(kind: .source, message: "the file changed since it was measured")
    }
    guard let reader = registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "not an image of a known format")
    }
    return try Preparer(preparation).prepare(try reader.read(bytes, limits: limits)).image
  }

  private func roundTrip(
    _ image: RasterImage, of name: String, _ point: (variant: CodecVariant, quality: Quality)
  ) throws(CodecError) -> RasterImage {
    guard let codec = registry.codec(point.variant.codec) else {
      throw .invalidSetting("no codec “\(point.variant.codec)”")
    }
    if let kept = encoded?.bytes(
      image: name, variant: point.variant, quality: point.quality, fileExtension: codec.traits.fileExtension)
    {
      return try codec.decode(kept)
    }
    guard point.variant.build == nil else {
      throw .unsupported("what a build encoded is shown only where its file was kept")
    }
    let settings = EncodeSettings(variant: point.variant, quality: point.quality, traits: codec.traits)
    return try codec.decode(codec.encode(image, settings))
  }

  private func write(_ image: RasterImage, as name: String) throws -> String {
    let file = name + ".png"
    try Data(registry.writer.write(image)).write(to: folder.appending(path: file), options: .atomic)
    return file
  }
}
