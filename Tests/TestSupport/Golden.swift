import Foundation

/// Committed texts, in the folder `Golden` of the target that tests them. To rewrite the files after an intended
/// change, run the tests with `HEICBENCH_UPDATE_GOLDEN=1` and read the difference.
package enum Golden {
  /// The first line in which a text differs from its committed file; nil if they are equal.
  package static func difference(_ text: String, _ name: String, test: String = #filePath) throws -> String? {
    var target = URL(filePath: test).deletingLastPathComponent()
    while !target.lastPathComponent.hasSuffix("Tests") { target.deleteLastPathComponent() }
    let file = target.appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["HEICBENCH_UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    guard text != expected else { return nil }
    let sides = [text, expected].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let line =
      zip(sides[0], sides[1]).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(sides[0].count, sides[1].count)
    let lines = sides.map { $0.dropFirst(line).first.map(String.init) ?? "nothing" }
    return "\(name), line \(line + 1): “\(lines[0])” where “\(lines[1])” was expected"
  }
}
