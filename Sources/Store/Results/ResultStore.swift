import Foundation
import GRDB
import Model
import Synchronization

/// The results of all runs in one folder: `heicbench.sqlite`, an SQLite database in WAL mode.
///
/// A record is committed before `append` returns and survives a kill at any moment. After a power cut the last records
/// may be missing, and the next run measures them again, but no record is torn. A lock beside the database ensures a
/// single writer; any number of processes may read at the same time.
package final class ResultStore: Sendable {
  package static let fileName = "heicbench.sqlite"

  package struct Options: Sendable, Hashable {
    package var retryFailed: Bool
    /// True to measure everything again. Existing records stay until new ones replace them.
    package var fresh: Bool

    package init(retryFailed: Bool = false, fresh: Bool = false) {
      self.retryFailed = retryFailed
      self.fresh = fresh
    }
  }

  package let folder: String
  package let path: String
  package let options: Options
  let database: any DatabaseWriter
  let identifiers = Mutex(StoreIdentifiers())
  let setups = Mutex<[Int64: StoreSetup]>([:])
  let activeRun = Mutex<ActiveRun?>(nil)
  /// The columns of the active run's metrics, once all of them exist.
  let activeMetrics = Mutex<(run: Int64, metrics: [StoredMetric])?>(nil)
  /// True if heicbench closed the database and it has not changed since, so it needs no check.
  let isSealed: Bool
  /// True for a migrated copy of an older store.
  let isCopy: Bool
  private let lock: FolderLock?
  /// The inode of the file opened for writing.
  private let inode: UInt64?

  package init(folder: String, options: Options = Options()) throws(StoreError) {
    let path = folder + "/" + Self.fileName
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .notWritable(path: folder, reason: Self.reason(error))
    }
    try Self.refuseIrregular(path)
    let lock = try FolderLock(path: folder + "/.heicbench.lock")
    let isSealed = lock.inheritance == Self.seal(path)
    self.isSealed = isSealed
    self.database = try Self.translating(path) {
      if !isSealed { try Self.refuseUnusable(path) }
      let pool = try DatabasePool(path: Self.plain(path), configuration: Self.configuration(readOnly: false))
      try pool.writeWithoutTransaction { db in
        try StoreSchema.migrate(db, path: path)
        // Finds anything that would break a run or a merge before either adds data.
        if !isSealed { try StoreCheck.run(db, path: path) }
      }
      return pool
    }
    inode = Self.inode(of: path)
    isCopy = false
    self.folder = folder
    self.path = path
    self.options = options
    self.lock = lock
  }

  deinit {
    guard let lock else { return }
    // If a reading connection closed last, the log would stay.
    (database as? DatabasePool)?.invalidateReadOnlyConnections()
    guard (try? database.close()) != nil, let seal = Self.seal(path) else { return }
    lock.leave(seal)
  }

  /// Opens the folder's store for reading, even while another process writes to it.
  package init(reading folder: String) throws(StoreError) {
    let path = folder + "/" + Self.fileName
    try Self.refuseIrregular(path)
    guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
    (self.database, isCopy) = try Self.translating(path) {
      let queue = try Self.queue(path, readOnly: true)
      let isCurrent = try queue.read { db in
        try StoreSchema.isCurrent(db, found: try StoreSchema.check(db, path: path, writable: false))
      }
      return (isCurrent ? queue : try Self.modernised(queue, path), !isCurrent)
    }
    inode = nil
    isSealed = false
    self.folder = folder
    self.path = path
    self.options = Options()
    self.lock = nil
  }

  /// Migrates a copy of an older store, in a temporary file: reading never changes a store.
  private static func modernised(_ old: DatabaseQueue, _ path: String) throws -> DatabaseQueue {
    let copy = try DatabaseQueue(path: "")
    try old.backup(to: copy)
    try copy.writeWithoutTransaction { db in try StoreSchema.migrate(db, path: path) }
    return copy
  }

  /// True if the folder holds a heicbench store of any version, judged by the file's first bytes.
  package static func isOurs(in folder: String) -> Bool {
    guard let folder = try? FolderDescriptor(folder), let start = folder.beginning(of: fileName, count: 72)
    else { return false }
    let application = withUnsafeBytes(of: UInt32(StoreSchema.applicationID).bigEndian) { Array($0) }
    return start.count == 72 && start.starts(with: "SQLite format 3\0".utf8)
      && Array(start[68..<72]) == application
  }

  /// A line that shows whether a properly closed database has changed since. It contains the inode and the status
  /// change time, which no copy of the folder shares, so a store from elsewhere is never mistaken for our own. Nil
  /// without a database, or if it has a log.
  private static func seal(_ path: String) -> String? {
    guard let status = FileStatus(entry: path), status.size > 0, access(path + "-wal", F_OK) != 0 else {
      return nil
    }
    return "checked by \(StoreSchema.version): \(FileState(status).spelling)\n"
  }

  private static func inode(of path: String) -> UInt64? {
    FileStatus(entry: path)?.identity.inode
  }

  /// SQLite would follow a link, and block on a FIFO.
  private static func refuseIrregular(_ path: String) throws(StoreError) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      guard let status = FileStatus(entry: path + suffix), status.kind != .file else { continue }
      throw .inTheWay(
        path: path + suffix,
        reason: status.kind == .link
          ? "it is a link, and heicbench does not follow links here" : "it is not a regular file")
    }
  }

  /// Inspects an existing file without changing it; opening it for writing would change it.
  private static func refuseUnusable(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    guard let start = try file.read(upToCount: 16), !start.isEmpty else { return }
    guard start == Data("SQLite format 3\0".utf8) else {
      throw StoreError.damaged(path: path, reason: "it does not start like a database")
    }
    do { try look(at: path, readOnly: true) } catch let error as DatabaseError where isHalfMade(error) {
      // A killed process's unfinished transaction must be rolled back first, which needs write access.
      try look(at: path, readOnly: false)
    }
  }

  private static func look(at path: String, readOnly: Bool) throws {
    try queue(path, readOnly: readOnly).read { db in
      _ = try StoreSchema.check(db, path: path, writable: true)
    }
  }

  private static func queue(_ path: String, readOnly: Bool) throws -> DatabaseQueue {
    try DatabaseQueue(
      path: readOnly ? readingPath(path) : plain(path), configuration: configuration(readOnly: readOnly))
  }

  private static func configuration(readOnly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readOnly
    configuration.busyMode = .timeout(10)
    return configuration
  }

  /// True if a process was killed while creating the database: afterwards the WAL is the only journal.
  private static func isHalfMade(_ error: DatabaseError) -> Bool {
    error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
  }

  /// A path that SQLite does not mistake for a URI or one of its special names.
  private static func plain(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  /// In a read-only folder SQLite cannot create the files beside a WAL database, so it is opened as immutable.
  static func readingPath(_ path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    let logSize = try? FileSystem.status(of: Array((path + "-wal").utf8)).size
    guard access(folder, W_OK) != 0, (logSize ?? 0) == 0 else { return plain(path) }
    let absolute = URL(filePath: path).absoluteURL.path(percentEncoded: true)
    return "file:\(absolute.replacing("?", with: "%3f").replacing("#", with: "%23"))?immutable=1"
  }
}

extension ResultStore {
  func write<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    // SQLite would keep writing into a deleted file.
    if let inode, Self.inode(of: path) != inode { throw .vanished(path: path) }
    do {
      return try Self.translating(path) { try database.write(body) }
    } catch {
      // Identifiers of rolled-back rows are no longer valid.
      identifiers.withLock { $0 = StoreIdentifiers() }
      throw error
    }
  }

  func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    try Self.translating(path) { try database.read(body) }
  }

  static func translating<T>(_ path: String, _ body: () throws -> T) throws(StoreError) -> T {
    do {
      return try body()
    } catch let error as StoreError {
      throw error
    } catch let error as DatabaseError {
      throw translate(error, path: path)
    } catch let error as DecodingError {
      throw .damaged(path: path, reason: "a stored description cannot be read (\(error))")
    } catch let error as StoredValueError {
      throw .damaged(path: path, reason: "column \(error.column) of a row has an invalid value")
    } catch {
      throw .failed(path: path, reason: reason(error))
    }
  }

  private static func translate(_ error: DatabaseError, path: String) -> StoreError {
    let reason = error.message ?? "\(error.resultCode)"
    if isHalfMade(error) { return .missing(path: path) }
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_FORMAT:
      return .damaged(path: path, reason: reason)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      return .notWritable(path: path, reason: reason)
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .inUse(path: path, by: "process unknown")
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: return .diskFull(path: path)
    default: return .failed(path: path, reason: reason)
    }
  }

  private static func reason(_ error: any Error) -> String {
    let cocoa = error as NSError
    if let cause = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(cause.code)))
    }
    return cocoa.localizedDescription
  }
}
