/// The sources of a sweep's images: named files and folders, and paths from a list.
package struct CorpusSources: Sendable, Hashable {
  /// Files and folders as named on the command line, as bytes; each must exist.
  package var roots: [[UInt8]]
  /// Paths from a list, as bytes; missing ones are passed over and counted.
  package var listed: [[UInt8]]

  package init(roots: [[UInt8]], listed: [[UInt8]] = []) {
    self.roots = roots
    self.listed = listed
  }
}

/// The files of a corpus by name and kind, none of them opened yet, in bytewise order of their names.
package struct FoundFiles: Sendable {
  let candidates: [CorpusWalker.Candidate]
  package let passedOver: PassedOver

  package var count: Int { candidates.count }
}

/// The images of a corpus, before any is decoded.
package struct CorpusListing: Sendable, Hashable {
  /// In bytewise order of their names, each name once.
  package var entries: [CorpusEntry]
  package var passedOver: PassedOver = PassedOver()
}
