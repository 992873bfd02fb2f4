import CodecKit
import Codecs
import Corpus
import Foundation
import Model
import Pixels
import Testing

/// The committed corpus, one folder above the tests.
private let folder = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
    path: "corpus")

@Suite struct CorpusGeneratorTests {
  @Test(arguments: CorpusImage.all.map(\.path))
  func committedFileIsReproduced(path: String) throws {
    let image = try #require(CorpusImage.all.first { $0.path == path })
    let made = try image.file(PNGWriter())
    let committed = [UInt8](try Data(contentsOf: folder.appending(path: path)))
    #expect(made == committed, "run `heicbench corpus generate corpus` and look at what changed")
  }

  @Test func nothingElseIsCommitted() throws {
    let enumerator = try #require(FileManager.default.enumerator(atPath: folder.path))
    let files = enumerator.compactMap { $0 as? String }.filter { $0.hasSuffix(".png") }
    #expect(Set(files) == Set(CorpusImage.all.map(\.path)))
  }

  @Test func corpusIsSmall() throws {
    let bytes = try CorpusImage.all.reduce(0) { sum, image in
      sum + (try Data(contentsOf: folder.appending(path: image.path))).count
    }
    #expect(bytes < 6_000_000)
  }

  @Test func everyImageIsInTheTable() throws {
    let table = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    for image in CorpusImage.all {
      #expect(table.contains("| `\(image.path)` |"), "\(image.path)")
      #expect(table.contains(image.purpose), "\(image.path)")
    }
  }

  /// JPEG at 4:2:0 needs 0.56 to 1.53 bits per pixel for the 24 images of the Kodak suite at q 0.5, and 1.57 to 3.83 at
  /// q 0.9 (measured with cjpeg -baseline). Photo-like scenes must lie within these ranges.
  @Test(arguments: CorpusImage.all.filter { $0.path.hasPrefix("photo/") }.map(\.path))
  func photoLikeScenesCompressLikePhotographs(path: String) throws {
    let image = try #require(CorpusImage.all.first { $0.path == path }?.make())
    let codec = JPEGCodec()
    for (quality, range) in [("0.5", 0.56...1.53), ("0.9", 1.57...3.83)] {
      let bytes = try codec.encode(
        image,
        EncodeSettings(
          variant: CodecVariant(codec: "jpeg"), quality: try #require(Quality(quality)), traits: codec.traits)
      )
      let bitsPerPixel = Double(bytes.count * 8) / Double(image.pixelCount)
      #expect(range.contains(bitsPerPixel), "\(path) at \(quality): \(bitsPerPixel)")
    }
  }
}
