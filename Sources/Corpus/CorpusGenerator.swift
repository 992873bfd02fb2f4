public import CodecKit

/// Makes the committed corpus anew, byte for byte.
public struct CorpusGenerator: Sendable {
  /// Why an image could not be made.
  public struct GenerationError: Error, CustomStringConvertible {
    /// The image's path and the reason.
    public let description: String
  }

  private let writer: any ImageWriter

  /// Makes images with this lossless writer.
  public init(writer: any ImageWriter) {
    self.writer = writer
  }

  /// The complete file of one image.
  public func file(for image: CorpusImage) throws -> [UInt8] {
    guard let raster = image.make() else {
      throw GenerationError(description: "\(image.path): the scene's size and layout disagree")
    }
    return try writer.write(raster)
  }
}
