import CodecKit
import Codecs
import Foundation
import Model
import Store
import Sweep
import Synchronization
import Workers

/// The images of a run as far as they still are what was measured.
///
/// A store may come from a stranger: of the roots that it names no folder is walked, and a file is looked at
/// under its image's name alone and shown if its content has the digest that the store has. Where that leads out of
/// the current folder, it is said.
struct MeasuredImages: Sendable {
  private let hashes: [String: String]
  private let roots: [String]
  /// Whether images were listed one by one, so that their names are paths.
  private let isListed: Bool
  private let strangePlaces: StrangePlaces
  private let notice: @Sendable (String) -> Void
  /// What is at `--corpus`, by name; nil where it was not given.
  private let found: [String: CorpusEntry]?

  /// Prepares to look below the roots of a run, or in `corpus` where that is not empty.
  init(
    _ store: ResultStore, _ run: StoredRun, corpus: [InputPath], notice: @escaping @Sendable (String) -> Void
  ) throws {
    try self.init(
      try store.contentHashes(of: run.id), roots: run.manifest.roots, corpus: corpus, notice: notice)
  }

  /// Prepares to look for images with these digests by name, below roots or in `corpus` where that is not empty.
  init(
    _ hashes: [String: String], roots: [String], corpus: [InputPath],
    notice: @escaping @Sendable (String) -> Void
  ) throws {
    self.notice = notice
    self.hashes = hashes
    self.roots = roots.filter { !$0.hasPrefix(ImageSource.listMark) }
    isListed = self.roots.count < roots.count
    strangePlaces = StrangePlaces(notice)
    guard !corpus.isEmpty else {
      found = nil
      return
    }
    let files = try CorpusReader.find(CorpusSources(roots: corpus.map(\.bytes)))
    found = Dictionary(
      CorpusReader(registry: .standard).read(files).entries.map { ($0.identity.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The image of a name; nil, with a notice, where it is gone or has changed.
  func entry(_ name: String) -> CorpusEntry? {
    let entries =
      found.map { found in found[name].map { [$0] } ?? [] } ?? candidates(name).compactMap(read(_:in:))
    if let entry = entries.first(where: { $0.identity.contentHash == hashes[name] }) {
      return CorpusEntry(
        identity: ImageIdentity(name: name, contentHash: entry.identity.contentHash), path: entry.path,
        fileBytes: entry.fileBytes, header: entry.header, problem: entry.problem)
    }
    notice(
      entries.isEmpty
        ? "no pictures of “\(name)”: it is not where the run found it; say where with --corpus"
        : "no pictures of “\(name)”: it has changed since it was measured")
    return nil
  }

  /// Where an image of a name may be, each with the place that the results name: a root is the file itself, or holds
  /// the name or what follows its own name in it; a listed image has its path as its name.
  private func candidates(_ name: String) -> [(path: String, place: String)] {
    let parts = name.split(separator: "/")
    // Below a root no image has a name that climbs.
    let below = parts.contains("..") ? [] : Array(parts.indices)
    let held = roots.flatMap { root in
      [(root, root)] + below.map { ("\(root)/\(parts[$0...].joined(separator: "/"))", root) }
    }
    guard isListed else { return held }
    return held + [(name, (name as NSString).deletingLastPathComponent)]
  }

  private func read(_ name: String, in place: String) -> CorpusEntry? {
    // Names and roots are as they are printed: a newline in one is spelled.
    let path = ImageName.path(of: name)
    guard !path.contains(0) else { return nil }
    // A folder would be walked.
    guard (try? RegularFile.open(path)) != nil else { return nil }
    strangePlaces.say(place)
    guard let files = try? CorpusReader.find(CorpusSources(roots: [path])) else { return nil }
    return CorpusReader(registry: .standard).read(files).entries.first
  }
}

/// Says of places that results name, and not the user, that files there are looked at: each once, and only those
/// outside of the current folder.
final class StrangePlaces: Sendable {
  private let said = Mutex<Set<String>>([])
  private let notice: @Sendable (String) -> Void

  /// - Parameter named: places that the user has named, of which nothing is said.
  init(named: [String] = [], _ notice: @escaping @Sendable (String) -> Void) {
    self.notice = notice
    said.withLock { said in said.formUnion(named.map(Self.full)) }
  }

  private static func full(_ place: String) -> String {
    URL(filePath: place.isEmpty ? "." : place).standardizedFileURL.path
  }

  func say(_ place: String) {
    let here = FileManager.default.currentDirectoryPath
    let path = Self.full(place)
    guard path != here, !path.hasPrefix(here == "/" ? here : here + "/"),
      said.withLock({ $0.insert(path).inserted })
    else { return }
    notice("looking for images in “\(place)”, where the results say that they are")
  }
}
