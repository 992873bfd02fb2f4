import Model

/// A list of paths for `--files`: one per line, or NUL-terminated as from `find -print0`.
package enum PathList {
  /// The longest list accepted, 128 MiB: more than a million paths of a hundred bytes.
  static let longestList = 1 << 27

  /// Splits a list, leaving out empty lines. A carriage return belongs to the line end only if every line end has one;
  /// the last line may lack an end. A byte order mark is not part of the first path, and UTF-16, which PowerShell
  /// writes, becomes UTF-8.
  /// - Returns: Nil for damaged UTF-16.
  package static func parse(_ bytes: [UInt8]) -> [[UInt8]]? {
    switch ByteOrderMark(of: bytes) {
    case nil: lines(bytes)
    case .utf8: lines(Array(bytes.dropFirst(3)))
    case .utf16(let bigEndian): utf8(bytes.dropFirst(2), bigEndian: bigEndian).map(lines)
    }
  }

  private enum ByteOrderMark {
    case utf8
    case utf16(bigEndian: Bool)

    init?(of bytes: [UInt8]) {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        self = .utf8
      } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        self = .utf16(bigEndian: bytes[0] == 0xFE)
      } else {
        return nil
      }
    }
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    if bytes.contains(0) { return bytes.split(separator: 0).map(Array.init) }
    let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    let lines = bytes.split(separator: newline)
    let ended = lines.dropLast(bytes.last == newline ? 0 : 1)
    guard ended.allSatisfy({ $0.last == carriageReturn }) else { return lines.map(Array.init) }
    return lines.map { Array($0.last == carriageReturn ? $0.dropLast() : $0) }.filter { !$0.isEmpty }
  }

  package static func read(_ path: [UInt8]) throws(CorpusError) -> [[UInt8]] {
    var bytes: [UInt8] = []
    var isRegular = true
    do throws(SystemError) {
      let isStandardInput = path == [UInt8(ascii: "-")]
      let file = try isStandardInput ? OpenFile.standardInput() : FileSystem.open(path)
      if !isStandardInput { isRegular = try file.status().kind == .file }
      var before = -1
      while isRegular, bytes.count > before {
        before = bytes.count
        try file.read(1 << 20, into: &bytes)
        if bytes.count > longestList { break }
      }
    } catch {
      throw .unreadableList(name: ImageName.printable(path), reason: error.description)
    }
    guard bytes.count <= longestList else {
      throw .unreadableList(
        name: ImageName.printable(path), reason: "it is longer than \(ByteSize.text(longestList))")
    }
    guard isRegular else {
      throw .unreadableList(name: ImageName.printable(path), reason: "it is not a regular file")
    }
    guard let paths = parse(bytes) else {
      throw .unreadableList(
        name: ImageName.printable(path), reason: "it begins like UTF-16 but is not; save it as UTF-8")
    }
    return paths
  }
}

/// Reasons why there is no corpus at all. A single bad file is not an error; see `PassedOver`.
package enum CorpusError: Error, Sendable, Hashable {
  case missing(root: String)
  case unreadable(root: String, reason: String)
  case notFileOrFolder(root: String)
  case unreadableList(name: String, reason: String)
}

extension CorpusError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let root): "“\(root)” does not exist; give image files, or folders with images"
    case .unreadable(let root, let reason): "“\(root)” cannot be read: \(reason)"
    case .notFileOrFolder(let root):
      "“\(root)” is neither a file nor a folder; give image files, or folders with images"
    case .unreadableList(let name, let reason):
      "the list of files “\(name)” cannot be read: \(reason); give a text file with one path per line, or - "
        + "for standard input"
    }
  }
}
