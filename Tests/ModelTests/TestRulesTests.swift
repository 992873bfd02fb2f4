import Foundation
import TestSupport
import Testing

/// Rules for a test's source that ensure that the test can fail: it does not return before it has checked something, it
/// checks something at all, and it does not sleep while it waits for something.
@Suite struct TestRulesTests {
  /// A line of code without comments and strings.
  private struct Line {
    let number: Int
    let text: String
    let indent: Int

    init(_ number: Int, _ line: Substring) {
      self.number = number
      text = SourceText.code(line)
      indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
    }

    func begins(with keywords: [String]) -> Bool {
      keywords.contains { text == $0 || text.hasPrefix($0 + " ") }
    }
  }

  private static let statements = [
    "guard", "if", "} else", "else", "for", "while", "switch", "case", "default:", "do", "} catch", "{",
  ]
  /// Whether a line asserts something. A `#require` counts as a separate statement; if the test uses its value, it is
  /// part of the fixture.
  private static func isCheck(_ line: Line) -> Bool {
    line.text.holds("#expect") || line.text.holds("Issue.record(") || line.text.holds("confirmation(")
      || line.text.hasPrefix("try #require(") || line.text.hasPrefix("_ = try #require(")
  }

  /// The lines of a file without those of multi-line strings.
  private static func lines(_ file: String) -> [Line] {
    var isText = false
    return file.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      let isEdge = line.holds("\"\"\"")
      if isEdge { isText.toggle() }
      let parsed = Line(index + 1, isEdge || isText ? "" : line)
      return parsed.text.isEmpty ? nil : parsed
    }
  }

  /// The bodies of a file's tests; a test in one line is its own body.
  private static func bodies(_ lines: [Line]) -> [ArraySlice<Line>] {
    var isTest = false
    return lines.indices.compactMap { index in
      isTest = isTest || lines[index].text.contains("@Test")
      guard isTest, lines[index].text.contains("func ") else { return nil }
      isTest = false
      guard
        let start = lines[index...].firstIndex(where: { $0.text.hasSuffix("{") || $0.text.hasSuffix("}") }),
        lines[start].text.hasSuffix("{")
      else { return lines[index...index] }
      let end = lines[(start + 1)...].firstIndex { $0.text == "}" && $0.indent <= lines[index].indent }
      return lines[(start + 1)..<(end ?? lines.endIndex)]
    }
  }

  /// The lines that enclose a line, the innermost first.
  private static func openers(of line: Line, in body: ArraySlice<Line>) -> [Line] {
    var indent = line.indent
    return body.reversed().drop { $0.number >= line.number }.filter { above in
      guard above.indent < indent else { return false }
      indent = above.indent
      return true
    }
  }

  /// Whether a line belongs to the test itself, not to a closure or function in it.
  private static func isOwn(_ line: Line, in body: ArraySlice<Line>) -> Bool {
    openers(of: line, in: body).allSatisfy { opener in
      opener.begins(with: statements) || !(opener.text.hasSuffix("{") || opener.text.hasSuffix(" in"))
    }
  }

  /// Lines on which a test returns although its block has checked nothing.
  private static func silentReturns(_ body: ArraySlice<Line>) -> [Int] {
    body.filter { line in
      let isAlone = line.text == "return"
      guard isAlone || line.text.hasSuffix("return }"), isOwn(line, in: body),
        isAlone || line.begins(with: statements)
      else { return false }
      guard isAlone, let opener = openers(of: line, in: body).first else { return true }
      let block = body.filter { opener.number < $0.number && $0.number < line.number }
      return !block.contains(where: isCheck)
    }.map(\.number)
  }

  /// Whether a test asserts nothing, neither itself nor through a function whose name begins with `expect` or `check`.
  private static func checksNothing(_ body: ArraySlice<Line>) -> Bool {
    !body.contains { line in
      isCheck(line)
        || (line.text.holds("expect") || line.text.holds("check"))
          && line.text.firstMatch(of: /\b(expect|check)\w*\(/.wordBoundaryKind(.simple)) != nil
    }
  }

  /// Lines that sleep without checking again for what they wait for.
  private static func sleeps(_ lines: [Line]) -> [Int] {
    lines.filter { line in
      line.text.holds("sleep(") && line.text.firstMatch(of: /\bu?sleep\(/) != nil
        && !line.begins(with: ["for", "while"])
        && openers(of: line, in: lines[...]).first?.begins(with: ["for", "while"]) != true
    }.map(\.number)
  }

  /// The faults of a file's tests, one sentence each.
  private static func faults(_ lines: [Line], _ bodies: [ArraySlice<Line>]) -> [String] {
    bodies.flatMap(silentReturns).map {
      "line \($0) returns in silence: use #require or .enabled(if:)"
    }
      + bodies.filter(checksNothing).map { "line \($0.first?.number ?? 0): this test checks nothing" }
      + sleeps(lines).map { "line \($0) sleeps for a fixed time: wait for what is to come" }
  }

  @Test func everyTestCanFail() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let paths = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
    var count = 0
    for path in paths.sorted() where path.hasSuffix(".swift") && !path.hasPrefix("TestSupport/") {
      let file = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
      let lines = Self.lines(file)
      let bodies = Self.bodies(lines)
      count += bodies.count
      #expect(Self.faults(lines, bodies) == [], "Tests/\(path)")
    }
    #expect(count > 1000, "the tests are not read")
  }

  @Test func whatIsWrongIsFound() {
    let file = """
      @Test(arguments: [1, 2])
      func silent(
        value: Int
      ) throws {
        guard value > 1,
          value < 3
        else { return }
        if value == 2 {
          return
        }
        rows.forEach { row in
          guard row > 1 else { return }
          if row > 2 {
            return
          }
        }
        guard value > 2 else {
          Issue.record("told")
          return
        }
        usleep(1)
        while true { usleep(2) }
      }
      @Test func nothing() { _ = 5 }
      @Test func fixture() throws {
        let row = try #require(rows.first)
        _ = row
      }
      @Test func required() throws {
        try #require(rows.isEmpty)
      }
      @Test func helped() { expectNothing() }
      @Test func fine() { #expect(true) }
      """
    let lines = Self.lines(file)
    #expect(
      Self.faults(lines, Self.bodies(lines)).map { $0.prefix(8) } == [
        "line 7 r", "line 9 r", "line 24:", "line 26:", "line 21 ",
      ])
  }
}
