import Foundation
import Model
import Store
import Synchronization
import Workers

/// The images of a run that have not changed since they were measured.
///
/// A store may come from a stranger. So its roots' folders are not searched, a file is read only under its image's
/// name, and it is shown only if its content has the stored digest. Reading outside the current folder is reported.
struct MeasuredImages: Sendable {
  private let hashes: [String: String]
  private let roots: [String]
  /// True if images were listed one by one, so that their names are paths.
  private let isListed: Bool
  private let strangePlaces: StrangePlaces
  private let notice: @Sendable (String) -> Void
  /// Entries below `--corpus`, by name; nil if it was not given.
  private let found: [String: CorpusEntry]?

  private let reader: CorpusReader

  /// Searches for images with these digests by name, below roots or in `corpus` if that is not empty.
  init(
    _ hashes: [String: String], roots: [String], corpus: [InputPath], by describer: any FileDescriber,
    notice: @escaping @Sendable (String) -> Void
  ) throws {
    self.notice = notice
    self.hashes = hashes
    reader = CorpusReader(describer)
    self.roots = roots.filter { !$0.hasPrefix(ImageSource.listMark) }
    isListed = self.roots.count < roots.count
    strangePlaces = StrangePlaces(notice)
    guard !corpus.isEmpty else {
      found = nil
      return
    }
    let files = try CorpusReader.find(roots: corpus.map(\.bytes))
    found = Dictionary(
      try reader.read(files).entries.map { ($0.identity.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The image with a name; nil, with a notice, if it is gone or has changed.
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
        ? "no pictures of “\(name)”: it is not where the run found it; give its folder with --corpus"
        : "no pictures of “\(name)”: it has changed since it was measured")
    return nil
  }

  /// Possible paths of an image, each with the place that the results name. A root is the file itself, or contains the
  /// name or a suffix of it; a listed image's name is its path.
  private func candidates(_ name: String) -> [(path: String, place: String)] {
    let parts = name.split(separator: "/")
    // No image below a root has a name with “..”.
    let below = parts.contains("..") ? [] : Array(parts.indices)
    let held = roots.flatMap { root in
      [(root, root)] + below.map { ("\(root)/\(parts[$0...].joined(separator: "/"))", root) }
    }
    guard isListed else { return held }
    return held + [(name, (name as NSString).deletingLastPathComponent)]
  }

  private func read(_ name: String, in place: String) -> CorpusEntry? {
    // Names and roots are stored as printed, with newlines escaped.
    let path = ImageName.path(of: name)
    guard !path.contains(0) else { return nil }
    // Excludes folders, which would be searched.
    guard (try? RegularFile.open(path)) != nil else { return nil }
    strangePlaces.say(place)
    guard let files = try? CorpusReader.find(roots: [path]) else { return nil }
    // If no worker can be started, making the pictures fails with that error.
    return try? reader.read(files).entries.first
  }
}

/// Reports, once each, places outside the current folder that the results name but the user did not.
final class StrangePlaces: Sendable {
  private let said = Mutex<Set<String>>([])
  private let notice: @Sendable (String) -> Void

  /// - Parameter named: Places that the user has named, which are not reported.
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
    notice("looking for images in “\(place)”, where the results say they are")
  }
}
