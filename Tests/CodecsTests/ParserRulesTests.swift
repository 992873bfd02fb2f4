import Foundation
import TestSupport
import Testing

/// Parsers of files never trap: they reach bytes only through a cursor that checks bounds (`ByteReader` and the types
/// built on it), and calculate with a file's numbers only with operators that do not overflow. These tests check their
/// source text.
@Suite struct ParserRulesTests {
  /// A file is a parser if it names one of these types.
  private static var cursors: some RegexComponent {
    /\b(ByteReader|BitReader|BoxScanner|HEIFBox|ExifDirectory|JPEGWalk|TIFFBytes)\b/.wordBoundaryKind(.simple)
  }

  /// Whether a text may name one of them, which is faster to check.
  private static func mayNameCursor(_ text: String) -> Bool {
    text.holds("ByteReader") || text.holds("BitReader") || text.holds("BoxScanner") || text.holds("HEIFBox")
      || text.holds("ExifDirectory") || text.holds("JPEGWalk") || text.holds("TIFFBytes")
  }

  /// Files that name a cursor but do not read foreign data themselves.
  private static let others = [
    "Pixels/Bytes/ByteReader.swift": "the cursor itself",
    "Codecs/HEIF/Parts/HEIFBoxes.swift": "writes boxes",
    "Codecs/HEIF/HEIFEncoding.swift": "encodes, and measures its own files",
    "Codecs/HEIF/HEIFReduction.swift": "an adapter of libde265",
    "Codecs/JPEG/JPEGCodec.swift": "encodes, and measures its own files",
    "Codecs/WebP/WebPReader.swift": "an adapter of libwebp",
    "Codecs/TIFF/TIFFReader.swift": "an adapter of libtiff",
    "Codecs/TIFF/TIFFBytes.swift": "a cursor of its own over a mapped file, which checks bounds likewise",
    "Codecs/Null/NullCodec.swift": "reads its own files",
  ]

  /// What cannot trap although a rule's pattern matches: a whole slice, a range of literals, a part of a text by a
  /// range found in it, division by a literal, and arithmetic with floating point or texts.
  private let harmless: [Regex<AnyRegexOutput>]
  private let rules: [(fault: String, pattern: Regex<AnyRegexOutput>)]

  init() throws {
    harmless = try [
      #"\[\.\.\.\]"#, #"\b(0x)?[0-9A-F_]+\.\.[.<](0x)?[0-9A-F_]+\b"#, #"\bRange\.\.\.\)"#,
      #"\[\w+\.upperBound\.\.\.\]"#, #"\[\.\.<\w+\.lowerBound\]"#, #" [/%] [1-9][0-9_]*\b"#,
      #" [-+*/] (?=Double\(|[0-9_]+\.[0-9])"#, #"\b[0-9_]+\.[0-9]+ [-+*/] "#, #"\bDouble\([^()]*\) [-+*/] "#,
      #" \+ (?="")"#, #""" \+ "#,
    ].map { try Regex($0).wordBoundaryKind(.simple) }
    rules = try [
      ("arithmetic that can overflow; use +|, -|, *| or /|", #"\S ([-+*/%]=?) \S"#),
      ("a sign that can overflow", #"(^|[\s(\[,:=])-[A-Za-z(]"#),
      ("a range that can be upside down; use indices", #"\.\.[.<]"#),
      (
        "a conversion that can trap",
        #"\bU?Int(8|16|32|64)?(\((?!exactly:|truncatingIfNeeded:|clamping:)|\.init)"#
      ),
      ("an optional taken by force", #"[\w)\]]!(?!=)"#),
      (
        "a cut by a number that may be negative",
        #"\.(dropFirst|dropLast|prefix|suffix)\((?!\d+\)|\)|Self\.|while:)"#
      ),
      (
        "an operation without a check",
        #"\b(removeFirst|removeLast|replaceSubrange|stride|fatalError|precondition|assert)\(|\bremove\(at:|[uU]nsafe|&[-+*]"#
      ),
    ].map { ($0.0, try Regex($0.1).wordBoundaryKind(.simple)) }
  }

  /// A line without its comment and without the content of its strings.
  private static func code(_ line: Substring) -> String {
    let bare = line.holds("\"") ? line.replacing(/"(\\.|[^"\\])*"/, with: "\"\"") : line
    guard bare.holds("//") else { return String(bare) }
    return String(bare.prefix(upTo: bare.firstRange(of: "//")?.lowerBound ?? bare.endIndex))
  }

  /// Whether a rule can match a line: without one of these, none does.
  private static func mayFit(_ code: String) -> Bool {
    let signs: [StaticString] = [
      "[", "+", "-", "*", "/", "%", "..", "Int", "!", ".drop", "fix(", "remove", "replaceSubrange(",
      "stride(",
      "fatalError(", "precondition(", "assert(", "nsafe",
    ]
    return signs.contains { code.holds($0) }
  }

  /// The names of dictionaries, whose subscripts do not trap.
  private static func dictionaries(_ text: String) -> Set<String> {
    Set(text.matches(of: #/\b(\w+): (inout )?\[\w+: /#.wordBoundaryKind(.simple)).map { String($0.1) })
  }

  /// The faults of a file, one sentence each.
  private func faults(_ text: String, dictionaries: Set<String> = []) -> [String] {
    var (isText, faults) = (false, [String]())
    let dictionaries = dictionaries.union(Self.dictionaries(text))
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.contains("\"\"\"") { isText.toggle() }
      guard !isText else { continue }
      var code = Self.code(line)
      guard Self.mayFit(code) else { continue }
      for pattern in harmless { code = code.replacing(pattern, with: "0") }
      for match in code.matches(of: /(\w+|\)|\]|\?)\??\[/) where !dictionaries.contains(String(match.1)) {
        faults.append("line \(index + 1): a subscript that can be outside; use element or the cursor")
      }
      for (fault, pattern) in rules where code.contains(pattern) {
        faults.append("line \(index + 1): \(fault)")
      }
    }
    return faults
  }

  @Test func parsersReachBytesByTheCursorAlone() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    let files = try paths.filter { $0.hasSuffix(".swift") }.map { path in
      (path, try String(contentsOf: sources.appending(path: path), encoding: .utf8))
    }
    let dictionaries = files.filter { $0.0.hasPrefix("Codecs/") }.reduce(into: Set<String>()) {
      $0.formUnion(Self.dictionaries($1.1))
    }
    let parsers = files.filter { Self.mayNameCursor($0.1) && $0.1.contains(Self.cursors) }
    for (path, text) in parsers where Self.others[path] == nil {
      #expect(faults(text, dictionaries: dictionaries) == [], "Sources/\(path)")
    }
    #expect(parsers.count > 25, "the parsers are not read")
    #expect(Set(Self.others.keys).isSubset(of: parsers.map(\.0)))
    // A parser without the cursor is not among these, but indexes its file.
    for (path, text) in files where path.hasPrefix("Codecs/") && Self.others[path] == nil {
      let lines = text.matches(
        of: /\b(bytes|file|data|payload|body|head|tiff)\[(?!\w+\.upperBound)[^.\]]/.wordBoundaryKind(.simple))
      #expect(lines.isEmpty || Self.writers[path] != nil, "Sources/\(path) indexes bytes of a file")
    }
  }

  private static let writers = [
    "Codecs/GainMap/GainMapJPEG.swift": "writes a file",
    "Codecs/TIFF/FileMapping+Part.swift": "the mapped file that TIFF's cursor reads, with its bounds checked",
    "Codecs/HEIF/ScaledAlpha.swift": "computes with decoded samples",
  ]

  @Test(arguments: [
    "let value = bytes[position]", "let part = bytes[start..<end]", "for index in 0..<count { }",
    "position += length", "let end = start + length", "let area = width * height", "let rest = size - 8",
    "let share = size / count", "let half = size % count", "return -offset", "let size = Int(number)",
    "let type = UInt32(number)", "lengths.map(UInt32.init)", "let first = chunks.first!",
    "bytes.dropFirst(offset)", "bytes.prefix(length)", "let tile = tiles[row *| columns]",
    "copy.replaceSubrange(range, with: [])", "bytes.withUnsafeBytes { }", "let sum = a &+ b",
    "let rest = bytes[start...]", "let shape = shapes()[2]",
  ])
  func whatCanTrapIsFound(line: String) {
    #expect(!faults(line).isEmpty)
  }

  @Test(arguments: [
    "let end = start +| length", "case 0xC0...0xC3, 0xC5...0xC7: true",
    "let x = Double(over) / Double(under)",
    "for index in count.indices { }", "let boxes = list(in: file[...])", "rest = rest[range.upperBound...]",
    "var names: [Int: String] = [:]; names[item, default: \"\"].append(name)", "let half = length / 16",
    "throw .malformed(\"a\" + \"b\")", "let number = UInt8(truncatingIfNeeded: value)",
    "guard a != b else { }",
    "let name = item.map { Kind($0) } ?? [-1]", "bytes.dropFirst(6)", "// bytes[0] is the first",
  ])
  func whatCannotTrapPasses(line: String) {
    #expect(faults(line) == [])
  }
}
