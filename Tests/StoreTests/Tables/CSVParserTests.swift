import Model
import Testing

@testable import Store

struct CSVParserTests {
  private func parse(_ text: String, chunk: Int = .max) throws -> [[String]] {
    try parse(Array(text.utf8), chunk: chunk)
  }

  private func parse(_ bytes: [UInt8], chunk: Int = .max) throws -> [[String]] {
    var parser = CSVParser()
    var records: [[String]] = []
    let collect: (CSVRecord) -> Void = { record in records.append((0..<record.count).map { record[$0] }) }
    var rest = bytes[...]
    while !rest.isEmpty {
      try parser.take(rest.prefix(chunk), collect)
      rest = rest.dropFirst(chunk)
    }
    try parser.end(collect)
    return records
  }

  @Test(arguments: [
    ("", []),
    ("\n\r\n", []),
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
    ("\u{feff}a,\n,\n", [["a", ""], ["", ""]]),
    ("\"a,\"\"b\"\"\",\"c\r\nd\"\n", [["a,\"b\"", "c\r\nd"]]),
    ("a\"b,c\rd\r", [["a\"b", "c\rd\r"]]),
    ("\"\"\n\"\"", []),
  ])
  func splits(_ text: String, _ expected: [[String]]) throws {
    for chunk in [1, 2, 3, Int.max] { #expect(try parse(text, chunk: chunk) == expected) }
  }

  @Test func keepsAFileThatIsShorterThanAByteOrderMark() throws {
    #expect(try parse([0xef, 0xbb]) == [["\u{fffd}"]])
  }

  @Test(arguments: [
    ("a\n\"b\n", 2, "never closed"),
    ("a\n\"b\" c\n", 2, "follows a closing quote"),
    ("\"a\nb\"\n\"c\"d", 3, "follows a closing quote"),
    ("a\n" + String(repeating: "x", count: 1 << 20 + 1), 2, "longer than 1 MiB"),
  ])
  func refuses(_ text: String, line: Int, reason: String) throws {
    let problem = #expect(throws: CSVParser.Problem.self) { try parse(text) }
    #expect(problem?.line == line)
    #expect(problem?.reason.contains(reason) == true)
  }

  @Test func survivesRandomBytes() {
    var generator = SeededGenerator(seed: 9)
    let alphabet: [UInt8] = Array("a,\"\r\n'=".utf8) + [0x00, 0xef, 0xbb, 0xbf, 0xff]
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }
      // Refusing is fine, but accepted input must not depend on how it was split.
      #expect((try? parse(bytes)) == (try? parse(bytes, chunk: 1)))
    }
  }
}
