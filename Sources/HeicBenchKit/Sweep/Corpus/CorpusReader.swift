package import CodecKit
package import Model
package import Workers

/// Finds the images of a corpus, names and hashes them, and has workers read their headers.
///
/// Images are recognised by content, never by name. But a file that is named like an image and is not one counts as an
/// image with a problem instead of being skipped. An image's name is its path below the only named folder; with several
/// roots, the root's name precedes it (`RootNames`); a listed path is its own name. Order and names depend only on the
/// paths, so they are the same on every machine.
package struct CorpusReader: Sendable {
  let describer: any FileDescriber
  let limits: ReadLimits
  private let cache: (any CorpusCache)?

  /// - Parameter cache: Results of earlier runs; files that look unchanged are not read again.
  package init(
    _ describer: any FileDescriber, limits: ReadLimits = ReadLimits(), cache: (any CorpusCache)? = nil
  ) {
    (self.describer, self.limits, self.cache) = (describer, limits, cache)
  }

  /// Finds the files of named roots and a list without opening any. Missing listed files are skipped and counted.
  package static func find(
    roots: [[UInt8]], listed: [[UInt8]] = [], excluding patterns: PathPatterns = PathPatterns()
  ) throws(CorpusError) -> FoundFiles {
    var walker = CorpusWalker(excluding: patterns)
    for (root, label) in zip(roots, labels(of: roots, hasList: !listed.isEmpty)) {
      try walker.walk(root: root, label: label)
    }
    for path in listed { walker.add(listed: path) }
    return FoundFiles(candidates: uniquelyNamed(walker.candidates), passedOver: walker.passedOver)
  }

  /// Has workers read the found files until there are `limit` images. `progress` receives the number of finished files.
  /// - Parameters:
  ///   - depth: `digest` or `contents`; earlier runs do not store contents.
  ///   - byName: True to take the first images; false to draw `limit` of them (`FileSample.order`).
  package func read(
    _ files: FoundFiles, as depth: FileDescription.Depth = .digest, limit: Int? = nil, byName: Bool = false,
    progress: (_ done: Int) -> Void = { _ in }
  ) throws -> CorpusListing {
    let (entries, passedOver) = try sort(
      files, as: depth, limit: limit, byName: byName, progress: progress,
      recall: { depth == .contents ? nil : recall($0) }, image: entry,
      unusable: { candidate, problem in
        let nothing = CachedFile(contentHash: SHA256.hexDigest(of: []), header: nil, problem: problem)
        return entry(for: candidate, fileBytes: 0, nothing)
      })
    return CorpusListing(entries: entries, passedOver: passedOver)
  }

  /// Sorts files into images and files to skip. A file that is an image only by name becomes an image with a problem:
  /// skipping it would silently remove it from every figure.
  /// - Parameter recall: Returns the image of a file that need not be read again.
  func sort<Image>(
    _ files: FoundFiles, as depth: FileDescription.Depth, limit: Int? = nil, byName: Bool = false,
    progress: (_ done: Int) -> Void, recall: (CorpusWalker.Candidate) -> Image? = { _ in nil },
    image: (CorpusWalker.Candidate, FileDescription) -> Image,
    unusable: (CorpusWalker.Candidate, Failure) -> Image
  ) throws -> (images: [Image], passedOver: PassedOver) {
    var passedOver = files.passedOver
    var images: [(place: Int, image: Image)] = []
    var places = order(of: files, isDrawn: limit != nil && !byName)[...]
    while !places.isEmpty, images.count < limit ?? .max {
      let part = places.prefix((limit ?? .max) - images.count)
      places = places.dropFirst(part.count)
      var unknown: [Int] = []
      for place in part {
        let candidate = files.candidates[place]
        if let known = candidate.obstacle.map({ unusable(candidate, $0.failure) }) ?? recall(candidate) {
          images.append((place, known))
        } else {
          unknown.append(place)
        }
      }
      let done = part.endIndex - unknown.count
      let described = try describe(unknown.map { files.candidates[$0] }, depth) { progress(done + $0) }
      for (place, description) in zip(unknown, described) {
        let candidate = files.candidates[place]
        if let reason = description.obstacle.map(PassedOver.Reason.init) {
          guard ImageFileName.isOne(candidate.path) else {
            passedOver.count(
              candidate.name, reason, description.foreignFormat, bytes: description.fileBytes)
            continue
          }
          images.append((place, unusable(candidate, reason.failure)))
        } else {
          images.append((place, image(candidate, description)))
        }
      }
    }
    return (images.sorted { $0.place < $1.place }.map(\.image), passedOver)
  }

  private func order(of files: FoundFiles, isDrawn: Bool) -> [Int] {
    isDrawn ? FileSample.order(of: files.candidates.map(\.name)) : Array(files.candidates.indices)
  }

  private func describe(
    _ files: [CorpusWalker.Candidate], _ depth: FileDescription.Depth,
    _ progress: (_ done: Int) -> Void = { _ in }
  ) throws -> [FileDescription] {
    guard !files.isEmpty else { return [] }
    let files = files.map { FileToDescribe(path: $0.path, bytes: $0.status?.size ?? 0) }
    return try describer.describe(files, as: depth, progress: progress)
  }

  /// The name and path of files that begin like an image or are named like one, for a gallery that opens them as they
  /// come into view, and the files that are skipped. Does not hash anything or read headers.
  package func likelyImages(
    of files: FoundFiles
  ) throws -> (images: [(name: String, path: [UInt8])], passedOver: PassedOver) {
    try sort(
      files, as: .signature, progress: { _ in },
      recall: { ImageFileName.isOne($0.path) ? ($0.name, $0.path) : nil },
      image: { candidate, _ in (candidate.name, candidate.path) },
      unusable: { candidate, _ in (candidate.name, candidate.path) })
  }

  private static func labels(of roots: [[UInt8]], hasList: Bool) -> [[UInt8]] {
    let labels = RootNames.labels(of: roots)
    guard roots.count == 1, !hasList, let root = roots.first else { return labels }
    // The walk refuses roots that cannot be inspected, whatever their label.
    let isFolder = (try? FileSystem.status(of: root))?.kind == .folder
    return isFolder ? [[]] : labels
  }

  /// Sorts by name. If two files share a name (`a/x` below a root `a`, and a listed `a/x`), the later one gets a
  /// number.
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

  private func recall(_ candidate: CorpusWalker.Candidate) -> CorpusEntry? {
    guard let stamp = candidate.stamp, let known = try? cache?.cachedFile(for: stamp) else { return nil }
    return entry(for: candidate, fileBytes: stamp.size, known)
  }

  private func entry(_ candidate: CorpusWalker.Candidate, _ description: FileDescription) -> CorpusEntry {
    let hash = description.contentHash ?? hash(of: candidate)
    let found = CachedFile(contentHash: hash, header: description.header, problem: description.problem)
    if let cache, let stamp = candidate.stamp, Self.isLasting(description),
      (try? FileSystem.status(of: candidate.path)) == candidate.status
    {
      try? cache.remember(found, for: stamp)
    }
    return entry(for: candidate, fileBytes: description.fileBytes, found, description.contents)
  }

  /// False if another program, worker or limit might give a different result for the same file.
  private static func isLasting(_ description: FileDescription) -> Bool {
    description.problem?.isWorthRetrying != true && description.fileBytes <= SourceFile.largestFile
  }

  /// The digest of a file that no worker could read to its end.
  private func hash(of candidate: CorpusWalker.Candidate) -> String {
    guard let file = try? FileSystem.open(candidate.path), let status = try? file.status(),
      status.kind == .file, status.size <= SourceFile.largestFile,
      let found = try? SourceFile.digest(of: file, [], upTo: status.size)
    else { return SHA256.hexDigest(of: []) }
    return found.hash
  }

  private func entry(
    for candidate: CorpusWalker.Candidate, fileBytes: Int, _ file: CachedFile,
    _ contents: Result<FileContents, Failure>? = nil
  ) -> CorpusEntry {
    CorpusEntry(
      identity: ImageIdentity(name: candidate.name, contentHash: file.contentHash), path: candidate.path,
      fileBytes: fileBytes, header: file.header,
      problem: file.problem ?? file.header.flatMap(tooManyPixels) ?? file.header.flatMap(unmeasuredHDR),
      contents: contents)
  }

  private func unmeasuredHDR(_ header: ImageHeader) -> Failure? {
    limits.light == nil ? header.hdr.map(Self.unmeasured) : nil
  }

  /// The problem of an HDR image in an SDR run.
  static func unmeasured(_ points: CodePoints) -> Failure {
    Failure(kind: .source, message: CodecError.highDynamicRange(points).description)
  }

  private func tooManyPixels(_ header: ImageHeader) -> Failure? {
    guard header.pixelCount > limits.maximumPixels else { return nil }
    return Failure(
      kind: .limit,
      message: "\(header.width)×\(header.height) are \(header.pixelCount) pixels, more than the "
        + "\(limits.maximumPixels) allowed; --max-pixels raises the limit")
  }
}

extension CorpusWalker.Candidate {
  fileprivate var stamp: FileStamp? {
    status.map { status in
      FileStamp(
        path: path, size: status.size, modifiedNanoseconds: status.modifiedNanoseconds,
        inode: status.identity.inode)
    }
  }
}
