package import CodecKit

package struct CorpusGenerator: Sendable {
  package struct GenerationError: Error, CustomStringConvertible {
    /// The image's path and the reason.
    package let description: String
  }

  private let writer: any ImageWriter

  package init(writer: any ImageWriter) {
    self.writer = writer
  }

  package func file(for image: CorpusImage) throws -> [UInt8] {
    guard let raster = image.make() else {
      throw GenerationError(description: "\(image.path): the scene's size and layout disagree")
    }
    return try writer.write(raster)
  }
}
