import ArgumentParser
import HeicBenchKit

struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "Generate the images that heicbench is tried on.",
    subcommands: [Generate.self])

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
      for image in try CorpusRequest(folder: folder).run() {
        StandardOutput.write("\(image.path)\t\(image.bytes) bytes\t\(image.purpose)\n")
      }
    }
  }
}
