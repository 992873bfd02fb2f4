/// What the files of a folder hold beside their pictures, kind by kind.
package struct FolderContents: Sendable {
  /// A kind over all files.
  package struct Line: Sendable, Hashable, Codable {
    /// The kind.
    package var kind: FileContents.Kind
    /// Files that hold some of it.
    package var files: Int
    /// How many there are in all files.
    package var count: Int
    /// Bytes of it in all files.
    package var bytes: Int
  }

  private var lines: [FileContents.Kind: Line] = [:]

  /// No files.
  package init() {}

  /// Takes a file.
  package mutating func add(_ contents: FileContents) {
    for (kind, share) in contents.shares {
      var line = lines[kind] ?? Line(kind: kind, files: 0, count: 0, bytes: 0)
      line.files += 1
      line.count = Self.sum(line.count, share.count)
      line.bytes = Self.sum(line.bytes, share.bytes)
      lines[kind] = line
    }
  }

  /// The kinds that were found, in the order of reports.
  package var found: [Line] { FileContents.Kind.allCases.compactMap { lines[$0] } }

  /// Sizes come from files and may add up to anything.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}
