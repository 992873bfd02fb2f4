import Foundation
import Testing

/// Folders inside a module depend on each other in one direction only. The package's manifest ensures that only for
/// modules.
@Suite struct FolderArrowsTests {
  private static let keywords: Set<String> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
  private static let modifiers: Set<String> = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect",
  ]

  /// The words of a file outside comments and strings, line by line.
  private static func lines(_ text: String) -> [[Substring]] {
    var isText = false
    return text.split(separator: "\n").map { line in
      if line.contains("\"\"\"") {
        isText.toggle()
        return []
      }
      guard !isText else { return [] }
      let code = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
      let end = code.firstRange(of: "//")?.lowerBound ?? code.endIndex
      return code[..<end].split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
        .map { Substring($0) }
    }
  }

  /// The type declared by a line at a file's top level.
  private static func declared(_ words: [Substring]) -> Substring? {
    let rest = words.drop { modifiers.contains(String($0)) || $0.first == "@" }
    guard rest.count > 1, let first = rest.first, keywords.contains(String(first)) else { return nil }
    return rest.dropFirst().first
  }

  /// The folders whose types a folder names.
  private static func arrows(in module: URL) throws -> [String: Set<String>] {
    let paths = FileManager.default.enumerator(atPath: module.path)?.compactMap { $0 as? String } ?? []
    var (owners, uses): ([Substring: String], [String: Set<Substring>]) = ([:], [:])
    for path in paths where path.hasSuffix(".swift") {
      let folder = (path as NSString).deletingLastPathComponent
      let text = try String(contentsOf: module.appending(path: path), encoding: .utf8)
      for (words, line) in zip(lines(text), text.split(separator: "\n")) {
        if line.first != " ", let name = declared(words) { owners[name] = folder }
        uses[folder, default: []].formUnion(words.filter { $0.first?.isUppercase == true })
      }
    }
    return uses.reduce(into: [:]) {
      $0[$1.key] = Set($1.value.compactMap { owners[$0] }).subtracting([$1.key])
    }
  }

  /// Folders with circular dependencies.
  private static func circle(_ arrows: [String: Set<String>]) -> [String] {
    var left = arrows
    while let end = left.first(where: { $0.value.isDisjoint(with: left.keys) }) { left[end.key] = nil }
    return left.keys.sorted()
  }

  @Test func noFolderCircles() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
      .standardizedFileURL
    let modules = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
    var found = 0
    for module in modules {
      let arrows = try Self.arrows(in: module)
      found += arrows.values.reduce(0) { $0 + $1.count }
      #expect(Self.circle(arrows) == [], "in \(module.lastPathComponent), whose folders name \(arrows)")
    }
    #expect(found > 100, "the sources are not read")
    #expect(Self.circle(["a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]]) == ["a", "b", "c", "d"])
    #expect(Self.circle(["a": ["b", "c"], "b": ["c"], "c": []]) == [])
  }
}
