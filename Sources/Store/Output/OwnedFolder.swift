import Foundation
import Model
import Synchronization

/// A folder that heicbench writes into. It removes and overwrites there what it wrote itself, as it wrote it:
/// anything else under a name that it needs is an `OutputError` that says what is in the way.
///
/// What it wrote is known by a list in the folder (`WrittenList`) of names and digests of contents. Below the
/// folder no link is followed.
package final class OwnedFolder: Sendable {
  /// The folder.
  package let path: String
  private let folder: FolderDescriptor
  private let list: WrittenList
  private let scratch = Mutex<[ScratchFolder]>([])
  /// Files whose content was found to be ours, as they were then.
  private let known = Mutex<[String: FileState]>([:])
  /// The names of files that had to be read for that.
  private let read = Mutex<Set<String>>([])

  /// What stands under a name.
  package enum Standing: Sendable, Hashable {
    /// Nothing: it may be written.
    case free
    /// What heicbench wrote: it may be replaced and removed.
    case ours
    /// Something else.
    case obstacle(OutputError.Obstacle)
  }

  /// Opens a folder, which exists, and reads the list of what was written there.
  package init(_ path: String) throws(OutputError) {
    self.path = path
    folder = try FolderDescriptor(path)
    list = try WrittenList(of: folder, path: path)
  }

  /// Whether nothing was ever written here.
  package var isNew: Bool { list.isEmpty }

  /// The names in one of its folders, or in itself for an empty name, whoever wrote them.
  package func names(in name: String = "") -> [String] {
    guard !name.isEmpty else { return folder.names() }
    return (try? folder.folder(named: name, makes: false) { full(name) })?.names() ?? []
  }

  /// What stands under a name, with slashes between folders.
  /// - Parameter reads: whether a file that may be one of ours is read, to see whether it still is what we wrote.
  package func standing(of name: String, reads: Bool = true) -> Standing {
    let place: (FolderDescriptor, String)?
    do {
      place = try self.place(of: name, makes: false)
    } catch {
      return .obstacle(error.obstacle ?? .notAFolder)
    }
    guard let (folder, last) = place, let status = folder.status(of: last) else { return .free }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: return .obstacle(.link)
    default: return .obstacle(.notAFile)
    }
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
    // Another process of ours may have written it since the list was read.
    if standing != .ours, list.refresh() { standing = listed() }
    if reads, standing == .ours, state.isSettled { known.withLock { $0[name] = state } }
    return standing
  }

  /// The files of these names that are ours, as they are now, for `trust` of a later process.
  package func states(of names: some Sequence<String>) -> [String: FileState] {
    var states: [String: FileState] = [:]
    for name in names {
      // Before its content is looked at, so that what changes meanwhile has another.
      let state = state(of: name)
      if standing(of: name) == .ours { states[name] = state }
    }
    return states
  }

  /// The state of what has a name; nil where nothing has.
  package func state(of name: String) -> FileState? {
    guard let (folder, last) = try? place(of: name, makes: false) else { return nil }
    return folder.status(of: last).map(FileState.init)
  }

  /// Whether files but these had to be read to see whether they are ours.
  package func hasRead(but names: Set<String>) -> Bool { read.withLock { !$0.isSubset(of: names) } }

  /// Takes files that are as an earlier process of ours left them for ours without reading them.
  package func trust(_ states: [String: FileState]) { known.withLock { $0.merge(states) { $1 } } }

  /// Throws where nothing can be written here, before anything is measured for it.
  package func requireWritable() throws(OutputError) {
    _ = try makeScratch()
    removeScratch()
  }

  /// Throws where something that is not ours stands under one of the names; writes and removes nothing.
  /// - Parameters:
  ///   - reads: see `standing`.
  ///   - isOurs: asked of a file that is not in the list, whether its content is known from elsewhere.
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

  /// Counts a file as ours as it is now, which its caller has to know from elsewhere.
  package func adopt(_ name: String) throws(OutputError) {
    guard let hash = digest(of: name) else { return }
    try list.add(hash, name, isDurable: false)
  }

  /// The digest of a regular file's content; nil where there is none.
  package func digest(of name: String) -> String? {
    guard let (folder, last) = try? place(of: name, makes: false) else { return nil }
    return Self.hash(last, in: folder)
  }

  /// The first bytes of a regular file, whoever wrote it; nil where there is none.
  package func beginning(of name: String, count: Int) -> [UInt8]? {
    guard let (folder, last) = try? place(of: name, makes: false) else { return nil }
    return folder.beginning(of: last, count: count)
  }

  /// When a file's content changed last, nanoseconds since 1970; nil where there is none.
  package func modified(_ name: String) -> Int64? {
    guard let (folder, last) = try? place(of: name, makes: false) else { return nil }
    return folder.status(of: last).map { FileStatus($0).modifiedNanoseconds }
  }

  /// Whether a file stands there with the content that was written last, as far as can be said without reading.
  package func holds(_ name: String, hash: String, bytes: Int) -> Bool {
    guard list.contents(of: name).last == hash, let (folder, last) = try? place(of: name, makes: false),
      let status = folder.status(of: last)
    else { return false }
    return status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == bytes
  }

  /// Starts a file that takes the place of nothing or of one of ours; folders on the way are made.
  package func file(_ name: String) throws(OutputError) -> AtomicFile {
    try refuseObstacles(among: CollectionOfOne(name))
    guard let (folder, last) = try place(of: name, makes: true) else {
      throw OutputError(path: full(name), operation: "create", code: ENOENT)
    }
    return try AtomicFile(in: folder, name: last, path: full(name)) { [list] (hash) throws(OutputError) in
      try list.add(hash, name, isDurable: true)
    }
  }

  /// Writes a whole file.
  package func write(_ text: String, to name: String) throws(OutputError) {
    let file = try file(name)
    file.write(text)
    try file.commit()
  }

  /// Writes a file that is the user's from then on, under a name that has to be free: it stands in no list, and
  /// is never replaced, removed or passed over.
  package func give(_ bytes: [UInt8], as name: String) throws(OutputError) {
    guard standing(of: name) == .free, let (folder, last) = try place(of: name, makes: true) else {
      throw OutputError(path: full(name), inTheWay: .foreign)
    }
    let file = try AtomicFile(in: folder, name: last, path: full(name))
    file.write(bytes: bytes)
    try file.commit()
  }

  /// Removes a file if it is one of ours; leaves it otherwise.
  package func remove(_ name: String) {
    guard standing(of: name) == .ours, let (folder, last) = try? place(of: name, makes: false) else { return }
    unlinkat(folder.number, last, 0)
  }

  /// Removes what is ours in one of its folders, and the folder when nothing is left in it.
  package func removeFiles(in name: String) {
    for listed in list.names where listed.hasPrefix(name + "/") { remove(listed) }
    unlinkat(folder.number, name, AT_REMOVEDIR)
  }

  /// Writes a file on its way to its place, for `move`.
  package static func prepare(_ bytes: [UInt8], at path: String) throws(OutputError) {
    do { try ScratchFile.write(bytes, to: path) } catch {
      throw OutputError(path: path, operation: "write", code: error.code)
    }
  }

  deinit { removeScratch() }

  /// Writes the list anew where most of it is old.
  package func tidy() throws(OutputError) { try list.tidy() }

  private func full(_ name: String) -> String { path + "/" + name }

  /// The folder that a name is in, and its last part; nil where a folder on the way is missing.
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
  /// Makes a folder that only this process uses, for files that are moved into place when they are done. It is
  /// hidden, and goes with `removeScratch`; one of a process that was killed goes with the next one's.
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

  /// Removes what processes that were killed had begun here.
  package func removeLeftovers() {
    AtomicFile.removeLeftovers(in: path)
    ScratchFolder.removeAbandoned(.parts, in: path)
  }

  /// Removes the scratch folders of this object with all that is in them.
  package func removeScratch() { scratch.withLock { $0 = [] } }

  /// Gives a finished file of a scratch folder its name, in the place of nothing or of one of ours.
  ///
  /// - Parameters:
  ///   - source: The file's path.
  ///   - hash: The digest that its content has to have; nil takes any.
  /// - Returns: Whether it was moved; false where its content is another.
  @discardableResult
  package func move(_ source: String, to name: String, hash: String? = nil) throws(OutputError) -> Bool {
    let (from, own) = AtomicFile.split(source)
    let folderOfSource = try FolderDescriptor(from)
    guard let found = Self.hash(own, in: folderOfSource) else {
      throw OutputError(path: full(name), operation: "create", code: ENOENT)
    }
    if let hash, found != hash { return false }
    // What stands there already with this very content need not be ours.
    if digest(of: name) != found { try refuseObstacles(among: CollectionOfOne(name)) }
    guard let (folder, last) = try place(of: name, makes: true) else {
      throw OutputError(path: full(name), operation: "create", code: ENOENT)
    }
    try list.add(found, name, isDurable: false)
    guard renameat(folderOfSource.number, own, folder.number, last) == 0 else {
      throw OutputError(path: full(name), operation: "create", code: errno)
    }
    // It was read a moment ago, and need not be for the stamp of a report.
    if let status = folder.status(of: last) { known.withLock { $0[name] = FileState(status) } }
    return true
  }
}
