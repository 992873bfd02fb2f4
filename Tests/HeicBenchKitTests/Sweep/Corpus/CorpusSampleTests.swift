import HeicBenchKit
import TestSupport
import Testing

@Suite("Sampling a corpus")
struct CorpusSampleTests {
  let folder: RawFolder
  let reader = CorpusReader(OwnDescriber(.tiny()))

  init() throws { folder = try RawFolder() }

  @Test("a sample represents every camera and size, whatever the order of the list")
  func samples() throws {
    for index in 0..<10 {
      try folder.write(TinyFormat.file(4, 3, salt: "X"), to: "small-\(index)")
      try folder.write(TinyFormat.file(40, 30, salt: "X"), to: "large-\(index)")
      try folder.write(TinyFormat.file(40, 30, salt: "Y"), to: "other-\(index)")
    }
    let (files, sample) = try reader.draw(15, of: try CorpusReader.find(roots: [folder.path]), seed: 1)
    #expect(sample.images == 15 && sample.population == 30)
    #expect(sample.populationPixels == 10 * (12 + 2400))
    let drawn = try reader.read(files)
    let pixels = drawn.entries.compactMap { $0.header?.pixelCount }
    #expect(sample.pixels == Double(pixels.reduce(0, +)))
    for kind in ["small", "large", "other"] {
      #expect((4...6).contains(drawn.entries.count { $0.identity.name.hasPrefix(kind) }))
    }
    func names(_ paths: [[UInt8]], seed: UInt64 = 1) throws -> [String] {
      let found = try CorpusReader.find(roots: [], listed: paths)
      return try reader.read(reader.draw(8, of: found, seed: seed).files).entries.map(\.identity.name)
    }
    let paths = (0..<10).map { folder.path("small-\($0)") } + (0..<10).map { folder.path("other-\($0)") }
    #expect(try names(paths) == names(paths.reversed()))
    #expect(try names(paths) != names(paths, seed: 2))
  }
}
