package import CodecKit
package import Model

/// Finds the images of a corpus, names and hashes them, and reads their headers.
///
/// Images are recognised by content, never by name; but a file with an image's name and other content counts as an
/// image with a problem instead of being passed over. An image's name is its path below the only named folder; with
/// several roots, the root's name precedes it (`RootNames`); a listed path is its own name. Order and names depend on
/// the paths alone, so they are the same on every machine.
package struct CorpusReader: Sendable {
  let registry: CodecRegistry
  let limits: ReadLimits
  private let cache: (any CorpusCache)?

  /// - Parameter cache: results of earlier runs; files that look unchanged are not read again.
  package init(
    registry: CodecRegistry, limits: ReadLimits = ReadLimits(), cache: (any CorpusCache)? = nil
  ) {
    (self.registry, self.limits, self.cache) = (registry, limits, cache)
  }

  /// Finds the files of named roots and a list without opening one. Missing listed files are passed over and counted.
  package static func find(
    roots: [[UInt8]], listed: [[UInt8]] = []
  ) throws(CorpusError) -> FoundFiles {
    var walker = CorpusWalker()
    for (root, label) in zip(roots, labels(of: roots, hasList: !listed.isEmpty)) {
      try walker.walk(root: root, label: label)
    }
    for path in listed { walker.add(listed: path) }
    return FoundFiles(candidates: uniquelyNamed(walker.candidates), passedOver: walker.passedOver)
  }

  /// Reads the found files until there are `limit` images, holding at most the first 32 MiB of one in memory at a time.
  /// `progress` receives the number of finished files before each file.
  /// - Parameter byName: True to take the first images; false to draw `limit` of them (`FileSample.order`).
  package func read(
    _ files: FoundFiles, limit: Int? = nil, byName: Bool = false, progress: (_ done: Int) -> Void = { _ in }
  ) -> CorpusListing {
    let (entries, passedOver) = sort(
      files, limit: limit, byName: byName, progress: progress, read: readOrRecall,
      unusable: { candidate, problem in
        let nothing = CachedFile(contentHash: SHA256.hexDigest(of: []), header: nil, problem: problem)
        return entry(for: candidate, fileBytes: 0, nothing)
      })
    return CorpusListing(entries: entries, passedOver: passedOver)
  }

  /// Sorts files into images and files to pass over. An image in name only is one with a problem: leaving it aside
  /// would silently remove it from every figure.
  func sort<Image>(
    _ files: FoundFiles, limit: Int? = nil, byName: Bool = false, progress: (_ done: Int) -> Void = { _ in },
    read: (CorpusWalker.Candidate, FileStatus) throws -> Image,
    unusable: (CorpusWalker.Candidate, Failure) -> Image
  ) -> (images: [Image], passedOver: PassedOver) {
    var passedOver = files.passedOver
    var images: [(place: Int, image: Image)] = []
    let places =
      limit == nil || byName
      ? Array(files.candidates.indices) : FileSample.order(of: files.candidates.map(\.name))
    for (done, place) in places.enumerated() {
      if let limit, images.count >= limit { break }
      progress(done)
      let candidate = files.candidates[place]
      switch candidate.state {
      case .obstructed(let reason):
        images.append((place, unusable(candidate, UnknownContent.failure(reason))))
      case .file(let status):
        do { images.append((place, try read(candidate, status))) } catch {
          let reason = (error as? Rejection)?.reason ?? .unreadable
          if ImageFileName.isOne(candidate.path) {
            images.append((place, unusable(candidate, UnknownContent.failure(reason))))
          } else {
            passedOver.count(candidate.name, reason)
          }
        }
      }
    }
    return (images.sorted { $0.place < $1.place }.map(\.image), passedOver)
  }

  /// The name and path of files that begin like an image or are named like one, for a gallery that opens them as they
  /// come into view. Nothing is hashed, and no header is read.
  package func likelyImages(of files: FoundFiles) -> [(name: String, path: [UInt8])] {
    files.candidates.filter { candidate in
      if ImageFileName.isOne(candidate.path) { return true }
      guard case .file = candidate.state, let file = try? FileSystem.open(candidate.path),
        (try? file.status())?.kind == .file
      else { return false }
      var head: [UInt8] = []
      try? file.read(UnknownContent.looksAt, into: &head)
      return registry.reader(for: head) != nil
    }.map { ($0.name, $0.path) }
  }

  private static func labels(of roots: [[UInt8]], hasList: Bool) -> [[UInt8]] {
    let labels = RootNames.labels(of: roots)
    guard roots.count == 1, !hasList, let root = roots.first else { return labels }
    // Roots that cannot be inspected are refused by the walk, whatever their label.
    let isFolder = (try? FileSystem.status(of: root))?.kind == .folder
    return isFolder ? [[]] : labels
  }

  /// Sorts by name. If two files share one (`a/x` below a root `a`, and a listed `a/x`), the later gets a number.
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

  struct Rejection: Error {
    let reason: PassedOver.Reason
  }

  private func readOrRecall(
    _ candidate: CorpusWalker.Candidate, _ status: FileStatus
  ) throws -> CorpusEntry {
    let stamp = FileStamp(
      path: candidate.path, size: status.size, modifiedNanoseconds: status.modifiedNanoseconds,
      inode: status.identity.inode)
    if let known = try? cache?.cachedFile(for: stamp) {
      return entry(for: candidate, fileBytes: stamp.size, known)
    }
    return try read(candidate, status, stamp)
  }

  private func read(
    _ candidate: CorpusWalker.Candidate, _ seen: FileStatus, _ stamp: FileStamp
  ) throws -> CorpusEntry {
    let file = try FileSystem.open(candidate.path)
    let status = try file.status()
    // The walk saw a regular file, but that was a while ago.
    guard status.kind == .file else { throw Rejection(reason: .notRegular) }
    var head: [UInt8] = []
    try file.read(min(UnknownContent.looksAt, status.size), into: &head)
    let reader = registry.reader(for: head)
    guard reader != nil || ImageFileName.isOne(candidate.path) else {
      throw Rejection(reason: .notAnImage)
    }
    guard status.size <= SourceFile.largestFile else {
      let hash = SHA256.hexDigest(of: head)
      return entry(
        for: candidate, fileBytes: status.size,
        CachedFile(contentHash: hash, header: nil, problem: SourceFile.tooLarge(status.size)))
    }
    try file.read(min(status.size, SourceFile.headLength) - head.count, into: &head)
    let (hash, size) = try SourceFile.digest(of: file, head, upTo: status.size)
    let found =
      reader.map { inspect(head, isWhole: size == head.count, hash, $0) }
      ?? CachedFile(
        contentHash: hash, header: nil,
        problem: UnknownContent.failure(Array(head.prefix(UnknownContent.looksAt)), size: size))
    if status == seen && size == stamp.size { try? cache?.remember(found, for: stamp) }
    return entry(for: candidate, fileBytes: size, found)
  }

  /// Reads the header from a file's first bytes. If these are not the whole file and do not hold the header, a worker
  /// has to read the whole file, within its own limits.
  private func inspect(
    _ head: [UInt8], isWhole: Bool, _ hash: String, _ reader: any ImageReader
  ) -> CachedFile {
    do {
      let header = try reader.anyHeader(of: head)
      guard header.width > 0, header.height > 0 else {
        return CachedFile(
          contentHash: hash, header: nil,
          problem: Failure(
            kind: .source, message: "declares \(header.width)×\(header.height) pixels, which is no image"))
      }
      return CachedFile(contentHash: hash, header: header)
    } catch {
      guard isWhole || !reader.mayEndWithHeader else { return CachedFile(contentHash: hash, header: nil) }
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
      fileBytes: fileBytes, header: file.header,
      problem: file.problem ?? file.header.flatMap(tooManyPixels) ?? file.header.flatMap(unmeasuredHDR))
  }

  private func unmeasuredHDR(_ header: ImageHeader) -> Failure? {
    guard limits.light == nil, let points = header.hdr else { return nil }
    return Failure(kind: .source, message: CodecError.highDynamicRange(points).description)
  }

  private func tooManyPixels(_ header: ImageHeader) -> Failure? {
    guard header.pixelCount > limits.maximumPixels else { return nil }
    return Failure(
      kind: .limit,
      message: "\(header.width)×\(header.height) are \(header.pixelCount) pixels, more than the "
        + "\(limits.maximumPixels) allowed; --max-pixels raises the limit")
  }
}
