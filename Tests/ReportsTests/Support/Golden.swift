import Foundation
import Testing

/// Compares a whole text with a committed file of `Tests/ReportsTests/Golden`. To write the files anew after
/// a change that is meant, run the tests with `HEICBENCH_UPDATE_GOLDEN=1` and read the difference.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Golden/\(name)")
  if ProcessInfo.processInfo.environment["HEICBENCH_UPDATE_GOLDEN"] != nil {
    try Data(text.utf8).write(to: file)
  }
  let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
  guard text != expected else { return }
  let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
  let difference = lines.first { $0 != $1 }
  Issue.record(
    "\(name) differs: “\(difference?.0 ?? "")” where “\(difference?.1 ?? "")” was expected",
    sourceLocation: sourceLocation)
}
