package import CodecKit
package import Model

/// The encoded files of a sweep, kept in a folder until its pictures are drawn, so that nothing is encoded twice.
package struct EncodedFiles: Sendable {
  /// The largest total size worth its disk space.
  package static let mostBytes = 500_000_000
  /// A safe estimate of the average bytes per pixel over qualities.
  private static let bytesPerPixel = 0.25
  /// A safe estimate of the bytes per pixel of a picture and its error map, refined points included.
  private static let bytesPerDrawnPixel = 3.0

  package let folder: String

  /// The path of a point's file below `RunnerConfiguration.keepFolder`; nil if the registry lacks the codec.
  package static func name(of key: Case, registry: CodecRegistry) -> String? {
    name(image: key.image.name, variant: key.variant, quality: key.quality, registry: registry)
  }

  private static func name(
    image: String, variant: CodecVariant, quality: Quality, registry: CodecRegistry
  ) -> String? {
    registry.codec(variant.codec).map { codec in
      EncodedFileName.path(
        image: image, variant: variant, quality: quality, fileExtension: codec.traits.fileExtension)
    }
  }

  package init(folder: String) {
    self.folder = folder
  }

  package static func areFew(pixels: Double) -> Bool { pixels * bytesPerPixel <= Double(mostBytes) }

  /// True if drawn points with this many pixels in total are small enough to keep, including those that no page shows.
  package static func areFew(drawnPixels pixels: Double) -> Bool {
    pixels * bytesPerDrawnPixel <= Double(mostBytes)
  }

  package func path(
    image: String, variant: CodecVariant, quality: Quality, registry: CodecRegistry
  ) -> String? {
    Self.name(image: image, variant: variant, quality: quality, registry: registry).map { "\(folder)/\($0)" }
  }
}
