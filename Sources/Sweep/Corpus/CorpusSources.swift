/// Where a sweep's images are: files and folders that were named, and paths from a list.
package struct CorpusSources: Sendable, Hashable {
  /// Files and folders as named on the command line, as bytes. Each has to exist.
  package var roots: [[UInt8]]
  /// Paths from a list, as bytes. Those that do not exist are passed over and counted.
  package var listed: [[UInt8]]

  /// Names the sources.
  package init(roots: [[UInt8]], listed: [[UInt8]] = []) {
    self.roots = roots
    self.listed = listed
  }
}

/// The files of a corpus by name and kind, none of them opened yet, in the bytewise order of their names.
package struct FoundFiles: Sendable {
  let candidates: [CorpusWalker.Candidate]
  /// What was left aside so far.
  package let passedOver: PassedOver

  /// How many files there are.
  package var count: Int { candidates.count }
}

/// The images of a corpus, before any is decoded.
package struct CorpusListing: Sendable, Hashable {
  /// The images in the bytewise order of their names, each name once.
  package var entries: [CorpusEntry]
  /// What was left aside.
  package var passedOver: PassedOver

  /// Lists images.
  package init(entries: [CorpusEntry], passedOver: PassedOver = PassedOver()) {
    self.entries = entries
    self.passedOver = passedOver
  }
}
