import Foundation
import Testing

/// Tests mirror the sources: those of a type in `Sources/M/Folder` are in `Tests/MTests/Folder`.
@Suite struct TestFoldersTests {
  /// The folders below one that contain Swift, except fixtures.
  private static func folders(of target: URL) -> Set<String> {
    let paths = FileManager.default.enumerator(atPath: target.path)?.compactMap { $0 as? String } ?? []
    return Set(paths.filter { $0.hasSuffix(".swift") }.map { ($0 as NSString).deletingLastPathComponent })
  }

  @Test func foldersOfTestsAreFoldersOfSources() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let targets = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Tests").path)
      // These tests run the program, whose commands are in no folders.
      .filter { $0.hasSuffix("Tests") && $0 != "HeicBenchTests" }
    #expect(targets.count > 10, "the tests are not read")
    for target in targets {
      let tests = Self.folders(of: root.appending(path: "Tests/\(target)"))
      let sources = Self.folders(of: root.appending(path: "Sources/\(target.dropLast(5))"))
      #expect(tests.subtracting(sources).subtracting(["", "Support"]) == [], "\(target)")
    }
  }
}
