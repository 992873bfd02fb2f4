import CodecKit
import Codecs
import Corpus
import Foundation
import Model
import Store

/// Generates the committed corpus, byte for byte: fourteen small images of known kinds.
public struct CorpusRequest: ShortRequest {
  /// An image of the corpus.
  public struct Image: Sendable, Hashable {
    /// The image's path below the folder.
    public let path: String
    /// The size of its file.
    public let bytes: Int
    /// The reason for including it in the corpus.
    public let purpose: String
  }

  /// The folder to write into.
  public var folder: String

  /// Creates a request for a folder, which may be new.
  public init(folder: String) { self.folder = folder }

  /// Writes the images. If other files have their names, it fails without writing anything.
  /// - Throws: `HeicBenchError` if the folder cannot be written, or something is in the way.
  public func run() throws -> [Image] {
    try HeicBenchError.mapping {
      let painted = try CorpusImage.all.map {
        (image: $0, bytes: try $0.file(CodecRegistry.standard.writer))
      }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let files = try OwnedFolder(folder)
      let digests = Dictionary(
        painted.map { ($0.image.path, SHA256.hexDigest(of: $0.bytes)) },
        uniquingKeysWith: { first, _ in first })
      let isPresent = { (name: String) in files.digest(of: name) == digests[name] }
      try files.refuseObstacles(among: painted.map(\.image.path), isOurs: isPresent)
      return try painted.map { image, bytes in
        if !isPresent(image.path) { try files.give(bytes, as: image.path) }
        return Image(path: image.path, bytes: bytes.count, purpose: image.purpose)
      }
    }
  }
}
