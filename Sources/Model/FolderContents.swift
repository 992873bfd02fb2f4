/// The contents of a folder's files other than their pictures, by kind.
package struct FolderContents: Sendable {
  /// One kind, summed over all files.
  package struct Line: Sendable, Hashable, Codable {
    package var kind: FileContents.Kind
    /// Number of files that contain the kind.
    package var files: Int
    /// Items in all files.
    package var count: Int
    /// Bytes in all files.
    package var bytes: Int
  }

  private var lines: [FileContents.Kind: Line] = [:]

  package init() {}

  package mutating func add(_ contents: FileContents) {
    for (kind, share) in contents.shares {
      var line = lines[kind] ?? Line(kind: kind, files: 0, count: 0, bytes: 0)
      line.files += 1
      line.count = Self.sum(line.count, share.count)
      line.bytes = Self.sum(line.bytes, share.bytes)
      lines[kind] = line
    }
  }

  /// The kinds found, in the order of reports.
  package var found: [Line] { FileContents.Kind.allCases.compactMap { lines[$0] } }

  /// Sizes come from files and may add up to anything.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}
