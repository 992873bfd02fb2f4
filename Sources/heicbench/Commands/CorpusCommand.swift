import ArgumentParser
import CodecKit
import Codecs
import Corpus
import Foundation

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

    @Argument(help: "The folder to write into. Files of the same names are replaced.", completion: .directory)
    var folder: String

    func run() throws {
      let generator = CorpusGenerator(writer: CodecRegistry.standard.writer)
      for image in CorpusImage.all {
        let file = URL(filePath: folder).appending(path: image.path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let bytes = try generator.file(for: image)
        try Data(bytes).write(to: file, options: .atomic)
        StandardOutput.write("\(image.path)\t\(bytes.count) bytes\t\(image.purpose)\n")
      }
    }
  }
}
