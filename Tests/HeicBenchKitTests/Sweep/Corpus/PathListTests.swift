import HeicBenchKit
import TestSupport
import Testing
import Workers

@Suite("Lists of paths")
struct PathListTests {
  @Test(
    "one path per line, whatever the line ending",
    arguments: [
      ("a\nb c\n", ["a", "b c"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
      ("a\r\nb", ["a", "b"]), ("a\nb\r", ["a", "b\r"]),
      ("a\r\nb\n", ["a\r", "b"]), ("\n\na\n\n", ["a"]), ("", []), ("new\nline\0b\0", ["new\nline", "b"]),
    ])
  func lines(text: String, expected: [String]) {
    #expect(PathList.parse(Array(text.utf8)) == expected.map { Array($0.utf8) })
  }

  @Test("a byte order mark is not part of a path, and UTF-16 is decoded", arguments: [true, false])
  func byteOrderMarks(bigEndian: Bool) {
    let text = "Müller.png\r\n日本/b.png\r\n"
    let paths = ["Müller.png", "日本/b.png"].map { Array($0.utf8) }
    #expect(PathList.parse([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == paths)
    #expect(PathList.parse([0xEF, 0xBB, 0xBF]) == [])
    let utf16 = ("\u{FEFF}" + text).utf16.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return bigEndian ? bytes : bytes.reversed()
    }
    #expect(PathList.parse(utf16) == paths)
    #expect(PathList.parse(utf16.dropLast()) == nil)
    #expect(PathList.parse(Array(utf16.prefix(2)) + [0xD8, 0xD8, 0xD8, 0xD8]) == nil)
  }

  @Test("bytes that are not text are kept")
  func bytes() {
    #expect(PathList.parse([0xff, 0x0a, 0xfe]) == [[0xff], [0xfe]])
  }

  @Test("an endless list is an error", .timeLimit(.minutes(30)))
  func endless() {
    #expect(
      throws: CorpusError.unreadableList(name: "/dev/zero", reason: "it is not a regular file")
    ) { try PathList.read(Array("/dev/zero".utf8)) }
  }

  @Test("a list longer than one read, and a missing one")
  func files() throws {
    let folder = try RawFolder()
    let lines = (0..<200_000).map { "folder/image \($0).png" }
    try folder.write(Array(lines.joined(separator: "\n").utf8), to: "list")
    let paths = try PathList.read(folder.path("list"))
    #expect(paths.count == lines.count)
    #expect(paths.last == lines.last.map { Array($0.utf8) })
    #expect(throws: CorpusError.self) { try PathList.read(folder.path("none")) }
  }
}
