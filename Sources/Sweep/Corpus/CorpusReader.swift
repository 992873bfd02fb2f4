public import BenchModel
public import CodecKit

/// Finds the images of a corpus, names and hashes them, and reads their headers.
///
/// Images are recognised by content, never by name. An image's name is its path below the one folder that
/// was named; where several roots were, the root's name goes before it (`RootNames`); a listed path is its
/// own name. Order and names depend on nothing but the paths, so they are the same on every machine.
public struct CorpusReader: Sendable {
  private let registry: CodecRegistry
  private let limits: ReadLimits
  private let cache: (any CorpusCache)?

  /// How many bytes readers need to recognise a file.
  private static let signatureLength = 64

  /// Prepares to read with these codecs' readers.
  /// - Parameter cache: what earlier runs have read; files that look unchanged are not read again.
  public init(
    registry: CodecRegistry, limits: ReadLimits = ReadLimits(), cache: (any CorpusCache)? = nil
  ) {
    self.registry = registry
    self.limits = limits
    self.cache = cache
  }

  /// Walks the sources without opening a file.
  /// - Throws: `CorpusError` for a root that was named and cannot be used.
  public static func find(_ sources: CorpusSources) throws(CorpusError) -> FoundFiles {
    var walker = CorpusWalker()
    for (root, label) in zip(sources.roots, labels(for: sources)) {
      try walker.walk(root: root, label: label)
    }
    for path in sources.listed { walker.add(listed: path) }
    return FoundFiles(candidates: uniquelyNamed(walker.candidates), passedOver: walker.passedOver)
  }

  /// Reads the files that were found, one in memory at a time.
  /// - Parameters:
  ///   - limit: how many images to stop after, in the order of their names; nil for all.
  ///   - progress: told before each file how many are done.
  public func read(
    _ files: FoundFiles, limit: Int? = nil, progress: (_ done: Int) -> Void = { _ in }
  ) -> CorpusListing {
    var passedOver = files.passedOver
    var entries: [CorpusEntry] = []
    for (index, candidate) in files.candidates.enumerated() {
      if let limit, entries.count >= limit { break }
      progress(index)
      switch entry(for: candidate) {
      case .success(let entry): entries.append(entry)
      case .failure(let rejection): passedOver.count(candidate.name, rejection.reason)
      }
    }
    return CorpusListing(entries: entries, passedOver: passedOver)
  }

  private static func labels(for sources: CorpusSources) -> [[UInt8]] {
    let labels = RootNames.labels(of: sources.roots)
    guard sources.roots.count == 1, sources.listed.isEmpty, let root = sources.roots.first else {
      return labels
    }
    // What cannot be looked at is refused by the walk, whatever its label.
    let isFolder = (try? FileSystem.status(of: root))?.kind == .folder
    return isFolder ? [[]] : labels
  }

  /// Sorted by name. Should two files still share one (`a/x` below a root `a`, and a listed `a/x` of another
  /// folder), the later gets a number.
  private static func uniquelyNamed(
    _ candidates: [CorpusWalker.Candidate]
  ) -> [CorpusWalker.Candidate] {
    var sorted = candidates.sorted { a, b in
      if a.name.utf8.elementsEqual(b.name.utf8) { return a.path.lexicographicallyPrecedes(b.path) }
      return a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }
    // Swift compares strings by canonical equivalence: “é” in its two spellings also counts as shared.
    var names = Set(sorted.map(\.name))
    guard names.count < sorted.count else { return sorted }
    var taken: Set<String> = []
    for index in sorted.indices where !taken.insert(sorted[index].name).inserted {
      let name = sorted[index].name
      let free = (2...).lazy.map { "\(name)#\($0)" }.first { !names.contains($0) } ?? name
      sorted[index].name = free
      names.insert(free)
      taken.insert(free)
    }
    return sorted
  }

  /// Why a candidate is none after all.
  private struct Rejection: Error {
    let reason: PassedOver.Reason
  }

  private func entry(for candidate: CorpusWalker.Candidate) -> Result<CorpusEntry, Rejection> {
    let stamp = FileStamp(
      path: candidate.path, size: candidate.status.size,
      modifiedNanoseconds: candidate.status.modifiedNanoseconds, inode: candidate.status.identity.inode)
    if let known = try? cache?.cachedFile(for: stamp) {
      return .success(entry(for: candidate, fileBytes: stamp.size, known))
    }
    do {
      return .success(try read(candidate, stamp))
    } catch let rejection as Rejection {
      return .failure(rejection)
    } catch {
      return .failure(Rejection(reason: .unreadable))
    }
  }

  private func read(
    _ candidate: CorpusWalker.Candidate, _ stamp: FileStamp
  ) throws -> CorpusEntry {
    let file = try FileSystem.open(candidate.path)
    let status = try file.status()
    // It was a regular file when the walk saw it, but that is a while ago.
    guard status.kind == .file else { throw Rejection(reason: .notRegular) }
    var bytes: [UInt8] = []
    try file.read(min(Self.signatureLength, status.size), into: &bytes)
    guard let reader = registry.reader(for: bytes) else { throw Rejection(reason: .notAnImage) }
    guard status.size <= SourceFile.largestFile else {
      let hash = SHA256.hexDigest(of: bytes)
      return entry(
        for: candidate, fileBytes: status.size,
        CachedFile(contentHash: hash, header: nil, problem: SourceFile.tooLarge(status.size)))
    }
    bytes.reserveCapacity(status.size)
    try file.read(status.size - bytes.count, into: &bytes)
    let found = inspect(bytes, reader)
    let isUnchanged = status == candidate.status && bytes.count == stamp.size
    if isUnchanged { try? cache?.remember(found, for: stamp) }
    return entry(for: candidate, fileBytes: bytes.count, found)
  }

  private func inspect(_ bytes: [UInt8], _ reader: any ImageReader) -> CachedFile {
    let hash = SHA256.hexDigest(of: bytes)
    do {
      let header = try reader.header(of: bytes)
      guard header.width > 0, header.height > 0 else {
        return CachedFile(
          contentHash: hash, header: nil,
          problem: Failure(
            kind: .source, message: "declares \(header.width)×\(header.height) pixels, which is no image"))
      }
      return CachedFile(contentHash: hash, header: header)
    } catch {
      let kind: Failure.Kind = if case .limitExceeded = error { .limit } else { .source }
      return CachedFile(
        contentHash: hash, header: nil, problem: Failure(kind: kind, message: error.description))
    }
  }

  private func entry(
    for candidate: CorpusWalker.Candidate, fileBytes: Int, _ file: CachedFile
  ) -> CorpusEntry {
    CorpusEntry(
      identity: ImageIdentity(name: candidate.name, contentHash: file.contentHash), path: candidate.path,
      fileBytes: fileBytes, header: file.header, problem: file.problem ?? file.header.flatMap(tooManyPixels))
  }

  private func tooManyPixels(_ header: ImageHeader) -> Failure? {
    guard header.pixelCount > limits.maximumPixels else { return nil }
    return Failure(
      kind: .limit,
      message: "\(header.width)×\(header.height) are \(header.pixelCount) pixels, more than the "
        + "\(limits.maximumPixels) allowed; --max-pixels raises the limit")
  }
}
