import CodecKit
import Model

/// Finds the files of a corpus by name and kind, without opening any.
///
/// A folder is listed and closed before the next one is opened, so that depth does not cost descriptors. Each folder is
/// searched once, however many links lead to it. Links to folders wait until all real folders of their root are done,
/// so that an image gets its real name.
struct CorpusWalker {
  struct Candidate: Sendable {
    var name: String
    let path: [UInt8]
    let state: State

    /// The file's status during the walk; nil if it is obstructed.
    var status: FileStatus? { if case .file(let status) = state { status } else { nil } }

    var obstacle: PassedOver.Reason? { if case .obstructed(let reason) = state { reason } else { nil } }
  }

  enum State: Sendable {
    /// A regular file, with its status during the walk.
    case file(FileStatus)
    /// Something unreadable with an image's name.
    case obstructed(PassedOver.Reason)
  }

  private struct Folder {
    let path: [UInt8]
    /// The prefix of the names of the folder's entries, with the final slash; empty for a single root.
    let prefix: [UInt8]
    let identity: FileStatus.Identity
    /// The length of the root's name in `prefix`.
    var rootLength = 0
    /// True if the folder is a root.
    var isNamed = false
  }

  private struct Sighting: Hashable {
    let file: FileStatus.Identity
    let lastComponent: [UInt8]
  }

  private(set) var candidates: [Candidate] = []
  private(set) var passedOver = PassedOver()

  private var visitedFolders: Set<FileStatus.Identity> = []
  private var sightings: Set<Sighting> = []
  private var own = OwnOutput()
  private let excluded: PathPatterns
  private static let slash = UInt8(ascii: "/")

  /// Names of folders that a NAS, a camera's card or a system keeps for its own use, in lower case. Names that begin
  /// with a dot are hidden anyway.
  private static let systemFolders: Set<[UInt8]> = Set(
    [
      "@eadir", "#recycle", "#snapshot", "@tmp", "@recycle", "@recently-snapshot", "@__thumb", "@transcode",
      "@sharebin",
      "@sharesnap", "lost+found", "__macosx", "$recycle.bin", "recycler", "system volume information",
      "lost.dir",
    ].map { Array($0.utf8) })

  init(excluding excluded: PathPatterns = PathPatterns()) { self.excluded = excluded }

  /// Searches a named root under `label`. An empty label leaves the names below a folder as they are.
  mutating func walk(root: [UInt8], label: [UInt8]) throws(CorpusError) {
    do throws(SystemError) {
      let status = try FileSystem.status(of: root)
      switch status.kind {
      case .file:
        guard !excluded.match(ImageName.printable(label), isFolder: false) else {
          return passOver(label, .excluded)
        }
        return add(name: label, path: root, status: status)
      case .folder: return try walk(folder: root, label: label, identity: status.identity)
      case .link, .other: break
      }
    } catch {
      let name = ImageName.printable(root)
      throw error == .missing || error == .notAFolder
        ? .missing(root: name) : .unreadable(root: name, reason: error.description)
    }
    throw .notFileOrFolder(root: ImageName.printable(root))
  }

  mutating func add(listed path: [UInt8]) {
    let label = RootNames.normalised(path)
    do throws(CorpusError) {
      try walk(root: path, label: label)
    } catch {
      switch error {
      case .missing: obstruct(name: label, path: path, .missing)
      case .notFileOrFolder: obstruct(name: label, path: path, .notRegular)
      case .unreadable, .unreadableList: obstruct(name: label, path: path, .unreadable)
      }
    }
  }

  private mutating func walk(
    folder: [UInt8], label: [UInt8], identity: FileStatus.Identity
  ) throws(SystemError) {
    guard visitedFolders.insert(identity).inserted else { return passOver(label, .repeated) }
    let prefix = label.isEmpty ? [] : label + [Self.slash]
    var real: [Folder] = []
    var linked: [Folder] = []
    let root = Folder(
      path: folder, prefix: prefix, identity: identity, rootLength: prefix.count, isNamed: true)
    take(try FileSystem.items(of: folder), of: root, &real, &linked)
    while true {
      let isLink = real.isEmpty
      guard let next = real.popLast() ?? linked.popLast() else { return }
      guard visitedFolders.insert(next.identity).inserted else {
        passOver(next.prefix.dropLast(), isLink ? .linkLoop : .repeated)
        continue
      }
      do throws(SystemError) {
        take(try FileSystem.items(of: next.path), of: next, &real, &linked)
      } catch {
        passOver(next.prefix.dropLast(), .unreadable)
      }
    }
  }

  private mutating func take(
    _ items: [FileSystem.FolderItem], of folder: Folder, _ real: inout [Folder], _ linked: inout [Folder]
  ) {
    // The user wants a named folder to be read, whatever else is in it.
    guard folder.isNamed || !OwnOutput.isUnlisted(items) else {
      return passOver(folder.prefix.dropLast(), .resultsFolder)
    }
    own.read(items, of: folder.path)
    for item in items {
      let name = folder.prefix + item.name
      let path = folder.path + (folder.path.last == Self.slash ? [] : [Self.slash]) + item.name
      guard !own.contains(path) else {
        passOver(name, .ownFile)
        continue
      }
      guard item.name.first != UInt8(ascii: ".") else {
        passOver(name, .hidden)
        continue
      }
      if let reason = reasonToSkip(item, below: name.dropFirst(folder.rootLength)) {
        passOver(name, reason)
        continue
      }
      switch item.status {
      case .failure(.linkLoop): passOver(name, .linkLoop)
      case .failure(let error):
        obstruct(name: name, path: path, error == .missing ? .danglingLink : .unreadable)
      case .success(let status):
        switch status.kind {
        case .file: add(name: name, path: path, status: status)
        case .folder:
          let found = Folder(
            path: path, prefix: name + [Self.slash], identity: status.identity, rootLength: folder.rootLength)
          if item.isLink { linked.append(found) } else { real.append(found) }
        case .link, .other: obstruct(name: name, path: path, .notRegular)
        }
      }
    }
  }

  private func reasonToSkip(
    _ item: FileSystem.FolderItem, below path: ArraySlice<UInt8>
  ) -> PassedOver.Reason? {
    let isFolder = (try? item.status.get())?.kind == .folder
    if !excluded.isEmpty, excluded.match(ImageName.printable(path), isFolder: isFolder) { return .excluded }
    let name = item.name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return isFolder && Self.systemFolders.contains(name) ? .systemFolder : nil
  }

  private mutating func add(name: [UInt8], path: [UInt8], status: FileStatus) {
    let last = Array(path[(path.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...])
    guard sightings.insert(Sighting(file: status.identity, lastComponent: last)).inserted else {
      return passOver(name, .repeated)
    }
    candidates.append(Candidate(name: ImageName.printable(name), path: path, state: .file(status)))
  }

  /// Records an unreadable file as a failed image if it is named like an image; skips it otherwise.
  private mutating func obstruct(name: [UInt8], path: [UInt8], _ reason: PassedOver.Reason) {
    guard ImageFileName.isOne(name) else { return passOver(name, reason) }
    candidates.append(Candidate(name: ImageName.printable(name), path: path, state: .obstructed(reason)))
  }

  private mutating func passOver(_ name: some Collection<UInt8>, _ reason: PassedOver.Reason) {
    passedOver.count(ImageName.printable(name), reason)
  }
}
