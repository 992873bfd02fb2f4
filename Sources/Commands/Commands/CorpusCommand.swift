import ArgumentParser
import HeicBenchKit

struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "Generate the images that heicbench is tested with.",
    subcommands: [Generate.self])

  struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "generate", abstract: "Generate the committed corpus again, byte for byte.",
      discussion: """
        Fourteen small images of various kinds: photo-like scenes, gradients, drawings, text, alpha, gray, 16 \
        bits, odd sizes. They are generated from seeds, so everyone gets the same ones.
        """)

    @Argument(
      help:
        "The folder to write into. If it contains different files with these names, nothing is written.",
      completion: .directory)
    var folder: String

    func run() throws {
      for image in try CorpusRequest(folder: folder).run() {
        StandardOutput.write("\(image.path)\t\(image.bytes) bytes\t\(image.purpose)\n")
      }
    }
  }
}
