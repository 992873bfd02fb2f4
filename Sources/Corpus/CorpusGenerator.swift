package import CodecKit

/// Makes the committed corpus anew, byte for byte.
package struct CorpusGenerator: Sendable {
  /// Why an image could not be made.
  package struct GenerationError: Error, CustomStringConvertible {
    /// The image's path and the reason.
    package let description: String
  }

  private let writer: any ImageWriter

  /// Makes images with this lossless writer.
  package init(writer: any ImageWriter) {
    self.writer = writer
  }

  /// The complete file of one image.
  package func file(for image: CorpusImage) throws -> [UInt8] {
    guard let raster = image.make() else {
      throw GenerationError(description: "\(image.path): the scene's size and layout disagree")
    }
    return try writer.write(raster)
  }
}
