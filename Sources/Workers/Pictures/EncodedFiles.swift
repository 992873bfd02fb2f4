package import CodecKit
package import Model

/// The files that a sweep encoded, kept in a folder for as long as its pictures are not made yet: what is
/// there need not be encoded again.
package struct EncodedFiles: Sendable {
  /// More than this is not worth its place on the disk.
  package static let mostBytes = 500_000_000
  /// The bytes that a pixel takes on average over qualities, on the safe side.
  private static let bytesPerPixel = 0.25
  /// The bytes that a pixel takes as a picture and an error map, refined points among them, on the safe side.
  private static let bytesPerDrawnPixel = 3.0

  /// Where they are.
  package let folder: String

  /// Where a point's file is below a folder that `RunnerConfiguration.keepFolder` fills; nil for a codec that the
  /// registry does not have.
  package static func name(of key: PointKey, registry: CodecRegistry) -> String? {
    name(image: key.image.name, variant: key.variant, quality: key.quality, registry: registry)
  }

  /// The same from the parts of a key that it depends on.
  package static func name(
    image: String, variant: CodecVariant, quality: Quality, registry: CodecRegistry
  ) -> String? {
    registry.codec(variant.codec).map { codec in
      EncodedFileName.path(
        image: image, variant: variant, quality: quality, fileExtension: codec.traits.fileExtension)
    }
  }

  /// Files below `folder`, as `RunnerConfiguration.keepFolder` fills it.
  package init(folder: String) {
    self.folder = folder
  }

  /// Whether so many files of so many pixels in all are few enough to be kept.
  package static func areFew(pixels: Double) -> Bool { pixels * bytesPerPixel <= Double(mostBytes) }

  /// Whether so many drawn points of so many pixels in all are few enough to be kept, those that no page shows among them.
  package static func areFew(drawnPixels pixels: Double) -> Bool {
    pixels * bytesPerDrawnPixel <= Double(mostBytes)
  }

  /// Where a point's file would be; nil for a codec that the registry does not have.
  func path(image: String, variant: CodecVariant, quality: Quality, registry: CodecRegistry) -> String? {
    Self.name(image: image, variant: variant, quality: quality, registry: registry).map { "\(folder)/\($0)" }
  }
}
