/// Where a sweep's images are: files and folders that were named, and paths from a list.
public struct CorpusSources: Sendable, Hashable {
  /// Files and folders as named on the command line, as bytes. Each has to exist.
  public var roots: [[UInt8]]
  /// Paths from a list, as bytes. Those that do not exist are passed over and counted.
  public var listed: [[UInt8]]

  /// Names the sources.
  public init(roots: [[UInt8]], listed: [[UInt8]] = []) {
    self.roots = roots
    self.listed = listed
  }
}

/// The files of a corpus by name and kind, none of them opened yet, in the bytewise order of their names.
public struct FoundFiles: Sendable {
  let candidates: [CorpusWalker.Candidate]
  /// What was left aside so far.
  public let passedOver: PassedOver

  /// How many files there are.
  public var count: Int { candidates.count }
}

/// The images of a corpus, before any is decoded.
public struct CorpusListing: Sendable, Hashable {
  /// The images in the bytewise order of their names, each name once.
  public var entries: [CorpusEntry]
  /// What was left aside.
  public var passedOver: PassedOver

  /// Lists images.
  public init(entries: [CorpusEntry], passedOver: PassedOver = PassedOver()) {
    self.entries = entries
    self.passedOver = passedOver
  }
}
