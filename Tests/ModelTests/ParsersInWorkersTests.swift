import Foundation
import Testing

/// Other people's files are parsed only in workers, where a trap costs one file. Only questions, whose `reply` runs
/// there, and code that only questions call may call readers.
@Suite struct ParsersInWorkersTests {
  /// Modules that can name a reader. `CodecKit` and `Codecs` are the readers themselves.
  private static let modules = ["Workers", "HeicBenchKit", "View", "Commands", "Corpus"]

  /// Functions that parse the bytes of a file.
  private static let parsers = [
    "reader(for:", "imageReader(for:", ".anyHeader(", ".header(of:", ".contents(of:",
    ".recognises(",
    ".stepsLeftOut(of:", ".predictedMemory(of:", "reader.rows(of:", "FileDescription(of:", "GainMapFile(",
    "GainMapFile.summary(", "HDROriginal.read(", "TileRewrap(", "TilePacking.", "UnknownContent.failure(",
  ]

  /// Files that have no question of their own but are called by questions.
  private static let helpers: Set<String> = ["HeicBenchKit/GainMaps/GainMapReport.swift"]

  private static func code(_ text: String) -> [Substring] {
    text.split(separator: "\n").map { line in
      line[..<(line.firstRange(of: "//")?.lowerBound ?? line.endIndex)]
    }
  }

  @Test func onlyQuestionsCallParsers() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
      .standardizedFileURL
    var calls = 0
    for module in Self.modules {
      let folder = sources.appending(path: module)
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      for path in paths where path.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        let found = Self.code(text).filter { line in Self.parsers.contains { line.contains($0) } }
        calls += found.count
        let isWorkers = text.contains("func reply(in") || Self.helpers.contains("\(module)/\(path)")
        #expect(found.isEmpty || isWorkers, "\(module)/\(path) takes a file apart: \(found)")
      }
    }
    #expect(calls > 15, "the sources are not read")
  }
}
