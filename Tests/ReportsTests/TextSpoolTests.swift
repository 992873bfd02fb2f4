import Testing

@testable import Reports

@Suite struct TextSpoolTests {
  @Test("What is put aside comes back as it was, in memory and through a file", arguments: [0, 3, 40_000])
  func text(lines: Int) throws {
    let spool = TextSpool()
    var expected = ""
    for number in 0..<lines {
      // Characters of one to four bytes, so that pieces end within some of them.
      let line = "\(number) é – 🖼 the line of an image that has a long name\(number % 7 == 0 ? "é" : "")\n"
      try spool.add { $0.write(line) }
      expected += line
    }
    try spool.add { $0.write("]") }
    var text = ""
    try spool.copy(to: &text)
    #expect(text == expected + "]")
  }
}
