import Foundation
import Model
import Synchronization

/// A folder for heicbench's output. Only files with contents that heicbench wrote are replaced or removed; anything
/// else under a needed name is an `OutputError` that names the obstacle.
///
/// Its own files are known by a list in the folder (`WrittenList`) of names and content digests. Links below the
/// folder are never followed.
package final class OwnedFolder: Sendable {
  package let path: String
  private let folder: FolderDescriptor
  private let list: WrittenList
  private let scratch = Mutex<[ScratchFolder]>([])
  /// Files verified to be ours, with their states at that time.
  private let known = Mutex<[String: FileState]>([:])
  /// The names of files read for verification.
  private let read = Mutex<Set<String>>([])

  package enum Standing: Sendable, Hashable {
    case free
    case ours
    case obstacle(OutputError.Obstacle)
  }

  package init(_ path: String) throws(OutputError) {
    self.path = path
    folder = try FolderDescriptor(path)
    list = try WrittenList(of: folder, path: path)
  }

  package var isNew: Bool { list.isEmpty }

  /// The names in a subfolder, or in this folder for an empty name, regardless of who wrote them.
  package func names(in name: String = "") -> [String] {
    guard !name.isEmpty else { return folder.names() }
    return (try? folder.folder(named: name, makes: false) { full(name) })?.names() ?? []
  }

  /// The status of a name, which may contain slashes.
  /// - Parameter reads: True to verify the content of a listed file by reading it.
  package func standing(of name: String, reads: Bool = true) -> Standing {
    let place: (FolderDescriptor, String)?
    do {
      place = try self.place(of: name, makes: false)
    } catch {
      return .obstacle(error.obstacle ?? .notAFolder)
    }
    guard let (folder, last) = place, let status = folder.status(of: last) else { return .free }
    guard status.kind == .file else { return .obstacle(status.kind == .link ? .link : .notAFile) }
    let state = FileState(status)
    let isKnown = known.withLock { $0[name] == state }
    let hash = reads && !isKnown ? Self.hash(last, in: folder) : nil
    if hash != nil { read.withLock { _ = $0.insert(name) } }
    func listed() -> Standing {
      let contents = list.contents(of: name)
      guard !contents.isEmpty else { return .obstacle(.foreign) }
      return !reads || isKnown || hash.map(contents.contains) == true ? .ours : .obstacle(.changed)
    }
    var standing = listed()
    // Another process may have written the file since the list was read.
    if standing != .ours, list.refresh() { standing = listed() }
    if reads, standing == .ours, state.isSettled { known.withLock { $0[name] = state } }
    return standing
  }

  /// The current states of the files that are ours, for `trust` in a later process.
  package func states(of names: some Sequence<String>) -> [String: FileState] {
    var states: [String: FileState] = [:]
    for name in names {
      // Read before the content, so that a change in between gives another state.
      let state = state(of: name)
      if standing(of: name) == .ours { states[name] = state }
    }
    return states
  }

  package func state(of name: String) -> FileState? {
    guard let (folder, last) = try? place(of: name, makes: false) else { return nil }
    return folder.status(of: last).map(FileState.init)
  }

  /// True if other files had to be read to check that they are ours.
  package func hasRead(but names: Set<String>) -> Bool { read.withLock { !$0.isSubset(of: names) } }

  /// Accepts files in a state left by an earlier process as ours without reading them.
  package func trust(_ states: [String: FileState]) { known.withLock { $0.merge(states) { $1 } } }

  /// Throws if nothing can be written here; called before anything is measured.
  package func requireWritable() throws(OutputError) {
    _ = try makeScratch()
    removeScratch()
  }

  /// Throws if something that is not ours has one of the names; writes and removes nothing. `isOurs` decides about
  /// unlisted files with content known from elsewhere.
  package func refuseObstacles(
    among names: some Sequence<String>, reads: Bool = true, isOurs: (String) -> Bool = { _ in false }
  ) throws(OutputError) {
    var first: OutputError?
    for name in names {
      guard case .obstacle(let obstacle) = standing(of: name, reads: reads) else { continue }
      if obstacle == .foreign, isOurs(name) { continue }
      if first == nil {
        first = OutputError(path: full(name), inTheWay: obstacle)
      } else {
        first?.others += 1
      }
    }
    if let first { throw first }
  }

  /// Adds an existing file to the list with its current content; the caller must know that it is ours.
  package func adopt(_ name: String) throws(OutputError) {
    guard let hash = digest(of: name) else { return }
    try list.add(hash, name, isDurable: false)
  }

  package func digest(of name: String) -> String? {
    guard let (folder, last) = try? place(of: name, makes: false) else { return nil }
    return Self.hash(last, in: folder)
  }

  package func beginning(of name: String, count: Int) -> [UInt8]? {
    guard let (folder, last) = try? place(of: name, makes: false) else { return nil }
    return folder.beginning(of: last, count: count)
  }

  /// True if the last listed digest and the size match; the file is not read.
  package func holds(_ name: String, hash: String, bytes: Int) -> Bool {
    guard list.contents(of: name).last == hash, let (folder, last) = try? place(of: name, makes: false),
      let status = folder.status(of: last)
    else { return false }
    return status.kind == .file && status.size == bytes
  }

  /// Starts a file with a free name or replacing one of ours; missing folders are created.
  package func file(_ name: String) throws(OutputError) -> AtomicFile {
    try refuseObstacles(among: CollectionOfOne(name))
    guard let (folder, last) = try place(of: name, makes: true) else {
      throw OutputError(path: full(name), operation: "create", code: ENOENT)
    }
    return try AtomicFile(in: folder, name: last, path: full(name)) { [list] (hash) throws(OutputError) in
      try list.add(hash, name, isDurable: true)
    }
  }

  package func write(_ text: String, to name: String) throws(OutputError) {
    let file = try file(name)
    file.write(text)
    try file.commit()
  }

  /// Writes a file that then belongs to the user: it is not listed, and is never replaced, removed or skipped.
  package func give(_ bytes: [UInt8], as name: String) throws(OutputError) {
    guard standing(of: name) == .free, let (folder, last) = try place(of: name, makes: true) else {
      throw OutputError(path: full(name), inTheWay: .there)
    }
    let file = try AtomicFile(in: folder, name: last, path: full(name))
    file.write(bytes: bytes)
    try file.commit()
  }

  package func remove(_ name: String) {
    guard standing(of: name) == .ours, let (folder, last) = try? place(of: name, makes: false) else { return }
    unlinkat(folder.number, last, 0)
  }

  /// Removes our files from a subfolder, and the subfolder if it is then empty.
  package func removeFiles(in name: String) {
    for listed in list.names where listed.hasPrefix(name + "/") { remove(listed) }
    unlinkat(folder.number, name, AT_REMOVEDIR)
  }

  package static func prepare(_ bytes: [UInt8], at path: String) throws(OutputError) {
    do { try ScratchFile.write(bytes, to: path) } catch {
      throw OutputError(path: path, operation: "write", code: error.code)
    }
  }

  deinit {
    removeScratch()
    try? list.tidy()
  }

  private func full(_ name: String) -> String { path + (path.hasSuffix("/") ? "" : "/") + name }

  private func place(
    of name: String, makes: Bool
  ) throws(OutputError) -> (folder: FolderDescriptor, last: String)? {
    var (folder, rest) = (folder, name[...])
    while let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
      let next = try folder.folder(named: String(rest[..<slash]), makes: makes) {
        full(String(name[..<slash]))
      }
      guard let next else { return nil }
      folder = next
      rest = rest[rest.utf8.index(after: slash)...]
    }
    return (folder, String(rest))
  }

  private static func hash(_ name: String, in folder: FolderDescriptor) -> String? {
    guard let file = folder.file(named: name) else { return nil }
    return try? SourceFile.digest(of: file, [], upTo: .max).hash
  }
}

extension OwnedFolder {
  /// Changes a file depending on its content, while no other program does. The lock is a separate file, removed
  /// afterwards, because a run may hold the folder's lock. Throws if another program holds it for more than a second.
  package func whileLocked(_ name: String, _ change: () throws -> Void) throws {
    let (lock, descriptor) = AtomicFile.makeTemporary(in: folder, named: name)
    guard descriptor >= 0 else { throw OutputError(path: full(name), operation: "lock", code: errno) }
    defer {
      unlinkat(folder.number, lock, 0)
      close(descriptor)
    }
    try change()
  }

  /// Creates a hidden folder, private to this process, for `move`; if the process is killed, the next one removes it.
  package func makeScratch() throws(OutputError) -> String {
    removeLeftovers()
    do throws(ScratchFolderError) {
      let made = try ScratchFolder(.parts, in: path)
      scratch.withLock { $0.append(made) }
      return made.path
    } catch {
      throw OutputError(path: path, operation: "create a folder in", code: error.code)
    }
  }

  package func removeLeftovers() {
    AtomicFile.removeLeftovers(in: path)
    ScratchFolder.removeAbandoned(.parts, in: path)
  }

  package func removeScratch() { scratch.withLock { $0 = [] } }

  /// Moves a finished scratch file to a free name or over a file of ours; false if its digest is not `hash`.
  @discardableResult
  package func move(_ source: String, to name: String, hash: String? = nil) throws(OutputError) -> Bool {
    let (from, own) = AtomicFile.split(source)
    let folderOfSource = try FolderDescriptor(from)
    guard let found = Self.hash(own, in: folderOfSource) else {
      throw OutputError(path: full(name), operation: "create", code: ENOENT)
    }
    if let hash, found != hash { return false }
    guard let (folder, last) = try place(of: name, makes: true) else {
      throw OutputError(path: full(name), operation: "create", code: ENOENT)
    }
    // An existing file with exactly this content need not be ours.
    if folder.status(of: last) != nil, Self.hash(last, in: folder) != found {
      try refuseObstacles(among: CollectionOfOne(name))
    }
    try list.add(found, name, isDurable: false)
    guard renameat(folderOfSource.number, own, folder.number, last) == 0 else {
      throw OutputError(path: full(name), operation: "create", code: errno)
    }
    // Its content was just verified, so the stamp of a report need not read it again.
    if let status = folder.status(of: last) { known.withLock { $0[name] = FileState(status) } }
    return true
  }
}
