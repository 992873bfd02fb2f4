import Testing

@testable import Reports

@Suite struct TextSpoolTests {
  @Test("Spooled text comes back unchanged", arguments: [0, 3, 40_000])
  func text(lines: Int) throws {
    let spool = try TextSpool()
    var expected = ""
    for number in 0..<lines {
      // Characters of one to four bytes, so that pieces end within some of them.
      let line = "\(number) é – 🖼 the line of an image that has a long name\(number % 7 == 0 ? "é" : "")\n"
      spool.write(line)
      expected += line
    }
    spool.write("]")
    var text = ""
    try spool.copy(to: &text)
    #expect(text == expected + "]")
  }
}
