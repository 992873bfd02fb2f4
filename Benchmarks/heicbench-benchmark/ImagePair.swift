import ArgumentParser
import CodecKit
import Codecs
import Foundation
import Model
import Pixels

/// A reference, a candidate, and the files that contain them.
struct ImagePair {
  let name: String
  let reference: RasterImage
  let candidate: RasterImage

  /// A photo-like image, and its JPEG at quality 0.75.
  static func synthetic(width: Int, height: Int) throws -> ImagePair {
    guard let reference = PhotoLikeImage.make(width: width, height: height, seed: 1),
      let codec = CodecRegistry.standard.codec("jpeg"), let quality = Quality("0.75")
    else { throw ExitCode.failure }
    let variant = try CodecRegistry.standard.variant("jpeg")
    let settings = EncodeSettings(variant: variant, quality: quality, traits: codec.traits)
    let candidate = try codec.decode(codec.encode(reference, settings))
    return ImagePair(name: "synthetic \(width) × \(height)", reference: reference, candidate: candidate)
  }

  /// Two files.
  static func files(_ reference: String, _ candidate: String) throws -> ImagePair {
    ImagePair(name: reference, reference: try read(reference), candidate: try read(candidate))
  }

  /// Millions of pixels.
  var megapixels: Double { Double(reference.pixelCount) / 1e6 }

  /// Writes both as PNG into a folder, and returns their paths.
  func write(into folder: URL) throws -> [String] {
    try [("reference.png", reference), ("candidate.png", candidate)].map { name, image in
      let file = folder.appending(path: name)
      try Data(CodecRegistry.standard.writer.write(image)).write(to: file)
      return file.path(percentEncoded: false)
    }
  }

  private static func read(_ path: String) throws -> RasterImage {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    guard let reader = CodecRegistry.standard.reader(for: bytes) else {
      throw ValidationError("heicbench cannot read \(path)")
    }
    return try reader.read(bytes, limits: ReadLimits()).image
  }
}
