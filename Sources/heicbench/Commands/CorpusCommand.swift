import ArgumentParser
import CodecKit
import Codecs
import Corpus
import Foundation
import Model
import Store

/// `heicbench corpus`: what has to do with the committed corpus.
struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "Generate the images that heicbench is tried on.",
    subcommands: [Generate.self])

  /// `heicbench corpus generate`.
  struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Paint the committed corpus anew, byte for byte.",
      discussion: """
        Fourteen small images of known kinds: photo-like scenes, gradients, drawings, text, alpha, gray, 16 \
        bits, odd sizes. They come from seeds, so everybody has the same ones.
        """)

    @Argument(
      help:
        "The folder to write into. Other files under the images’ names are an error, and nothing is written.",
      completion: .directory)
    var folder: String

    func run() throws {
      let generator = CorpusGenerator(writer: CodecRegistry.standard.writer)
      let painted = try CorpusImage.all.map { (image: $0, bytes: try generator.file(for: $0)) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let files = try OwnedFolder(folder)
      let digests = Dictionary(
        painted.map { ($0.image.path, SHA256.hexDigest(of: $0.bytes)) },
        uniquingKeysWith: { first, _ in first })
      let isPresent = { (name: String) in files.digest(of: name) == digests[name] }
      try files.refuseObstacles(among: painted.map(\.image.path), isOurs: isPresent)
      for (image, bytes) in painted {
        if !isPresent(image.path) { try files.give(bytes, as: image.path) }
        StandardOutput.write("\(image.path)\t\(bytes.count) bytes\t\(image.purpose)\n")
      }
    }
  }
}
